import { isPlainObject } from '../../cache/keys/isPlainObject.js';

function isEqualArray(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) {
    const value = a[at];
    // Mostly shared: that is found out without a call. There are two zeros.
    if ((value !== b[at] || value === 0) && !isEqualJson(value, b[at])) return false;
  }
  return true;
}

/** Whether two pieces of JSON have the same content. Shared parts are not looked into; instances of classes equal themselves only. */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isEqualArray(a, b);
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  let more = 0;
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !isEqualJson(a[key], b[key])) return false;
    more -= 1;
  }
  for (const _ in b) more += 1;
  return more === 0;
}
