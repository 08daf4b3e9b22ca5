import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { FieldShape } from '../kinds/fieldShape.js';

/**
 * One step of a path as FieldsV1 writes it: `f:name` for a field, `k:{"name":"c"}` for an item by its keys, `v:"x"` for an item of a set.
 */
export type PathElement = string;

const fieldElements = new Map<string, PathElement>();
const maxKept = 10_000;

/** The step to a field. Cached, so that sets of fields share their steps. */
export function fieldElement(name: string): PathElement {
  let element = fieldElements.get(name);
  if (element === undefined) {
    element = `f:${name}`;
    if (fieldElements.size < maxKept) fieldElements.set(name, element);
  }
  return element;
}

/** An item of a list that has no path element of its own. */
export class UnaddressableItemError extends Error {}

/** The JSON of an item's keys, sorted by their names. */
function keysOf(item: JsonObject, keys: readonly string[], defaults: Readonly<Record<string, Json>>): string {
  let text = '';
  let isPresent = false;
  for (const key of keys.length < 2 ? keys : keys.toSorted()) {
    if (item[key] === undefined && defaults[key] === undefined) continue;
    isPresent = true;
    const value = item[key] === undefined ? defaults[key] : item[key];
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(value)}`;
  }
  if (isPresent) return `{${text}}`;
  const names = keys.map((key) => JSON.stringify(key)).join(' ');
  throw new UnaddressableItemError(
    `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
  );
}

/**
 * The path element of an item in a merged list.
 *
 * @throws UnaddressableItemError when the item has no key.
 */
export function itemElement(item: Json, { keys = [], keyDefaults = {} }: FieldShape): PathElement {
  if (keys.length > 0) {
    if (item === null) throw new UnaddressableItemError('associative list with keys may not have a null element');
    if (!isJsonObject(item)) throw new UnaddressableItemError('associative list with keys may not have non-map elements');
    return `k:${keysOf(item, keys, keyDefaults)}`;
  }
  if (item === null) throw new UnaddressableItemError("associative list without keys has an element that's an explicit null");
  if (Array.isArray(item)) throw new UnaddressableItemError('not supported: associative list with lists as elements');
  if (isJsonObject(item)) throw new UnaddressableItemError("associative list without keys has an element that's a map type");
  return `v:${JSON.stringify(item)}`;
}

/** The step as messages show it: `.name`, `[name="c"]` or `[="x"]`. */
export function showElement(element: PathElement): string {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return `.${rest}`;
  if (element.startsWith('v:')) return `[=${rest}]`;
  if (!element.startsWith('k:')) return `[${rest}]`;
  const keys = JSON.parse(rest) as JsonObject;
  const pairs = Object.entries(keys).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `[${pairs.join(',')}]`;
}

/** Sorts steps as FieldsV1 does: fields, keys, values, indexes, each by its text. */
export function sortElements(elements: PathElement[]): PathElement[] {
  elements.sort();
  const isIndex = (element: PathElement): boolean => element.startsWith('i');
  return elements.some(isIndex) ? [...elements.filter((element) => !isIndex(element)), ...elements.filter(isIndex)] : elements;
}
