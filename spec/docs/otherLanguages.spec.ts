import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

describe('the page for programs in other languages', () => {
  it.each(['example.py', 'go/main.go', 'rust/src/main.rs', 'java/Example.java', 'workflow.yml'])(
    'shows examples/other-languages/%s as it is',
    (file) => {
      expect(read('docs/instead-of-envtest.md')).toContain(`\n${read(`examples/other-languages/${file}`).trimEnd()}\n\`\`\``);
    },
  );
});
