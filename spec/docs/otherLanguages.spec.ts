import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const read = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');

describe('the page for programs in other languages', () => {
  it('shows the workflow as it is', () => {
    expect(read('docs/api-server.md')).toContain(`\n${read('examples/other-languages/workflow.yml').trimEnd()}\n\`\`\``);
  });
});
