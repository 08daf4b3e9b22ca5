import { isJsonArray, isJsonObject, jsonEqual, type Json, type JsonObject } from '../json.js';
import { broken, duplicate, missingField, tooMany, unmatched, type Finding } from './schemaErrors.js';
import { enumFindings, scalarFindings } from './scalarRules.js';
import { additionalOf, itemsOf, propertyOf, schemasAt, textsAt, typeFields, type StructuralSchema } from './structuralSchema.js';

function sizeAt(schema: StructuralSchema, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}

/** What of an item tells it apart in a list that is a set or a map; undefined when it can stand there twice. */
function identityOf(item: Json, schema: StructuralSchema): Json | undefined {
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
    const identity = identityOf(item, schema);
    if (identity === undefined) return;
    const id = JSON.stringify(identity);
    const seen = times.get(id) ?? 0;
    times.set(id, seen + 1);
    if (seen === 1) yield duplicate(`${path}[${String(at)}]`, identity);
  }
}

/** The item of an older list that an item continues; undefined where that cannot be told. */
function oldItem(before: Json | undefined, item: Json, schema: StructuralSchema): Json | undefined {
  if (!isJsonArray(before) || schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const identity = identityOf(item, schema);
  return before.find((old) => jsonEqual(identityOf(old, schema), identity));
}

function* listFindings(list: readonly Json[], schema: StructuralSchema, path: string, before: Json | undefined): Generator<Finding> {
  const items = itemsOf(schema);
  if (items !== undefined) {
    for (const [at, item] of list.entries()) yield* findings(item, items, `${path}[${String(at)}]`, oldItem(before, item, schema));
  }
  const [fewest, most] = [sizeAt(schema, 'minItems'), sizeAt(schema, 'maxItems')];
  if (fewest !== undefined && list.length < fewest) yield broken(path, list.length, `have at least ${String(fewest)} items`);
  if (most !== undefined && list.length > most) yield tooMany(path, list.length, most);
  yield* duplicateFindings(list, schema, path);
}

function* objectFindings(object: JsonObject, schema: StructuralSchema, path: string, before: Json | undefined): Generator<Finding> {
  const [fewest, most] = [sizeAt(schema, 'minProperties'), sizeAt(schema, 'maxProperties')];
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

/** The findings of the schema that comes closest to matching. */
function closest(value: Json, schemas: readonly StructuralSchema[], path: string): readonly Finding[] {
  const all = schemas.map((schema) => [...findings(value, schema, path, undefined)]);
  return all.reduce((best, found) => (found.length < best.length ? found : best), all[0] ?? []);
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
  // What was there before and has not changed is tolerated.
  if (before !== undefined && jsonEqual(before, value)) return;
  yield* scalarFindings(value, schema, path);
  if (value === null) return;
  yield* combinationFindings(value, schema, path);
  if (isJsonArray(value)) yield* listFindings(value, schema, path, before);
  if (!isJsonObject(value)) return;
  yield* enumFindings(value, schema, path);
  yield* objectFindings(value, schema, path, before);
}

/** Validation errors of an object by its schema. Parts that are wrong but have not changed since `before` do not count. */
export function validateObject(object: JsonObject, schema: StructuralSchema, before?: JsonObject): readonly Finding[] {
  return [...findings(object, schema, '', before)];
}
