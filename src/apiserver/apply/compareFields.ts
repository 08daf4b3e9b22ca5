import { fieldAt, isJsonObject, jsonEqual, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import { FieldSet } from './fieldSet.js';
import { isMergedList, isMergedObject, itemsOf } from './fieldWalk.js';
import { fieldElement, type PathElement } from './pathElement.js';

/** The difference between two objects. */
export interface Comparison {
  /** Fields that are new or have another value. */
  readonly changed: FieldSet;
  /** Fields that are missing in the second object. */
  readonly removed: FieldSet;
}

const same: Comparison = { changed: FieldSet.empty, removed: FieldSet.empty };
const added: Comparison = { changed: FieldSet.leaf, removed: FieldSet.empty };
const gone: Comparison = { changed: FieldSet.empty, removed: FieldSet.leaf };

function gather(member: Comparison, parts: readonly (readonly [PathElement, Comparison])[]): Comparison {
  if (parts.length === 0) return member;
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
  if (a === same) return b;
  if (b === same) return a;
  return { changed: a.changed.union(b.changed), removed: a.removed.union(b.removed) };
}

/** The difference of the field itself, without its children. */
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
  const compared = [...new Set([...old.keys(), ...now.keys()])].map((element): [PathElement, Comparison] => {
    const [a, ...moreA] = old.get(element) ?? [];
    const [b, ...moreB] = now.get(element) ?? [];
    // Items with equal keys are compared as one value.
    if (moreA.length > 0 && moreB.length > 0) return [element, compareLeaves(old.get(element), now.get(element))];
    if (moreA.length > 0) return [element, b === undefined ? gone : together(gone, compareFields(undefined, b, shape.items ?? {}))];
    if (moreB.length > 0) return [element, a === undefined ? added : together(compareFields(a, undefined, shape.items ?? {}), added)];
    return [element, compareFields(a, b, shape.items ?? {})];
  });
  return gather(
    same,
    compared.filter(([, comparison]) => comparison !== same),
  );
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

/** The differences below two objects. */
function compareNames(old: JsonObject, now: JsonObject, shape: FieldShape): Comparison {
  const parts: (readonly [PathElement, Comparison])[] = [];
  const compare = (name: string): void => {
    const [was, is] = [fieldAt(old, name), fieldAt(now, name)];
    if (was === is) return;
    const comparison = compareFields(was, is, fieldOf(shape, name));
    if (comparison !== same) parts.push([fieldElement(name), comparison]);
  };
  for (const name of Object.keys(now)) compare(name);
  for (const name of Object.keys(old)) if (!Object.hasOwn(now, name)) compare(name);
  return gather(same, parts);
}

const nothing: JsonObject = {};

/** Compares two versions of a value, either of which may be missing. */
export function compareFields(before: Json | undefined, after: Json | undefined, shape: FieldShape): Comparison {
  if (before === after) return same;
  if (typeof before !== 'object' && typeof after !== 'object') return compareLeaves(before, after);
  const [old, now] = [isMergedObject(before, shape) ? before : nothing, isMergedObject(after, shape) ? after : nothing];
  const names = Object.keys(old).length + Object.keys(now).length;
  if (isObjectOrNothing(before) && isObjectOrNothing(after) && names > 0)
    return together(compareNames(old, now, shape), ownOf(before, after));
  const [oldItems, nowItems] = [isMergedList(before, shape) ? before : [], isMergedList(after, shape) ? after : []];
  if (isListOrNothing(before) && isListOrNothing(after) && oldItems.length + nowItems.length > 0) {
    return together(compareItems(oldItems, nowItems, shape), ownOf(before, after));
  }
  const differ = names + oldItems.length + nowItems.length > 0 && before !== undefined && after !== undefined;
  if (!differ) return compareLeaves(before, after);
  const lost = below(compareFields(before, undefined, shape));
  return together(together(lost, below(compareFields(undefined, after, shape))), compareLeaves(before, after));
}
