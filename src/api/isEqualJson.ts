import { isPlainObject } from './json.js';

/** Deeper pairs are queued instead of compared recursively: a server may send objects deeper than the call stack allows. */
const deepest = 200;

/** With more queued pairs than this, the values are assumed to be cyclic. */
const maxPairs = 10_000;

type Pairs = (readonly [unknown, unknown])[];

function isEqualArray(a: readonly unknown[], b: readonly unknown[], depth: number, later: Pairs): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) {
    const value = a[at];
    // Shared parts are found without a call. Zero and minus zero differ.
    if ((value !== b[at] || value === 0) && !isEqual(value, b[at], depth, later)) return false;
  }
  return true;
}

/** Whether two JSON values are equal, apart from the pairs added to `later`. */
function isEqual(a: unknown, b: unknown, depth: number, later: Pairs): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > deepest) {
    return later.push([a, b]) <= maxPairs;
  }
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isEqualArray(a, b, depth + 1, later);
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  let more = 0;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    if (!Object.hasOwn(b, key) || !isEqual(value, b[key], depth + 1, later)) return false;
    more -= 1;
  }
  for (const key in b) if (b[key] !== undefined) more += 1;
  return more === 0;
}

/** Whether two JSON values are equal; a name whose value is undefined is absent. Shared parts are not compared; instances of classes equal only themselves, as do values that contain themselves. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  const later: Pairs = [];
  if (!isEqual(a, b, 0, later)) return false;
  for (const [one, other] of later) if (!isEqual(one, other, 0, later)) return false;
  return true;
}
