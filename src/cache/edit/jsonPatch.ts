import { isPlainObject } from '../keys/isPlainObject.js';

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

type JsonObject = Record<string, unknown>;

function pointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A property that is undefined does not exist in JSON. */
function read(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function areEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((element, at) => areEqual(element, b[at]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  return (
    Object.keys(a).every((key) => areEqual(a[key], read(b, key))) &&
    Object.keys(b).every((key) => b[key] === undefined || Object.hasOwn(a, key))
  );
}

function compareObjects(path: string, before: JsonObject, after: JsonObject, operations: JsonPatchOperation[]): void {
  for (const key of Object.keys(before)) {
    if (read(before, key) !== undefined && read(after, key) === undefined) operations.push({ op: 'remove', path: pointer(path, key) });
  }
  for (const key of Object.keys(after)) {
    const was = read(before, key);
    const is = read(after, key);
    if (is === undefined) continue;
    if (was === undefined) operations.push({ op: 'add', path: pointer(path, key), value: is });
    else compare(pointer(path, key), was, is, operations);
  }
}

/** What both arrays begin and end with stays; between, elements are changed in place, then added or removed. */
function compareArrays(path: string, before: readonly unknown[], after: readonly unknown[], operations: JsonPatchOperation[]): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && areEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && areEqual(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const replaced = shorter - end;
  for (let at = start; at < replaced; at += 1) compare(pointer(path, at), before[at], after[at], operations);
  for (let at = before.length - end - 1; at >= replaced; at -= 1) operations.push({ op: 'remove', path: pointer(path, at) });
  for (let at = replaced; at < after.length - end; at += 1) operations.push({ op: 'add', path: pointer(path, at), value: after[at] });
}

function compare(path: string, before: unknown, after: unknown, operations: JsonPatchOperation[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) compareArrays(path, before, after, operations);
  else if (isPlainObject(before) && isPlainObject(after)) compareObjects(path, before, after, operations);
  else operations.push({ op: 'replace', path, value: after });
}

/** The JSON patch that makes `after` of `before`. Subtrees that both share are not looked into. */
export function jsonPatchBetween(before: unknown, after: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare('', before, after, operations);
  return operations;
}
