/** A pseudorandom number in [0, 1) for a question: the same for equal questions, so that results do not depend on the order of events. */
export type Chance = (question: string) => number;

/** FNV-1a with a final mix. */
function hash(text: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The random numbers of one seed. */
export function createChance(seed: number): Chance {
  return (question) => hash(`${String(seed)} ${question}`) / 4_294_967_296;
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A short hash of a text, in the alphabet of generated names. */
export function shortHash(text: string, length: number): string {
  let rest = hash(text) * 4_294_967_296 + hash(`${text}.`);
  let name = '';
  for (let at = 0; at < length; at += 1) {
    name += alphabet.charAt(rest % alphabet.length);
    rest = Math.floor(rest / alphabet.length);
  }
  return name;
}
