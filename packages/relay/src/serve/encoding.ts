import { constants, deflateRawSync } from 'node:zlib';
import type { Chunk } from '../log/chunk.js';
import type { RelayAnswer } from './relayCore.js';
import { streamHeaders } from './requestChecks.js';

/** The encoding of an answer. */
export interface Encoding {
  readonly name: 'gzip' | undefined;
  /** The bytes before the first part. */
  readonly head: Uint8Array | undefined;
  readonly encode: (chunk: Chunk) => Uint8Array;
}

/** The headers of an answer. */
export function headersOf(
  answer: RelayAnswer,
  cors: Readonly<Record<string, string>>,
  { name }: Encoding,
): Readonly<Record<string, string>> {
  if (!('reason' in answer)) return { ...streamHeaders, ...cors, ...(name !== undefined && { 'content-encoding': name }) };
  const { retryAfterSeconds: seconds } = answer;
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...cors };
  return { ...headers, ...(seconds !== undefined && { 'retry-after': String(seconds) }) };
}

const utf8 = new TextEncoder();

const identity: Encoding = { name: undefined, head: undefined, encode: (chunk) => chunk.bytes('identity', (text) => utf8.encode(text)) };

/** A part as deflate blocks that end at a byte boundary and reference nothing before them: it can be sent to any client at any position. */
function deflated(text: string): Uint8Array {
  // A copy: the result of zlib keeps 16 kB of memory alive, however short it is.
  return new Uint8Array(deflateRawSync(utf8.encode(text), { level: 6, finishFlush: constants.Z_FULL_FLUSH }));
}

/**
 * One gzip member per answer, made of parts that are compressed once for all clients. Content with different permissions is in different parts, so that the compressed
 * length of one reveals nothing about another.
 */
const gzip: Encoding = {
  name: 'gzip',
  head: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255),
  encode: (chunk) => chunk.bytes('gzip', deflated),
};

/** The encoding for a client. Answers that end, as those to polls, are not compressed: they would need a checksum of everything sent. */
export function encodingOf(accepted: string | null, poll: boolean): Encoding {
  return !poll && /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted ?? '') ? gzip : identity;
}
