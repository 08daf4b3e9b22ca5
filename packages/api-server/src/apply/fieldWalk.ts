import { isJsonObject, type Json, type JsonObject } from '../json.js';
import type { FieldShape } from '../kinds/fieldShape.js';
import { itemElement, UnaddressableItemError, type PathElement } from './pathElement.js';

/** Whether a list is merged item by item. */
export function isMergedList(value: Json | undefined, { keys }: FieldShape): value is readonly Json[] {
  return Array.isArray(value) && keys !== undefined;
}

/** Whether an object is merged name by name. */
export function isMergedObject(value: Json | undefined, { atomic }: FieldShape): value is JsonObject {
  return isJsonObject(value) && atomic !== true;
}

/** The path element of an item; undefined when it has no key. */
export function elementOf(item: Json, shape: FieldShape): PathElement | undefined {
  try {
    return itemElement(item, shape);
  } catch (error) {
    if (error instanceof UnaddressableItemError) return undefined;
    throw error;
  }
}

/** The items of a merged list by their path elements; duplicates share one path element. */
export function itemsOf(list: readonly Json[], shape: FieldShape): ReadonlyMap<PathElement, readonly Json[]> {
  const items = new Map<PathElement, Json[]>();
  for (const item of list) {
    const element = elementOf(item, shape);
    if (element === undefined) continue;
    const known = items.get(element);
    if (known === undefined) items.set(element, [item]);
    else known.push(item);
  }
  return items;
}

/** The fields of an object that are not undefined. */
export function entriesOf(object: JsonObject): readonly (readonly [string, Json])[] {
  return Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined);
}

/** Whether a field is declared by the schema of its object; names in a map that clients fill are entries instead. */
export function isDeclared({ fields, values }: FieldShape, name: string): boolean {
  return values === undefined || (fields !== undefined && Object.hasOwn(fields, name));
}
