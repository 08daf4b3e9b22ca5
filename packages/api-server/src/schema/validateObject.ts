import { isJsonArray, isJsonObject, isEqualJson, type Json, type JsonObject } from '../json.js';
import { broken, duplicate, missingField, tooMany, unmatched, type Finding } from './schemaErrors.js';
import { enumFindings, limitFindings, numberAt, typeFindings } from './scalarRules.js';
import {
  additionalOf,
  fieldSchemaOf,
  itemsOf,
  propertyOf,
  schemasAt,
  textsAt,
  typeFields,
  type StructuralSchema,
} from 'rx-informer/internal';

/** The identity of an item in a list of the type set or map; undefined when duplicates are allowed. */
function listItemKey(item: Json, schema: StructuralSchema): Json | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return item;
  if (type !== 'map') return undefined;
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  return Object.fromEntries(
    keys.flatMap((key): [string, Json][] => (isJsonObject(item) && item[key] !== undefined ? [[key, item[key]]] : [])),
  );
}

function* duplicateFindings(list: readonly Json[], schema: StructuralSchema, path: string): Generator<Finding> {
  const times = new Map<string, number>();
  for (const [at, item] of list.entries()) {
    const identity = listItemKey(item, schema);
    if (identity === undefined) return;
    const id = JSON.stringify(identity);
    const seen = times.get(id) ?? 0;
    times.set(id, seen + 1);
    if (seen === 1) yield duplicate(`${path}[${String(at)}]`, identity);
  }
}

/** The item with the same identity in the old list; undefined when there is none. */
export function oldItem(before: Json | undefined, item: Json, schema: StructuralSchema): Json | undefined {
  if (!isJsonArray(before) || schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const identity = listItemKey(item, schema);
  return before.find((old) => isEqualJson(listItemKey(old, schema), identity));
}

function* listFindings(list: readonly Json[], schema: StructuralSchema, path: string, before: Json | undefined): Generator<Finding> {
  const items = itemsOf(schema);
  if (items !== undefined) {
    for (const [at, item] of list.entries()) yield* findings(item, items, `${path}[${String(at)}]`, oldItem(before, item, schema));
  }
  const [fewest, most] = [numberAt(schema, 'minItems'), numberAt(schema, 'maxItems')];
  if (fewest !== undefined && list.length < fewest) yield broken(path, list.length, `have at least ${String(fewest)} items`);
  if (most !== undefined && list.length > most) yield tooMany(path, list.length, most);
  yield* duplicateFindings(list, schema, path);
}

function* objectFindings(object: JsonObject, schema: StructuralSchema, path: string, before: Json | undefined): Generator<Finding> {
  const [fewest, most] = [numberAt(schema, 'minProperties'), numberAt(schema, 'maxProperties')];
  const count = Object.keys(object).length;
  if (fewest !== undefined && count < fewest) yield broken(path, count, `have at least ${String(fewest)} properties`);
  if (most !== undefined && count > most) yield tooMany(path, count, most);
  const additional = additionalOf(schema);
  const known = isJsonObject(before) ? before : {};
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined || (path === '' && typeFields.has(name))) continue;
    const property = propertyOf(schema, name) ?? additional;
    if (property !== undefined) yield* findings(value, property, path === '' ? name : `${path}.${name}`, known[name]);
  }
  const embedded = schema['x-kubernetes-embedded-resource'] === true ? ['apiVersion', 'kind'] : [];
  for (const name of new Set([...embedded, ...textsAt(schema, 'required')])) {
    if (!Object.hasOwn(object, name) && !(path === '' && typeFields.has(name))) yield missingField(`${path}.${name}`);
  }
}

/** How much of a value a schema covers: the number of its validators that apply, weighted. */
function reachOf(value: Json, schema: StructuralSchema): number {
  const typed = schema['type'] !== undefined || schema['format'] !== undefined ? 2 : 0;
  if (value === null) return typed;
  const reachOfAll = (schemas: readonly StructuralSchema[]): readonly number[] => schemas.map((inner) => reachOf(value, inner));
  const own = 5 + typed + Math.max(0, ...reachOfAll(schemasAt(schema, 'anyOf'))) + Math.max(0, ...reachOfAll(schemasAt(schema, 'oneOf')));
  const inAll = reachOfAll(schemasAt(schema, 'allOf')).reduce((sum, reach) => sum + reach, own);
  const inner: readonly [Json | undefined, StructuralSchema | undefined][] = isJsonArray(value)
    ? value.map((item) => [item, itemsOf(schema)])
    : isJsonObject(value)
      ? Object.entries(value).map(([name, field]) => [field, fieldSchemaOf(schema, name)])
      : [];
  return inner.reduce((sum, [part, of]) => (part === undefined || of === undefined ? sum : sum + reachOf(part, of)), inAll);
}

/** The errors of the schema that covers most of the value: Kubernetes reports those. */
function closest(value: Json, schemas: readonly StructuralSchema[], path: string): Generator<Finding> {
  const [first = {}, ...others] = schemas;
  const best = others.reduce((most, schema) => (reachOf(value, schema) > reachOf(value, most) ? schema : most), first);
  return findings(value, best, path, undefined);
}

function* combinationFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  const matches = (inner: StructuralSchema): boolean => findings(value, inner, path, undefined).next().done === true;
  const [allOf, anyOf, oneOf] = [schemasAt(schema, 'allOf'), schemasAt(schema, 'anyOf'), schemasAt(schema, 'oneOf')];
  if (anyOf.length > 0 && !anyOf.some(matches)) {
    yield unmatched(path, 'must validate at least one schema (anyOf)');
    yield* closest(value, anyOf, path);
  }
  const matching = oneOf.filter(matches).length;
  if (oneOf.length > 0 && matching !== 1) {
    const detail = matching === 0 ? 'Found none valid' : `Found ${String(matching)} valid alternatives`;
    yield unmatched(path, `must validate one and only one schema (oneOf). ${detail}`);
    if (matching === 0) yield* closest(value, oneOf, path);
  }
  const failing = allOf.filter((inner) => !matches(inner));
  for (const inner of failing) yield* findings(value, inner, path, undefined);
  if (failing.length > 0)
    yield unmatched(path, `must validate all the schemas (allOf)${failing.length === allOf.length ? '. None validated' : ''}`);
  if (isJsonObject(schema['not']) && matches(schema['not'])) yield unmatched(path, 'must not validate the schema (not)');
}

function* findings(value: Json, schema: StructuralSchema, path: string, before: Json | undefined): Generator<Finding> {
  // Values that have not changed are tolerated (ratcheting).
  if (before !== undefined && isEqualJson(before, value)) return;
  yield* typeFindings(value, schema, path);
  if (value !== null) yield* combinationFindings(value, schema, path);
  yield* limitFindings(value, schema, path);
  if (isJsonArray(value)) yield* listFindings(value, schema, path, before);
  yield* enumFindings(value, schema, path);
  if (isJsonObject(value)) yield* objectFindings(value, schema, path, before);
}

/** Validation errors of an object by its schema. Invalid parts that have not changed since `before` are tolerated. */
export function validateObject(object: JsonObject, schema: StructuralSchema, before?: JsonObject): readonly Finding[] {
  return [...findings(object, schema, '', before)];
}
