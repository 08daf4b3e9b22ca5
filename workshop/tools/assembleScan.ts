import { readFile } from 'node:fs/promises';
import initialize from 'wabt';

/** Assembles src/client/decode/scanModule.wat, and returns the text of scanModule.ts. */
export async function assembleScan(): Promise<string> {
  const source = await readFile(new URL('../../src/client/decode/scanModule.wat', import.meta.url), 'utf8');
  const wabt = await initialize();
  const { buffer } = wabt.parseWat('scanModule.wat', source, { simd: true, bulk_memory: true }).toBinary({});
  const lines =
    Buffer.from(buffer)
      .toString('base64')
      .match(/.{1,140}/g) ?? [];
  return [
    '/**',
    ' * The bytes of scanModule.wat in base64. Made by `npm run scan-module`; do not edit.',
    ' */',
    'export const scanModule: string =',
    `${lines.map((line) => `  '${line}'`).join(' +\n')};`,
    '',
  ].join('\n');
}
