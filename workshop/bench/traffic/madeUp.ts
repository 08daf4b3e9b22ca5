// Pseudo-random parts of the benchmarks' objects, the same in every run.

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A pseudo-random 32-bit number. */
export function scramble(seed: number): number {
  let bits = Math.imul(seed + 0x9e3779b9, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** An integer from `least` to `most`. */
export function between(seed: number, least: number, most: number): number {
  return least + (scramble(seed) % (most - least + 1));
}

/** One element of the list. */
export function oneOf<T>(seed: number, list: readonly T[]): T {
  return list[scramble(seed) % list.length] as T;
}

/** A random suffix as in names that Kubernetes generates. */
export function letters(seed: number, length: number): string {
  let word = '';
  for (let at = 0; at < length; at += 1) word += alphabet[scramble(seed * 31 + at) % alphabet.length] ?? '';
  return word;
}

export function hex(seed: number, length: number): string {
  let digits = '';
  for (let part = 0; digits.length < length; part += 1)
    digits += scramble(seed * 17 + part * 7919)
      .toString(16)
      .padStart(8, '0');
  return digits.slice(0, length);
}

/** This many bytes as base64. */
export function base64(seed: number, bytes: number): string {
  const buffer = Buffer.allocUnsafe(4 * Math.ceil(bytes / 4));
  for (let at = 0; at < buffer.length; at += 4) buffer.writeUInt32LE(scramble(seed * 131 + at), at);
  return buffer.toString('base64', 0, bytes);
}

export function uid(seed: number): string {
  const digits = hex(seed, 32);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** The time this many seconds after the beginning of 2026. */
export function time(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}
