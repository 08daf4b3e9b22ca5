import { fieldAt, isJsonArray, isJsonObject, jsonType, setField, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import type { StatusError } from '../status/statusError.js';
import { badRequest, bareError, rejectedPatch } from '../status/statusErrors.js';
import { orderMerged } from './mergeOrder.js';

/** Directives: keys of a patch that are not fields. Two of them are followed by a slash and the name of a list. */
const marker = '$patch';
const retainKeys = '$retainKeys';
const [deleteFrom, setOrder] = ['$deleteFromPrimitiveList', '$setElementOrder'] as const;
const directiveProblems = {
  [deleteFrom]: 'invalid patch format of primitive list',
  [setOrder]: 'invalid patch format of setElementOrder list',
};

/** An object that is changed in place. */
type Draft = Record<string, Json | undefined>;

type List = readonly Json[];

function remove(object: Draft, name: string): void {
  Reflect.deleteProperty(object, name);
}

function unlike(wanted: Json, found: Json): StatusError {
  return bareError(`expected ${jsonType(wanted)}, but received ${jsonType(found)}`);
}

function listIn(value: Json): List {
  if (!isJsonArray(value)) throw unlike([], value);
  return value;
}

/** The type of the items of lists. */
function itemType(...lists: readonly List[]): string {
  const items = lists.flat();
  const [first] = items;
  if (first === undefined) throw bareError('no elements in any of the given slices');
  if (isJsonArray(first)) throw rejectedPatch();
  if (items.some((item) => jsonType(item) !== jsonType(first))) throw bareError('list element types are not identical');
  return jsonType(first);
}

function unknownAction(action: Json | undefined, patch: JsonObject): StatusError {
  return bareError(`unknown patch type: ${JSON.stringify(action)} in map: ${JSON.stringify(patch)}`);
}

/** Takes the nulls out of all objects in a value. */
function dropNulls(value: Json | undefined): void {
  if (isJsonArray(value)) value.forEach(dropNulls);
  else if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      if (value[name] === null) remove(value, name);
      else dropNulls(value[name]);
    }
  }
}

/** A new value without objects that have a `$patch`; undefined when it is one itself. */
function undirected(value: Json): Json | undefined {
  if (isJsonArray(value)) return value.map(undirected).filter((item) => item !== undefined);
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, marker)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const left = undirected(inner ?? null);
    if (left === undefined) remove(value, name);
    else setField<Json | undefined>(value, name, left);
  }
  return value;
}

/** What identifies an item of a list: its `key`, or without one the whole item. */
function identityOf(item: Json, key: string): string {
  if (key === '') return JSON.stringify(item);
  if (!isJsonObject(item)) throw unlike({}, item);
  const value = fieldAt(item, key);
  if (value === undefined) throw bareError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`);
  return JSON.stringify(value);
}

function checkOrder(patch: List, order: List, key: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const left = patch.filter((item) => !isJsonObject(item) || item[marker] !== 'delete');
  let next = 0;
  for (const item of order) {
    const expected = left[next];
    if (expected === undefined) return;
    if (identityOf(expected, key) === identityOf(item, key)) next += 1;
  }
  if (next < left.length)
    throw bareError(`The order in patch list ${JSON.stringify(patch)} doesn't match ${setOrder} list ${JSON.stringify(order)}`);
}

function inOrder(merged: List, order: List, before: List, key: string): List {
  const identify = (item: Json): string => identityOf(item, key);
  return orderMerged(merged, order.map(identify), before.map(identify), identify);
}

/** Merges lists of objects by their `key`. */
function mergeItems(before: List, patch: readonly JsonObject[], shape: FieldShape, key: string): List {
  let left = before;
  for (const item of patch.filter((one) => Object.hasOwn(one, marker))) {
    const action = item[marker];
    if (action === 'merge') throw bareError('merging lists cannot yet be specified in the patch');
    if (action !== 'delete' && action !== 'replace') throw unknownAction(action, item);
    const gone = action === 'delete' ? identityOf(item, key) : undefined;
    left = left.filter((one) => identityOf(one, key) !== gone);
  }
  const changes = patch.filter((item) => !Object.hasOwn(item, marker));
  if (patch.some((item) => item[marker] === 'replace')) return inOrder(changes, [], changes, key);
  const merged = [...left];
  for (const change of changes) {
    const id = identityOf(change, key);
    const at = merged.findIndex((item) => identityOf(item, key) === id);
    if (at < 0) merged.push(change);
    else merged[at] = mergeObject(merged[at] as JsonObject, change, shape);
  }
  return inOrder(merged, changes, left, key);
}

function mergeList(before: List, patch: List, { items = {}, patchKey: key = '' }: FieldShape, isDeletion = false): List {
  if (before.length === 0 && patch.length === 0) return before;
  if (itemType(before, patch) === 'object') {
    if (key === '') throw bareError('cannot merge lists without merge key for struct');
    return mergeItems(before, patch as readonly JsonObject[], items, key);
  }
  if (isDeletion) return before.filter((item) => !patch.includes(item));
  return inOrder([...new Set([...before, ...patch])], patch, before, key);
}

/** The list that a directive is about. */
function subjectOf(directive: string, prefix: keyof typeof directiveProblems): string {
  if (!directive.startsWith(`${prefix}/`)) throw badRequest(directiveProblems[prefix]);
  return directive.slice(prefix.length + 1);
}

function shapeOfList(shape: FieldShape, name: string): FieldShape {
  const { fields, struct = '' } = shape;
  if (fields === undefined) throw bareError('merging an object in json but data type is not struct, instead is: map');
  if (!Object.hasOwn(fields, name))
    throw bareError(`unable to find api field in struct ${struct} for the json field ${JSON.stringify(name)}`);
  const inner = fieldOf(shape, name);
  if (!('items' in inner)) throw bareError('expected slice or array type, but got: struct');
  return inner;
}

/** Merges the list of a `$setElementOrder`, and takes both out of the patch. */
function mergeOrdered(result: Draft, patch: Draft, directive: string, shape: FieldShape): void {
  const order = listIn(patch[directive] ?? null);
  remove(patch, directive);
  const name = subjectOf(directive, setOrder);
  const [known, sent] = [fieldAt(result, name), fieldAt(patch, name)];
  const before = known === undefined ? [] : listIn(known);
  const changes = sent === undefined ? [] : listIn(sent);
  const inner = shapeOfList(shape, name);
  const { patchKey: key = '' } = inner;
  checkOrder(changes, order, key);
  if (known === undefined && sent === undefined) return;
  const replaced = known === undefined ? (undirected(changes) as List) : changes;
  const merged =
    sent === undefined ? before : known === undefined || inner.patchKey === undefined ? replaced : mergeList(before, changes, inner);
  itemType(before, changes);
  setField<Json | undefined>(result, name, inOrder(merged, order, before, key));
  remove(patch, name);
}

/** Removes all fields that a `$retainKeys` does not name, which it takes out of the patch. */
function retain(result: Draft, patch: Draft): void {
  const retained = fieldAt(patch, retainKeys);
  if (retained === undefined) return;
  remove(patch, retainKeys);
  const names = new Set(isJsonArray(retained) ? retained : []);
  const isField = (name: string): boolean => patch[name] !== null && !name.startsWith(deleteFrom) && !name.startsWith(setOrder);
  if (!isJsonArray(retained) || Object.keys(patch).some((name) => isField(name) && !names.has(name)))
    throw badRequest('invalid patch format of retainKeys');
  for (const name of Object.keys(result)) if (!names.has(name)) remove(result, name);
}

function mergeValue(known: Json, patch: Json, shape: FieldShape, isDeletion: boolean): Json {
  if (isJsonObject(known)) return shape.patchReplaces === true ? patch : mergeObject(known, patch as JsonObject, shape);
  if (isJsonArray(known)) return shape.patchKey === undefined && !isDeletion ? patch : mergeList(known, patch as List, shape, isDeletion);
  return patch;
}

function mergeField(result: Draft, directive: string, value: Json, shape: FieldShape): void {
  const isDeletion = directive.startsWith(deleteFrom);
  const name = isDeletion ? subjectOf(directive, deleteFrom) : directive;
  if (value === null) {
    remove(result, name);
    return;
  }
  const known = fieldAt(result, name);
  const merges = known !== undefined && jsonType(known) === jsonType(value);
  if (!merges && isDeletion) return;
  if (!merges) dropNulls(value);
  const changed = merges ? mergeValue(known, value, fieldOf(shape, name), isDeletion) : undirected(value);
  if (changed === undefined) remove(result, name);
  else setField<Json | undefined>(result, name, changed);
}

function mergeObject(original: JsonObject, patch: JsonObject, shape: FieldShape): JsonObject {
  if (Object.hasOwn(patch, marker)) {
    const action = patch[marker];
    if (action !== 'replace' && action !== 'delete') throw unknownAction(action, patch);
    if (action === 'delete') return {};
    remove(patch, marker);
    return patch;
  }
  const result = { ...original };
  retain(result, patch);
  for (const name of Object.keys(patch)) if (name.startsWith(setOrder)) mergeOrdered(result, patch, name, shape);
  for (const [name, value] of Object.entries(patch)) mergeField(result, name, value ?? null, shape);
  return result;
}

/**
 * Applies a strategic merge patch: objects merge, lists merge if their shape has a merge key, `null` removes, and directives delete,
 * replace and order. The document is not modified. The patch is consumed: error messages show the part that is left.
 *
 * @throws StatusError when the patch does not apply to the document.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: Json, shape: FieldShape): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch)) throw badRequest(`expected an object, got ${jsonType(patch)}`);
  return mergeObject(document, patch, shape);
}
