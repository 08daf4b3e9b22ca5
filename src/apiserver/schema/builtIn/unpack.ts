import { brotliDecompressSync } from 'node:zlib';

/** Reads JSON that tools/packSchemas.ts has packed. */
export function unpack(packed: string): unknown {
  return JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString());
}
