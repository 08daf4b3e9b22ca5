import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { FieldShape } from '../kinds/fieldShape.js';

/**
 * One step of a path as FieldsV1 writes it: `f:name` for a field, `k:{"name":"c"}` for an item by its keys, `v:"x"` for an item of a set.
 */
export type PathElement = string;

/** The step to a field. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

/** An item of a list that has no path element of its own. */
export class UnaddressableItemError extends Error {}

function keysOf(item: JsonObject, keys: readonly string[], defaults: Readonly<Record<string, Json>>): JsonObject {
  const present = keys.filter((key) => item[key] !== undefined || defaults[key] !== undefined);
  if (present.length === 0) {
    const names = keys.map((key) => JSON.stringify(key)).join(' ');
    throw new UnaddressableItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return Object.fromEntries([...present].sort().map((key) => [key, item[key] ?? defaults[key]]));
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
    return `k:${JSON.stringify(keysOf(item, keys, keyDefaults))}`;
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

const kinds = 'fkvi';

/** The order of steps in FieldsV1: fields, keys, values, indexes, each by its text. */
export function compareElements(a: PathElement, b: PathElement): number {
  const kind = kinds.indexOf(a.charAt(0)) - kinds.indexOf(b.charAt(0));
  return kind !== 0 ? kind : a < b ? -1 : a > b ? 1 : 0;
}
