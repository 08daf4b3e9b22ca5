import { constants, deflateRawSync } from 'node:zlib';
import type { Chunk } from '../log/chunk.js';

/** How an answer is encoded. */
export interface Encoding {
  readonly name: 'gzip' | undefined;
  /** What comes before the first part. */
  readonly head: Uint8Array | undefined;
  readonly encode: (chunk: Chunk) => Uint8Array;
}

const utf8 = new TextEncoder();

const identity: Encoding = { name: undefined, head: undefined, encode: (chunk) => chunk.bytes('identity', (text) => utf8.encode(text)) };

/** A part as deflate blocks that end at a byte and refer to nothing outside of themselves: it may be sent to anybody, behind anything. */
function deflated(text: string): Uint8Array {
  return deflateRawSync(utf8.encode(text), { level: 6, finishFlush: constants.Z_FULL_FLUSH });
}

/**
 * One gzip member for a whole answer, made of parts that are compressed once for all who get them. What is of different rights stands in different parts, so that
 * the length of one says nothing of another.
 */
const gzip: Encoding = {
  name: 'gzip',
  head: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255),
  encode: (chunk) => chunk.bytes('gzip', deflated),
};

/** The encoding that a client accepts. An answer that ends, as those to polls do, would need the checksum of everything that was sent: it is not compressed. */
export function encodingOf(accepted: string | null, poll: boolean): Encoding {
  return !poll && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted ?? '') ? gzip : identity;
}
