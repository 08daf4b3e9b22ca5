import { fieldAt, isJsonObject, isEqualJson, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import { FieldSet } from './fieldSet.js';
import { elementOf, isMergedList, isMergedObject, itemsOf } from './fieldWalk.js';
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

function compareLeaves(before: Json | undefined, after: Json | undefined): Comparison {
  return isEqualJson(before, after) ? same : added;
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

function isObjectOrNothing(value: Json): boolean {
  return value === null || isJsonObject(value);
}

function isListOrNothing(value: Json): boolean {
  return value === null || Array.isArray(value);
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

const anyShape: FieldShape = {};

/** All fields of a value. */
function wholeOf(value: Json, shape: FieldShape): FieldSet {
  if (typeof value !== 'object' || value === null) return FieldSet.leaf;
  const children = new Map<PathElement, FieldSet>();
  if (isMergedList(value, shape)) {
    for (const item of value) {
      const element = elementOf(item, shape);
      // Items with equal keys are one value.
      if (element !== undefined) children.set(element, children.has(element) ? FieldSet.leaf : wholeOf(item, shape.items ?? anyShape));
    }
  } else if (isMergedObject(value, shape)) {
    for (const name in value) {
      const inner = value[name];
      if (inner !== undefined) children.set(fieldElement(name), wholeOf(inner, fieldOf(shape, name)));
    }
  }
  return FieldSet.whole(children);
}

/** Compares two versions of a value, either of which may be missing. */
export function compareFields(before: Json | undefined, after: Json | undefined, shape: FieldShape): Comparison {
  if (before === after) return same;
  if (after === undefined) return { changed: FieldSet.empty, removed: before === undefined ? FieldSet.empty : wholeOf(before, shape) };
  if (before === undefined) return { changed: wholeOf(after, shape), removed: FieldSet.empty };
  if (typeof before !== 'object' && typeof after !== 'object') return added;
  if (before === null) {
    const { children } = wholeOf(after, shape);
    return children.size === 0 ? added : { changed: FieldSet.of(false, children), removed: FieldSet.empty };
  }
  const [old, now] = [isMergedObject(before, shape) ? before : nothing, isMergedObject(after, shape) ? after : nothing];
  const names = Object.keys(old).length + Object.keys(now).length;
  if (isObjectOrNothing(before) && isObjectOrNothing(after) && names > 0) return compareNames(old, now, shape);
  const [oldItems, nowItems] = [isMergedList(before, shape) ? before : [], isMergedList(after, shape) ? after : []];
  const items = oldItems.length + nowItems.length;
  if (isListOrNothing(before) && isListOrNothing(after) && items > 0) return compareItems(oldItems, nowItems, shape);
  if (names + items === 0) return compareLeaves(before, after);
  const lost = below(compareFields(before, undefined, shape));
  return together(together(lost, below(compareFields(undefined, after, shape))), compareLeaves(before, after));
}
