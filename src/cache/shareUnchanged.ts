import { deepFreeze } from './deepFreeze.js';
import { isPlainObject } from './isPlainObject.js';

type JsonObject = Record<string, unknown>;

/** What lies deeper is not shared: a server may send objects deeper than the stack. */
const deepest = 200;

/** What two versions share is frozen: a change of the one would be a change of the other. */
function substitute(before: JsonObject, after: JsonObject, key: string): void {
  const was = before[key];
  if (was !== after[key]) after[key] = deepFreeze(was);
}

/** Substitutes all properties that come before `end`: they have been found equal. */
function substituteUpTo(before: JsonObject, after: JsonObject, end?: string): void {
  for (const key in after) {
    if (key === end) return;
    substitute(before, after, key);
  }
}

function sizeOf(object: JsonObject): number {
  let size = 0;
  for (const _ in object) size += 1;
  return size;
}

/*
 * Nothing is written while all properties are equal: then the whole object may be, and its older equal takes its place further up. From the
 * first difference on, what is equal is substituted, if the newer object is ours to change. This runs for every event; for-in and plain loops
 * take half the time of Object.keys and array methods.
 */

function shareObject(before: JsonObject, after: JsonObject, depth: number): unknown {
  let same = true;
  let writable = false;
  let size = 0;
  for (const key in after) {
    size += 1;
    const was = before[key];
    const is = after[key];
    // `__proto__` and `constructor` are keys like any other, and what the older object inherits is none of its own values.
    if (was === is ? is !== undefined || Object.hasOwn(before, key) : share(was, is, depth) === was && Object.hasOwn(before, key)) {
      if (writable) substitute(before, after, key);
    } else if (same) {
      same = false;
      writable = !Object.isFrozen(after);
      if (writable) substituteUpTo(before, after, key);
    }
  }
  if (!same) return after;
  if (size === sizeOf(before)) return before;
  if (!Object.isFrozen(after)) substituteUpTo(before, after);
  return after;
}

function shareArray(before: readonly unknown[], after: unknown[], depth: number): unknown {
  let same = before.length === after.length;
  let writable = !same && !Object.isFrozen(after);
  const common = Math.min(before.length, after.length);
  for (let at = 0; at < common; at += 1) {
    const was = before[at];
    const is = after[at];
    if (was === is) continue;
    if (share(was, is, depth) === was) {
      if (writable) after[at] = deepFreeze(was);
    } else if (same) {
      same = false;
      writable = !Object.isFrozen(after);
      for (let earlier = 0; writable && earlier < at; earlier += 1) {
        if (before[earlier] !== after[earlier]) after[earlier] = deepFreeze(before[earlier]);
      }
    }
  }
  return same ? before : after;
}

function share(before: unknown, after: unknown, depth: number): unknown {
  if (before === after || typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return after;
  if (depth > deepest) return after;
  if (Array.isArray(before)) return Array.isArray(after) ? shareArray(before, after as unknown[], depth + 1) : after;
  return isPlainObject(before) && isPlainObject(after) ? shareObject(before, after, depth + 1) : after;
}

/**
 * Lets the new version of an object share with the old one whatever has not changed: the result has the value of `newObject`, and each
 * subtree of it that equals the one at the same place in `oldObject` is that one. When nothing differs, the result is `oldObject`.
 *
 * `newObject` must be the caller's own JSON: it is changed in place, except for what is frozen in it. The shared subtrees are frozen.
 * Instances of classes, such as dates, are left alone.
 */
export function shareUnchanged<T>(oldObject: T, newObject: T): T {
  return share(oldObject, newObject, 0) as T;
}
