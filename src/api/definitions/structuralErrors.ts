import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { isEqualJson } from '../isEqualJson.js';
import { forbiddenField, invalidValue, required, type FieldError } from './fieldErrors.js';
import { schemasAt } from './structuralSchema.js';

type Findings = Generator<FieldError, void, undefined>;

/** Why a pattern is not valid in Go's syntax; undefined for one that is. */
export type PatternProblem = (pattern: string) => string | undefined;

/** The place of a part of a schema, which decides about its error messages. */
type Level = 'root' | 'items' | 'field';

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** The only combination that may contain types: controller-gen writes it for quantities and for int-or-string. */
const integerOrString: Json = [{ type: 'integer' }, { type: 'string' }];

function entriesAt(schema: JsonObject, name: string): readonly (readonly [string, JsonObject])[] {
  return Object.entries(asJsonObject(schema[name])).map(([key, value]) => [key, asJsonObject(value)]);
}

/** The subschemas of combinations, each with its path and whether types are allowed in its `anyOf`. */
function* partsOf(schema: JsonObject, path: string): Generator<readonly [JsonObject, string, boolean]> {
  for (const name of ['anyOf', 'allOf', 'oneOf'] as const) {
    const parts = name === 'anyOf' && isEqualJson(schema['anyOf'], integerOrString) ? [] : schemasAt(schema, name);
    for (const [at, part] of parts.entries())
      yield [part, `${path}.${name}[${String(at)}]`, name === 'allOf' && at === 0 && isEqualJson(part['anyOf'], integerOrString)];
  }
  if (isJsonObject(schema['not'])) yield [schema['not'], `${path}.not`, false];
}

/** Keywords that are forbidden in parts, by what they must be to be structural. */
const notInParts: Readonly<Record<string, readonly string[]>> = {
  undefined: ['default', 'x-kubernetes-list-type', 'x-kubernetes-map-type'],
  empty: ['title', 'description', 'type', 'x-kubernetes-list-map-keys', 'x-kubernetes-validations'],
  false: ['nullable', 'x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
};

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null;

function isSet(value: Json | undefined): boolean {
  return isGiven(value) && value !== '' && value !== false && !(isJsonArray(value) && value.length === 0);
}

/** Errors of keywords that are forbidden inside a combination, because they must be specified outside of it. */
function* partErrors(part: JsonObject, path: string, typesInAnyOf: boolean, patternProblem: PatternProblem): Findings {
  yield* combinationErrors(typesInAnyOf ? { ...part, anyOf: [] } : part, path, patternProblem);
  if (isJsonObject(part['items'])) yield* partErrors(part['items'], `${path}.items`, false, patternProblem);
  for (const [name, inner] of entriesAt(part, 'properties')) yield* partErrors(inner, `${path}.properties[${name}]`, false, patternProblem);
  if (isSet(part['additionalProperties'])) yield forbiddenField(`${path}.additionalProperties`, 'must be undefined to be structural');
  for (const [wanted, names] of Object.entries(notInParts)) {
    const isThere = wanted === 'undefined' ? isGiven : isSet;
    for (const name of names) if (isThere(part[name])) yield forbiddenField(`${path}.${name}`, `must be ${wanted} to be structural`);
  }
  if (Object.hasOwn(asJsonObject(part['properties']), 'metadata'))
    yield forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context');
}

function* combinationErrors(schema: JsonObject, path: string, patternProblem: PatternProblem): Findings {
  for (const [part, place, typesInAnyOf] of partsOf(schema, path)) yield* partErrors(part, place, typesInAnyOf, patternProblem);
  const { pattern } = schema;
  const problem = typeof pattern === 'string' && pattern !== '' ? patternProblem(pattern) : undefined;
  if (problem !== undefined)
    yield invalidValue(`${path}.pattern`, JSON.stringify(pattern), `must be a valid regular expression, but isn't: ${problem}`);
}

/** Everything that a combination at the root specifies must also be declared outside of it. API servers do not look at those of fields. */
function* undefinedErrors(part: JsonObject, schema: JsonObject | undefined, path: string, place: string): Findings {
  if (schema === undefined) {
    yield required(path, `because it is defined in ${place}`);
    return;
  }
  for (const [inner, innerPlace] of partsOf(part, place)) yield* undefinedErrors(inner, schema, path, innerPlace);
  const { items } = schema;
  if (isJsonObject(part['items']))
    yield* undefinedErrors(part['items'], isJsonObject(items) ? items : undefined, `${path}.items`, `${place}.items`);
  const known = asJsonObject(schema['properties']);
  for (const [name, inner] of entriesAt(part, 'properties')) {
    const own = Object.hasOwn(known, name) ? asJsonObject(known[name]) : undefined;
    yield* undefinedErrors(inner, own, `${path}.properties[${name}]`, `${place}.properties[${name}]`);
  }
}

function* typeErrors(schema: JsonObject, level: Level, path: string): Findings {
  const type = asString(schema['type']);
  const special = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    yield type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, JSON.stringify(type), detail);
  } else if (type === '' && !special) yield required(`${path}.type`, missingType[level]);
  if (level === 'root' && type !== '' && type !== 'object')
    yield invalidValue(`${path}.type`, JSON.stringify(type), 'must be object at the root');
}

function* metadataErrors(schema: JsonObject, level: Level, path: string): Findings {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const properties = asJsonObject(schema['properties']);
  const checks = level === 'root' || embedded;
  for (const name of ['kind', 'apiVersion']) {
    const { type } = asJsonObject(properties[name]);
    if (checks && isJsonObject(properties[name]) && type !== 'string')
      yield invalidValue(`${path}.properties[${name}].type`, JSON.stringify(type ?? ''), 'must be string');
  }
  const { metadata } = properties;
  if (!isJsonObject(metadata)) return;
  const place = `${path}.properties[metadata]`;
  if (checks && metadata['type'] !== 'object')
    yield invalidValue(`${place}.type`, JSON.stringify(metadata['type'] ?? ''), 'must be object');
  if (level !== 'root') return;
  const { type: _, default: __, properties: named, ...rest } = metadata;
  const other = Object.keys(asJsonObject(named)).some((name) => name !== 'name' && name !== 'generateName');
  // Descriptions are ignored in this comparison; other keywords that do not validate make a difference.
  if (other || Object.entries(rest).some(([name, value]) => name.startsWith('x-') && isSet(value)) || isSet(rest['additionalProperties']))
    yield forbiddenField(place, 'must not specify anything other than name and generateName, but metadata is implicitly specified');
}

function* extensionErrors(schema: JsonObject, level: Level, path: string): Findings {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const either = schema['x-kubernetes-int-or-string'] === true;
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  if (either && preserves) yield invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, 'true', detail);
  if (either && embedded) yield invalidValue(`${path}.x-kubernetes-embedded-resource`, 'true', detail);
  // Here, `false` is as forbidden as anything else.
  const additional = isGiven(schema['additionalProperties']);
  if (additional && level === 'root') yield forbiddenField(`${path}.additionalProperties`, 'must not be used at the root');
  if (additional && embedded)
    yield forbiddenField(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set');
  if (embedded && !preserves && Object.keys(asJsonObject(schema['properties'])).length === 0)
    yield required(
      `${path}.properties`,
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
    );
}

function* invariantErrors(schema: JsonObject, level: Level, path: string, patternProblem: PatternProblem): Findings {
  const { items, additionalProperties } = schema;
  // A list of schemas is reported elsewhere.
  if (schema['type'] === 'array' && !isJsonObject(items) && !isJsonArray(items)) yield required(`${path}.items`, 'must be specified');
  if (isJsonObject(items)) yield* invariantErrors(items, 'items', `${path}.items`, patternProblem);
  for (const [name, inner] of entriesAt(schema, 'properties'))
    yield* invariantErrors(inner, 'field', `${path}.properties[${name}]`, patternProblem);
  if (isJsonObject(additionalProperties))
    yield* invariantErrors(additionalProperties, 'field', `${path}.additionalProperties`, patternProblem);
  yield* extensionErrors(schema, level, path);
  yield* combinationErrors(schema, path, patternProblem);
  yield* typeErrors(schema, level, path);
  yield* metadataErrors(schema, level, path);
}

/** Why a schema is not structural, in the order of its fields: each value must have one type, outside of all combinations. */
export function structuralErrors(schema: JsonObject, path: string, patternProblem: PatternProblem): readonly FieldError[] {
  const textOf = ({ field, message }: FieldError): string => `${field}: ${message}`;
  const undeclared = [...partsOf(schema, path)].flatMap(([part, place]) => [...undefinedErrors(part, schema, path, place)]);
  return [...invariantErrors(schema, 'root', path, patternProblem), ...undeclared].sort((a, b) =>
    textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0,
  );
}
