import fc from 'fast-check';

/** Cuts bytes at these positions, given as fractions of their length. */
export function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => Math.floor(place * bytes.length)), bytes.length].sort((a, b) => a - b);
  let start = 0;
  return ends.map((end) => {
    const chunk = bytes.slice(start, end);
    start = end;
    return chunk;
  });
}

/**
 * Places to cut at, for `cut`.
 */
export const places: fc.Arbitrary<number[]> = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
