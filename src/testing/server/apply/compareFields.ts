import { isJsonObject, jsonEqual, type Json } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import { FieldSet } from './fieldSet.js';
import { isMergedList, isMergedObject, itemsOf } from './fieldWalk.js';
import { fieldElement, type PathElement } from './pathElement.js';

/** How one object differs from another. */
export interface Comparison {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet;
  /** Fields that are gone. */
  readonly removed: FieldSet;
}

const same: Comparison = { changed: FieldSet.empty, removed: FieldSet.empty };
const added: Comparison = { changed: FieldSet.leaf, removed: FieldSet.empty };
const gone: Comparison = { changed: FieldSet.empty, removed: FieldSet.leaf };

function gather(member: Comparison, parts: readonly (readonly [PathElement, Comparison])[]): Comparison {
  return {
    changed: FieldSet.of(
      member.changed.member,
      parts.map(([element, { changed }]) => [element, changed]),
    ),
    removed: FieldSet.of(
      member.removed.member,
      parts.map(([element, { removed }]) => [element, removed]),
    ),
  };
}

function together(a: Comparison, b: Comparison): Comparison {
  return { changed: a.changed.union(b.changed), removed: a.removed.union(b.removed) };
}

/** What the place itself says, apart from what lies below it. */
function ownOf(before: Json | undefined, after: Json | undefined): Comparison {
  if (before === undefined) return added;
  return after === undefined ? gone : same;
}

function compareLeaves(before: Json | undefined, after: Json | undefined): Comparison {
  if (before === undefined) return added;
  if (after === undefined) return gone;
  return jsonEqual(before, after) ? same : added;
}

function compareItems(before: readonly Json[], after: readonly Json[], shape: FieldShape): Comparison {
  const old = itemsOf(before, shape);
  const now = itemsOf(after, shape);
  const parts = [...new Set([...old.keys(), ...now.keys()])].map((element): [PathElement, Comparison] => {
    const [a, ...moreA] = old.get(element) ?? [];
    const [b, ...moreB] = now.get(element) ?? [];
    // Items that cannot be told apart count as one value.
    if (moreA.length > 0 && moreB.length > 0) return [element, compareLeaves(old.get(element), now.get(element))];
    if (moreA.length > 0) return [element, b === undefined ? gone : together(gone, compareFields(undefined, b, shape.items ?? {}))];
    if (moreB.length > 0) return [element, a === undefined ? added : together(compareFields(a, undefined, shape.items ?? {}), added)];
    return [element, compareFields(a, b, shape.items ?? {})];
  });
  return gather(same, parts);
}

function isObjectOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || isJsonObject(value);
}

function isListOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || Array.isArray(value);
}

function below({ changed, removed }: Comparison): Comparison {
  return { changed: FieldSet.of(false, changed.children), removed: FieldSet.of(false, removed.children) };
}

/** Compares two versions of a value, either of which may be missing. */
export function compareFields(before: Json | undefined, after: Json | undefined, shape: FieldShape): Comparison {
  const [old, now] = [isMergedObject(before, shape) ? before : {}, isMergedObject(after, shape) ? after : {}];
  const names = new Set([...Object.keys(old), ...Object.keys(now)]);
  if (isObjectOrNothing(before) && isObjectOrNothing(after) && names.size > 0) {
    const parts = [...names].map((name): [PathElement, Comparison] => [
      fieldElement(name),
      old[name] === undefined && now[name] === undefined ? same : compareFields(old[name], now[name], fieldOf(shape, name)),
    ]);
    return together(gather(same, parts), ownOf(before, after));
  }
  const [oldItems, nowItems] = [isMergedList(before, shape) ? before : [], isMergedList(after, shape) ? after : []];
  if (isListOrNothing(before) && isListOrNothing(after) && oldItems.length + nowItems.length > 0) {
    return together(compareItems(oldItems, nowItems, shape), ownOf(before, after));
  }
  const differ = names.size + oldItems.length + nowItems.length > 0 && before !== undefined && after !== undefined;
  if (!differ) return compareLeaves(before, after);
  const lost = below(compareFields(before, undefined, shape));
  return together(together(lost, below(compareFields(undefined, after, shape))), compareLeaves(before, after));
}
