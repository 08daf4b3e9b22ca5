import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** The source of uids, generated names and random durations. */
export interface RandomSource {
  /** A version 4 UUID. */
  uid(): string;
  /** Letters for a generated name. */
  suffix(length: number): string;
  /** A number in [0, 1). */
  fraction(): number;
}

// No vowels and no similar characters, so that no word can appear by chance.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Makes a random source: unpredictable without a seed, and always the same sequence with one. */
export function createRandomSource(seed?: string): RandomSource {
  let drawn = 0;
  const draw = (size: number): Buffer => {
    if (seed === undefined) return randomBytes(size);
    drawn += 1;
    return createHash('sha256')
      .update(`${seed}/${String(drawn)}`)
      .digest()
      .subarray(0, size);
  };
  return {
    uid: () => {
      if (seed === undefined) return randomUUID();
      const bytes = draw(16);
      bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
      bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
      return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    suffix: (length) => Array.from(draw(length), (byte) => alphabet.charAt(byte % alphabet.length)).join(''),
    fraction: () => draw(4).readUInt32BE() / 2 ** 32,
  };
}
