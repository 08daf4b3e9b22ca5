import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, type Json, type JsonObject } from 'rx-informer/internal';

/** What a definition cannot say, with its place in the schema. */
export class SchemaError extends TypeError {
  constructor(path: string, problem: string) {
    super(`${path} ${problem}`);
  }
}

/** The keywords that must stand outside of combinations, since they do not say whether a value is valid. */
const outside = new Set([
  ...'type default title description nullable additionalProperties example externalDocs'.split(' '),
  ...'embedded-resource int-or-string list-map-keys list-type map-type preserve-unknown-fields validations'
    .split(' ')
    .map((name) => `x-kubernetes-${name}`),
]);

/** The part of a schema that may stand inside a combination: what restricts values. The rest is outside. */
export function withoutTypes(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([name, value]): [string, Json][] => {
    if (outside.has(name) || value === undefined) return [];
    if (name === 'properties')
      return [
        [name, Object.fromEntries(Object.entries(asJsonObject(value)).map(([field, one]) => [field, withoutTypes(asJsonObject(one))]))],
      ];
    if (name === 'items') return [[name, withoutTypes(asJsonObject(value))]];
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

const lists = (a: Json, b: Json): readonly Json[] => [...(isJsonArray(a) ? a : []), ...(isJsonArray(b) ? b : [])];

/** How two values of one keyword become one that says both; undefined where none does. */
const merges: Readonly<Record<string, (a: Json, b: Json, path: string) => Json | undefined>> = {
  required: (a, b) => [...new Set(lists(a, b))],
  'x-kubernetes-validations': lists,
  oneOf: () => undefined,
  anyOf: () => undefined,
  enum(a, b) {
    const both = lists(a, null).filter((one) => lists(b, null).some((other) => isEqualJson(one, other)));
    // An empty one would allow everything.
    return both.length > 0 ? both : undefined;
  },
  properties(a, b, path) {
    const [left, right] = [asJsonObject(a), asJsonObject(b)];
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
    const both = names.map((name): [string, Json] => {
      const fields = [left[name], right[name]].filter(isJsonObject);
      return [name, intersection(fields, `${path}.properties[${name}]`)];
    });
    return Object.fromEntries(both);
  },
  items: (a, b, path) => intersection([asJsonObject(a), asJsonObject(b)], `${path}.items`),
  type: (a, b) => (['integer', 'number'].includes(asString(a)) && ['integer', 'number'].includes(asString(b)) ? 'integer' : undefined),
  nullable: (a, b) => a === true && b === true,
  description: (_, b) => b,
  title: (_, b) => b,
  default: (_, b) => b,
  ...Object.fromEntries(
    ['minimum', 'minLength', 'minItems', 'minProperties'].map((name) => [name, (a: Json, b: Json) => Math.max(Number(a), Number(b))]),
  ),
  ...Object.fromEntries(
    ['maximum', 'maxLength', 'maxItems', 'maxProperties'].map((name) => [name, (a: Json, b: Json) => Math.min(Number(a), Number(b))]),
  ),
};

/** The bounds, and what excludes them. */
const exclusions = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

/** Two schemas as one, or with what restricts values twice in `allOf`. */
function merged(a: JsonObject, b: JsonObject, path: string): JsonObject {
  const result: Record<string, Json> = {};
  const twice: Record<string, Json> = {};
  for (const [name, value] of [...Object.entries(a), ...Object.entries(b)]) {
    if (value === undefined) continue;
    const before = Object.hasOwn(result, name) ? result[name] : undefined;
    const both = before === undefined ? value : isEqualJson(before, value) ? value : merges[name]?.(before, value, path);
    if (both !== undefined) result[name] = both;
    else if (name === 'type') throw new SchemaError(path, `must be of the types ${asString(before)} and ${asString(value)} at once`);
    else if (outside.has(name)) throw new SchemaError(path, `has two values of \`${name}\` that cannot be merged`);
    else twice[name] = value;
  }
  // What excludes a bound belongs to it, and the bound may be of either schema.
  const isLeft = ([bound, exclusive]: readonly [string, string]): boolean =>
    result[exclusive] === true && ![a, b].some((one) => one[bound] === result[bound] && one[exclusive] === true);
  const left = exclusions.filter(isLeft).map(([, exclusive]): string => exclusive);
  const kept = Object.fromEntries(Object.entries(result).filter(([name]) => !left.includes(name)));
  if (Object.keys(twice).length === 0) return kept;
  return { ...kept, allOf: [...lists(result['allOf'] ?? null, null), twice] };
}

/** What all of several structural schemas say, as one. @throws SchemaError for what contradicts itself, or cannot be merged. */
export function mergedSchemas(schemas: readonly JsonObject[], path: string): JsonObject {
  return schemas.reduce((all, one) => merged(all, one, path), {});
}

export function isTyped(schema: JsonObject): boolean {
  return schema['type'] !== undefined || schema['x-kubernetes-int-or-string'] === true;
}

/** As `mergedSchemas`; null only where each of them allows it. One without a type says nothing about null. */
export function intersection(schemas: readonly JsonObject[], path: string): JsonObject {
  const { nullable: _, ...both } = mergedSchemas(schemas, path);
  const isNullable = (one: JsonObject): boolean => one['nullable'] === true;
  const allowsNull = schemas.some(isNullable) && schemas.every((one) => isNullable(one) || !isTyped(one));
  return allowsNull ? { ...both, nullable: true } : both;
}
