import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { asPublished, placeholdersOf, untilPublished, withOwner } from '../../tools/release/published.js';

const page = `# Get it

<!-- until published -->
From a clone.
<!-- /until published -->
<!-- once published
\`\`\`sh
npm install it
\`\`\`
-->

More.
`;

describe('asPublished', () => {
  it('shows what was for later, and takes away what was for now', () => {
    expect(asPublished(page)).toBe('# Get it\n\n```sh\nnpm install it\n```\n\nMore.\n');
  });

  it('changes nothing the second time', () => {
    expect(asPublished(asPublished(page))).toBe(asPublished(page));
  });

  it.each(['README.md', 'docs/getting-started.md', 'docs/first-operator.md', 'docs/live-table.md', 'packages/create/README.md'])(
    'leaves no word of a tarball in %s',
    (name) => {
      const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
      expect(asPublished(text)).not.toMatch(/\.tgz|not on the registry|until published|once published/);
    },
  );
});

describe('untilPublished', () => {
  it('is what stands there for now', () => {
    expect(untilPublished(page)).toBe('From a clone.\n');
  });
});

describe('placeholdersOf', () => {
  it('names the fields that are empty or have the placeholder', () => {
    const homepage = 'https://example.com/OWNER/it';
    expect(placeholdersOf({ homepage, bugs: { url: homepage }, repository: 'https://example.com/us/it' })).toEqual(['homepage', 'bugs']);
    expect(placeholdersOf({})).toEqual(['repository', 'homepage', 'bugs']);
  });
});

describe('withOwner', () => {
  const read = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

  it('leaves no placeholder in the manifest', () => {
    const filled = withOwner(read('package.json').replace(/github\.com\/[\w-]+\//g, 'github.com/OWNER/'), 'some-org');
    const manifest = JSON.parse(filled) as { readonly homepage: string };
    expect(placeholdersOf({ ...manifest })).toEqual([]);
    expect(manifest.homepage).toBe('https://github.com/some-org/rx-informer#readme');
  });

  it('refuses what is no name', () => {
    expect(() => withOwner('{}', 'some org')).toThrow('Expected --owner to be an account or organization, got some org');
  });

  it.each([
    'README.md',
    'CONTRIBUTING.md',
    '.github/SECURITY.md',
    'CHANGELOG.md',
    ...readdirSync(new URL('../../../packages', import.meta.url)).map((name) => `packages/${name}/package.json`),
  ])('is needed for the root manifest alone, and not for %s', (file) => {
    expect(read(file)).not.toMatch(/\bOWNER\b/);
  });
});
