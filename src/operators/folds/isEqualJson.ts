import { isPlainObject } from '../../cache/keys/isPlainObject.js';

function isEqualArray(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, at) => isEqualJson(item, b[at]));
}

/**
 * Whether two pieces of JSON have the same content. Shared parts are not looked into; instances of classes are equal to themselves only.
 */
export function isEqualJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isEqualArray(a, b);
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqualJson(a[key], b[key]));
}
