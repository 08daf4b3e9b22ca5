import { type Draft, Immer } from 'immer';
import { noteCopy } from '../api/transformed.js';
import { deepFreeze } from '../api/deepFreeze.js';
import { isEqualJson } from '../api/isEqualJson.js';
import { isPlainObject, type Json } from '../api/json.js';
import { resourceVersionOf } from '../api/kubernetesObject.js';
import { describeObject } from './keyFunc.js';

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

type JsonObject = Record<string, unknown>;

function pointer(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Inherited properties are not part of the JSON. */
function read(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
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

/** Keeps the common start and end of both arrays; between them, elements are replaced in place, then added or removed. */
function compareArrays(path: string, before: readonly Json[], after: readonly Json[], operations: JsonPatchOperation[]): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqualJson(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isEqualJson(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  const replaced = shorter - end;
  for (let at = start; at < replaced; at += 1) compare(pointer(path, at), before[at], after[at], operations);
  for (let at = before.length - end - 1; at >= replaced; at -= 1) operations.push({ op: 'remove', path: pointer(path, at) });
  for (let at = replaced; at < after.length - end; at += 1) operations.push({ op: 'add', path: pointer(path, at), value: after[at] });
}

function compare(path: string, before: unknown, after: unknown, operations: JsonPatchOperation[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) compareArrays(path, before as readonly Json[], after as readonly Json[], operations);
  else if (isPlainObject(before) && isPlainObject(after)) compareObjects(path, before, after, operations);
  else operations.push({ op: 'replace', path, value: after });
}

/** The JSON patch from `before` to `after`. Subtrees shared by both are skipped. */
export function jsonPatchBetween(before: unknown, after: unknown): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [];
  compare('', before, after, operations);
  return operations;
}

/** What `edit` returns. */
export interface Edited<T> {
  /** The edited object, frozen. It shares unchanged parts with the original; it is the original when nothing has changed. */
  readonly object: T;
  /** What has changed, as a JSON patch (RFC 6902); empty when nothing has. */
  readonly patch: readonly JsonPatchOperation[];
}

/** Does not freeze: the result is frozen after undefined values have been removed. */
const immer = new Immer({ autoFreeze: false });

/** The value as in JSON: without undefined properties, and null for undefined elements. Unchanged subtrees are skipped. */
function withoutUndefined(value: unknown, original: unknown): unknown {
  if (value === original) return value;
  if (Array.isArray(value)) {
    const originals: readonly unknown[] = Array.isArray(original) ? original : [];
    const elements = value.map((element: unknown, at) => (element === undefined ? null : withoutUndefined(element, originals[at])));
    return elements.every((element, at) => element === value[at]) ? value : elements;
  }
  if (!isPlainObject(value)) return value;
  const originals = isPlainObject(original) ? original : {};
  const entries = Object.entries(value);
  const kept = entries
    .filter(([, property]) => property !== undefined)
    .map(([key, property]): [string, unknown] => [
      key,
      withoutUndefined(property, Object.hasOwn(originals, key) ? originals[key] : undefined),
    ]);
  const unchanged = kept.length === entries.length && kept.every(([, property], at) => property === entries[at]?.[1]);
  return unchanged ? value : Object.fromEntries(kept);
}

function expectObject(name: string, value: unknown): void {
  if (!isPlainObject(value)) {
    const got = value !== null && typeof value === 'object' ? 'an instance of a class or an array' : value === null ? 'null' : typeof value;
    throw new TypeError(`Expected ${name} to be a plain object, got ${got}`);
  }
}

/**
 * Edits a cached object without changing it: the recipe writes to a draft; `edit` returns a new object and the patch to send.
 *
 * Setting a property to `undefined` removes it. An object returned by the recipe replaces the draft; any other result is ignored.
 * When the original has a resourceVersion, the patch begins with a `test` of it, so that the server refuses the patch (422) if the object has
 * changed in the meantime.
 *
 * The paths of the patch refer to the given object: if a transform has shortened its arrays, the patch does not fit the server's object.
 * The client's `replace` refuses an edited object if it refuses the original, because a transform made that.
 *
 * @example
 * ```ts
 * import { edit } from 'rx-informer';
 *
 * const { object, patch } = edit({ metadata: { name: 'web', resourceVersion: '7' }, spec: { replicas: 1 } }, (draft) => {
 *   draft.spec.replicas = 3;
 * });
 * // object.spec.replicas is 3; patch is
 * // [{ op: 'test', path: '/metadata/resourceVersion', value: '7' }, { op: 'replace', path: '/spec/replicas', value: 3 }]
 * ```
 *
 * @throws TypeError when the object is not a plain object, or when the recipe is not a function, is asynchronous, or removes the object. Errors of the
 * recipe are passed on. RangeError, which names the object, when the changed parts are nested too deeply (at least 500 levels work).
 */
export function edit<T extends object>(object: T, recipe: (draft: Draft<T>) => unknown): Edited<T> {
  expectObject('`object`', object);
  if (typeof recipe !== 'function') throw new TypeError(`Expected \`recipe\` to be a function, got ${typeof recipe}`);
  try {
    return editedBy(object, recipe);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`Cannot edit ${describeObject(object)}: the changed parts are nested too deeply`, { cause: error });
  }
}

function editedBy<T extends object>(object: T, recipe: (draft: Draft<T>) => unknown): Edited<T> {
  const produced: unknown = immer.produce<object>(object, (draft) => {
    const result = recipe(draft as Draft<T>);
    if (typeof result !== 'object' || result === null) return undefined;
    if ('then' in result && typeof result.then === 'function') throw new TypeError('Expected `recipe` to be synchronous, got a promise');
    return result;
  });
  expectObject('the result of `recipe`', produced);
  const edited = withoutUndefined(produced, object) as T;
  const changes = jsonPatchBetween(object, edited);
  if (changes.length === 0) return { object, patch: [] };
  noteCopy(object, deepFreeze(edited));
  const resourceVersion = resourceVersionOf(object);
  if (resourceVersion === undefined) return { object: edited, patch: changes };
  return { object: edited, patch: [{ op: 'test', path: '/metadata/resourceVersion', value: resourceVersion }, ...changes] };
}
