import { asJsonObject, fieldAt, isJsonObject, setField, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import { bareError, badRequest } from '../status/statusErrors.js';
import { orderMerged } from './mergeOrder.js';
import { directedPatch, goText } from './patchDirectives.js';

type Item = Readonly<Record<string, Json | undefined>>;

function isItem(value: Json | undefined): value is Item {
  return isJsonObject(value);
}

/** A new value without directives and nulls: there is nothing that they could remove. */
function plain(value: Json): Json {
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    return items.filter((item) => !isItem(item) || item['$patch'] === undefined).map(plain);
  }
  if (!isJsonObject(value)) return value;
  // A new object with a `$patch` directive is dropped.
  if (value['$patch'] !== undefined) return null;
  const { fields } = directedPatch(value);
  const entries = Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined && entry[1] !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, plain(inner)] as const).filter(([, inner]) => inner !== null));
}

function keyOf(item: Json, key: string): string {
  const value = isItem(item) ? item[key] : undefined;
  if (value === undefined) throw bareError(`map: ${goText(item)} does not contain declared merge key: ${key}`);
  return JSON.stringify(value);
}

/** Scalars merge as a set: new ones of the patch come first. */
function mergeScalars(
  original: readonly Json[],
  added: readonly Json[],
  deleted: readonly Json[],
  order: readonly Json[] | undefined,
): readonly Json[] {
  const identify = (item: Json): string => JSON.stringify(item);
  const gone = new Set(deleted.map(identify));
  const merged = new Map([...original, ...added].map((item) => [identify(item), item]));
  const left = [...merged.values()].filter((item) => !gone.has(identify(item)));
  return orderMerged(left, (order ?? added).map(identify), original.map(identify), identify);
}

function checkOrder(patch: readonly Item[], order: readonly Json[], identify: (item: Json) => string): void {
  const known = new Map(order.map((item, at) => [identify(item), at]));
  const places = patch.map((item) => known.get(identify(item)) ?? -1);
  if (places.every((place, at) => place >= 0 && (at === 0 || place > (places[at - 1] ?? -1)))) return;
  throw bareError(`The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`);
}

function actionOf({ $patch: action = 'merge' }: Item): string {
  return typeof action === 'string' ? action : JSON.stringify(action);
}

function mergeObjects(
  original: readonly Json[],
  patch: readonly Item[],
  order: readonly Json[] | undefined,
  shape: FieldShape,
  key: string,
): readonly Json[] {
  const strange = patch.find((item) => !['merge', 'replace', 'delete'].includes(actionOf(item)));
  if (patch.some((item) => item['$patch'] === 'merge')) throw bareError('merging lists cannot yet be specified in the patch');
  if (strange !== undefined) throw bareError(`unknown patch type: ${actionOf(strange)} in map: ${goText(strange)}`);
  if (patch.some((item) => actionOf(item) === 'replace')) return patch.filter((item) => actionOf(item) === 'merge').map(plain);
  const identify = (item: Json): string => keyOf(item, key);
  const deleted = new Set(patch.filter((item) => actionOf(item) === 'delete').map(identify));
  const changes = new Map(patch.filter((item) => actionOf(item) === 'merge').map((item) => [identify(item), item]));
  if (order !== undefined) checkOrder([...changes.values()], order, identify);
  const kept = original.filter((item) => !deleted.has(identify(item)));
  const merged = kept.map((item) => {
    const id = identify(item);
    const change = changes.get(id);
    changes.delete(id);
    return change === undefined || !isItem(item) ? item : mergeObject(item, change, shape.items ?? {});
  });
  const named = order === undefined ? patch.map(identify) : order.map(identify);
  return orderMerged([...merged, ...[...changes.values()].map(plain)], named, original.map(identify), identify);
}

interface ListChange {
  readonly items: readonly Json[];
  readonly deleted: readonly Json[];
  readonly order: readonly Json[] | undefined;
}

function mergeList(original: readonly Json[], { items, deleted, order }: ListChange, shape: FieldShape): readonly Json[] {
  const { patchKey = '' } = shape;
  const all = [...original, ...items];
  if (all.some((item) => Array.isArray(item))) throw bareError('lists of lists are not supported');
  const objects = all.filter(isItem);
  if (objects.length === 0 && patchKey === '') return mergeScalars(original, items, deleted, order);
  if (objects.length < all.length) throw bareError(`list element types are not identical: ${goText([original, items])}`);
  if (patchKey === '') throw bareError('cannot merge lists without merge key');
  return mergeObjects(original, items.filter(isItem), order, shape, patchKey);
}

function mergeValue(original: Json | undefined, patch: Json, shape: FieldShape): Json {
  if (isJsonObject(original) && isJsonObject(patch) && shape.patchReplaces !== true) return mergeObject(original, patch, shape);
  return plain(patch);
}

function mergeObject(original: JsonObject, patch: JsonObject, shape: FieldShape): JsonObject {
  const { action, fields, retained, deletions, orders } = directedPatch(patch);
  if (action === 'delete') return {};
  if (action === 'replace') return asJsonObject(plain(fields));
  const result: Record<string, Json | undefined> = { ...original };
  const kept = new Set(retained);
  if (retained !== undefined) for (const name of Object.keys(result)) if (!kept.has(name)) Reflect.deleteProperty(result, name);
  for (const name of new Set([...Object.keys(fields), ...deletions.keys(), ...orders.keys()])) {
    const value = fieldAt(fields, name);
    const known = fieldAt(result, name);
    const inner = fieldOf(shape, name);
    const merges = inner.patchKey !== undefined && (value === undefined || Array.isArray(value)) && Array.isArray(known);
    if (value === null) Reflect.deleteProperty(result, name);
    else if (merges) {
      const change = { items: (value ?? []) as readonly Json[], deleted: deletions.get(name) ?? [], order: orders.get(name) };
      setField(result, name, mergeList(known as readonly Json[], change, inner));
    } else if (value !== undefined) {
      const changed = mergeValue(known, value, inner);
      if (changed === null) Reflect.deleteProperty(result, name);
      else setField(result, name, changed);
    }
  }
  return result;
}

/**
 * Applies a strategic merge patch: objects merge, lists merge if their shape has a merge key, `null` removes, and directives delete,
 * replace and order. The document is not modified.
 *
 * @throws StatusError when the patch does not apply to the document.
 */
export function applyStrategicMergePatch(document: JsonObject, patch: Json, shape: FieldShape): JsonObject {
  if (patch === null) return document;
  if (!isJsonObject(patch))
    throw badRequest(
      `json: cannot unmarshal ${Array.isArray(patch) ? 'array' : typeof patch} into Go value of type map[string]interface {}`,
    );
  return mergeObject(document, patch, shape);
}
