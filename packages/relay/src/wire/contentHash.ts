const seed = 0x811c9dc5;

function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}

function textHash(text: string, from: number): number {
  let hash = from;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mixed(hash);
}

/**
 * The hash of a JSON value, from 0 up to 2 ** 32: equal for equal values, whatever the order of their keys. Both the relay and its pages compute it, so that they can
 * detect differences.
 */
export function contentHash(value: unknown): number {
  if (Array.isArray(value)) return mixed(value.reduce<number>((hash, item) => Math.imul(hash, 31) + contentHash(item), seed ^ 1));
  if (typeof value !== 'object' || value === null) return textHash(String(value), typeof value === 'string' ? seed : seed ^ 2);
  let sum = seed ^ 3;
  for (const [name, part] of Object.entries(value)) {
    if (part !== undefined) sum = (sum + mixed(Math.imul(textHash(name, seed), 31) ^ contentHash(part))) >>> 0;
  }
  return mixed(sum);
}

/** The contribution of one object to the checksum of a scope. The sum does not depend on the order. */
export function entryHash(key: string, value: unknown): number {
  return mixed(textHash(key, seed) ^ contentHash(value));
}

/** Adds a contribution to a checksum, or with `sign` -1 removes it. */
export function addHash(sum: number, hash: number, sign: 1 | -1 = 1): number {
  return (sum + sign * hash) >>> 0;
}

/** A short hash of a text: for comparison, not for security. */
export function textId(text: string): string {
  return textHash(text, seed).toString(36) + textHash(text, seed ^ 4).toString(36);
}
