import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { relative } from 'node:path';
import { entries, root } from '../../tools/houses.js';

describe('the pages of the API', () => {
  it('are made for every entry of the package', async () => {
    const { entryPoints } = JSON.parse(await readFile('workshop/typedoc.json', 'utf8')) as { readonly entryPoints: readonly string[] };
    expect([...entryPoints].sort()).toEqual(entries.map(({ source }) => `../${relative(root, source)}`).sort());
  });
});
