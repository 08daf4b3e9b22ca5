import { brotliDecompressSync } from 'node:zlib';

/** Unpacks JSON that workshop/tools/packSchemas.ts has compressed. */
export function unpack(packed: string): unknown {
  return JSON.parse(brotliDecompressSync(Buffer.from(packed, 'base64')).toString());
}
