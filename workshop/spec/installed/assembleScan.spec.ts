import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { assembleScan } from '../../tools/assembleScan.js';

describe('assembleScan', () => {
  it('makes the bytes that are in the package', async () => {
    const committed = await readFile(new URL('../../../src/client/decode/scanModule.ts', import.meta.url), 'utf8');
    expect(committed).toBe(await assembleScan());
  });
});
