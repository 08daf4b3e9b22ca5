/**
 * Whether `json` has the bytes `expected` at `at`.
 */
export function standsAt(json: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index += 1) if (json[at + index] !== expected[index]) return false;
  return true;
}

/**
 * The bytes of some JSON, with a view of the same memory for reading words.
 */
export class JsonBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

const wordBytes = 8;

/**
 * The first index from `at` up to `end` at which `known`, valid JSON, differs from `json`, which is read `shift` bytes further on.
 *
 * Eight bytes at a time are compared as float64, which takes a fifth of the time. Different bytes give equal numbers only for zero and minus zero, and those
 * bytes do not occur in valid JSON; bytes that are NaN count as different and are then compared one by one.
 */
export function firstDifference(known: JsonBytes, at: number, end: number, json: JsonBytes, shift: number): number {
  const { bytes: a, view: words } = known;
  const { bytes: b, view: otherWords } = json;
  const lastWord = end - wordBytes;
  let next = at;
  // mutation comparison: equivalent but for time
  while (next <= lastWord && words.getFloat64(next, true) === otherWords.getFloat64(next + shift, true)) next += wordBytes;
  while (next < end && a[next] === b[next + shift]) next += 1;
  return next;
}
