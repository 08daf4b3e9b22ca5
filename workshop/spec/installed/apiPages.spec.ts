import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { entries } from '../../tools/entries.js';

describe('the pages of the API', () => {
  it('are made for every entry of the package', async () => {
    const { entryPoints } = JSON.parse(await readFile('workshop/typedoc.json', 'utf8')) as { readonly entryPoints: readonly string[] };
    expect([...entryPoints].sort()).toEqual([...entries.values()].map((file) => `src/${file}.ts`).sort());
  });
});
