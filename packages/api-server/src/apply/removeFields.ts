import type { Json, JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import type { FieldSet } from './fieldSet.js';
import { elementOf, entriesOf, isDeclared, isMergedList, isMergedObject } from './fieldWalk.js';
import { fieldElement } from './pathElement.js';

/** The ownership facts for one path. */
interface Place {
  /** The fields that the applier owned before. */
  readonly last: FieldSet;
  /** The fields with any manager, including the applier. */
  readonly managed: FieldSet;
  /** The applier owned this path, or one above it. */
  readonly withinLast: boolean;
  /** Whether the applier abandoned this path, or one above it, and no manager is left. */
  readonly abandoned: boolean;
}

/** Whether a set contains a path; a declared field also counts when only fields below it are members. */
function owns(set: FieldSet, declared: boolean): boolean {
  return set.member || (declared && !set.isEmpty);
}

/** The state for a child; undefined when it is removed. */
function step(place: Place, element: string, declared: boolean): Place | undefined {
  const last = place.last.child(element);
  const managed = place.managed.child(element);
  const owned = owns(last, declared);
  const withinLast = place.withinLast || owned;
  const abandoned = place.abandoned || (withinLast && !owns(managed, declared));
  return owned && abandoned ? undefined : { last, managed, withinLast, abandoned };
}

/** The value without removed fields. When no field is left: null if the value itself has an owner, otherwise undefined. */
function remains(value: Json, place: Place, shape: FieldShape): Json | undefined {
  const result = remove(value, place, shape);
  const emptied = typeof result === 'object' && result !== null && Object.keys(result).length === 0 && result !== value;
  if (!emptied) return result;
  return place.managed.member ? null : undefined;
}

function remove(value: Json, place: Place, shape: FieldShape): Json {
  if (isMergedObject(value, shape)) {
    const entries = entriesOf(value);
    const kept = entries.flatMap(([name, inner]): [string, Json][] => {
      const below = step(place, fieldElement(name), isDeclared(shape, name));
      const left = below === undefined ? undefined : remains(inner, below, fieldOf(shape, name));
      return left === undefined ? [] : [[name, left]];
    });
    const unchanged = kept.length === entries.length && kept.every(([, inner], at) => inner === entries[at]?.[1]);
    return unchanged ? value : Object.fromEntries(kept);
  }
  if (!isMergedList(value, shape)) return value;
  const kept = value.flatMap((item) => {
    const element = elementOf(item, shape);
    if (element === undefined) return [item];
    const below = step(place, element, false);
    return below === undefined ? [] : [remove(item, below, shape.items ?? {})];
  });
  return kept.length === value.length && kept.every((item, at) => item === value[at]) ? value : kept;
}

/**
 * Removes the fields that an applier owned before and no longer applies, unless others own them.
 */
export function removeAbandoned(merged: JsonObject, last: FieldSet, managed: FieldSet, shape: FieldShape): JsonObject {
  return remove(merged, { last, managed, withinLast: false, abandoned: false }, shape) as JsonObject;
}
