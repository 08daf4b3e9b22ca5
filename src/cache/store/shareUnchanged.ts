import { deepFreeze } from '../../api/deepFreeze.js';
import { isPlainObject } from '../../api/json.js';

type JsonObject = Record<string, unknown>;

/** Parts below this depth are not shared: a server may send objects nested more deeply than the call stack allows. */
const deepest = 200;

/** Sets a value in the newer object, or in a copy of it if it is frozen; returns that object. */
function put<T extends object>(after: T, key: string | number, value: unknown): T {
  const target = (!Object.isFrozen(after) ? after : Array.isArray(after) ? [...(after as unknown[])] : { ...after }) as T;
  (target as JsonObject)[key] = value;
  return target;
}

/** Sets the older object's values of all properties before `end`, which are equal. Shared parts are frozen. */
function putUpTo(before: JsonObject, after: JsonObject, end?: string): JsonObject {
  let result = after;
  for (const key in after) {
    if (key === end) break;
    const was = before[key];
    if (was !== after[key]) result = put(result, key, deepFreeze(was));
  }
  return result;
}

/** Whether two values are identical. `0` and `-0` differ, to keep what the server sent. */
function isSame(was: unknown, is: unknown): boolean {
  return was === is && (is !== 0 || Object.is(was, is));
}

function sizeOf(object: JsonObject): number {
  let size = 0;
  for (const _ in object) size += 1;
  return size;
}

/*
 * Nothing is written while all properties are equal: if the whole object is, its older equal replaces it one level up. From the first difference on, equal
 * properties are set. This runs for every event; for-in and plain loops take half the time of Object.keys and array methods.
 */

function shareObject(before: JsonObject, after: JsonObject, depth: number): unknown {
  let result = after;
  let same = true;
  let size = 0;
  for (const key in after) {
    size += 1;
    const was = before[key];
    const is = after[key];
    const found = was === is ? is : share(was, is, depth);
    // `__proto__` and `constructor` are ordinary keys; the older object's inherited properties do not count.
    const isEqual = isSame(found, was) && ((was === is && is !== undefined) || Object.hasOwn(before, key));
    if (isEqual) {
      if (!same && was !== is) result = put(result, key, deepFreeze(was));
      continue;
    }
    if (same) {
      same = false;
      result = putUpTo(before, after, key);
    }
    if (found !== was && found !== is) result = put(result, key, found);
  }
  if (!same) return result;
  return size === sizeOf(before) ? before : putUpTo(before, after);
}

function shareArray(before: readonly unknown[], after: readonly unknown[], depth: number): unknown {
  let result = after;
  let same = before.length === after.length;
  const common = Math.min(before.length, after.length);
  for (let at = 0; at < common; at += 1) {
    const was = before[at];
    const is = after[at];
    if (isSame(was, is)) continue;
    const found = share(was, is, depth);
    if (isSame(found, was)) {
      if (!same) result = put(result, at, deepFreeze(was));
      continue;
    }
    for (let earlier = 0; same && earlier < at; earlier += 1) {
      if (before[earlier] !== after[earlier]) result = put(result, earlier, deepFreeze(before[earlier]));
    }
    same = false;
    if (found !== is) result = put(result, at, found);
  }
  return same ? before : result;
}

function share(before: unknown, after: unknown, depth: number): unknown {
  if (before === after || typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return after;
  if (depth > deepest) return after;
  if (Array.isArray(before)) return Array.isArray(after) ? shareArray(before, after, depth + 1) : after;
  return isPlainObject(before) && isPlainObject(after) ? shareObject(before, after, depth + 1) : after;
}

/**
 * Makes the new version of an object share unchanged parts with the old one: the result equals `newObject`, and each of its
 * subtrees that equals the one at the same path in `oldObject` is identical to it. When nothing differs, the result is `oldObject`.
 *
 * `newObject` must be the caller's own JSON: it is changed in place, or copied where it is frozen. The shared subtrees are frozen.
 * Instances of classes, such as dates, are not compared.
 */
export function shareUnchanged<T>(oldObject: T, newObject: T): T {
  return share(oldObject, newObject, 0) as T;
}
