import { asJsonObject, asString, isJsonArray, isJsonObject, type JsonObject } from '../json.js';
import { type FieldError, forbiddenField, invalidValue, notSupported, required } from './fieldErrors.js';
import { textsAt } from './structuralSchema.js';

type Findings = Generator<FieldError, void, undefined>;

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const inMetadata = new Set(['metadata', 'kind', 'apiVersion']);

/** Facts about the parents of a part of a schema. */
export interface Surroundings {
  readonly root: boolean;
  /** Why defaults are forbidden here; undefined when they are allowed. */
  readonly noDefaults: string | undefined;
  readonly inMetadata: boolean;
  /** The innermost parent list whose items cannot be matched between two versions of an object. */
  readonly uncorrelated: string | undefined;
  /** How often the values can occur in an object, by the limits of the parents; undefined without limits. */
  readonly most: number | undefined;
}

/** Keywords that are forbidden in schemas of custom resources. */
const unsupported = ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'];

function wrongType(schema: JsonObject, wanted: string, extension: string, path: string): FieldError | undefined {
  const type = asString(schema['type']);
  if (schema[extension] === undefined || type === wanted) return undefined;
  const detail = `must be ${wanted} if ${extension} is specified`;
  return type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, JSON.stringify(type), detail);
}

const inMap = "if parent array's x-kubernetes-list-type is map";

function* mapKeyErrors(schema: JsonObject, keys: readonly string[], path: string): Findings {
  const { items } = schema;
  const place = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) yield required(place, 'must not be empty if x-kubernetes-list-type is map');
  if (items === undefined) yield required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map');
  if (!isJsonObject(items)) return;
  if (items['type'] !== 'object') {
    yield invalidValue(`${path}.items.type`, JSON.stringify(items['type'] ?? ''), `must be object ${inMap}`);
    return;
  }
  const properties = asJsonObject(items['properties']);
  for (const [at, key] of keys.entries()) {
    const property = Object.hasOwn(properties, key) ? asJsonObject(properties[key]) : undefined;
    if (property === undefined) yield invalidValue(place, JSON.stringify(keys), 'entries must all be names of item properties');
    else if (property['type'] === 'array' || property['type'] === 'object')
      yield invalidValue(`${path}.items.properties[${key}].type`, '"object"', `must be a scalar type ${inMap}`);
    if (keys.indexOf(key) < at) yield invalidValue(place, JSON.stringify(keys), 'must not contain duplicate entries');
  }
}

/** Validation errors of the item schema of a set or map. */
function* collectionErrors(items: JsonObject, kind: string, keys: readonly string[], path: string): Findings {
  if (items['nullable'] === true)
    yield forbiddenField(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${kind}`);
  const needed = textsAt(items, 'required');
  const properties = asJsonObject(items['properties']);
  for (const key of kind === 'map' ? keys.filter((name) => Object.hasOwn(properties, name)) : []) {
    const place = `${path}.items.properties[${key}]`;
    const property = asJsonObject(properties[key]);
    const inKeys = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!needed.includes(key) && property['default'] === undefined)
      yield required(`${place}.default`, `${inKeys} must have a default or be a required property`);
    if (property['nullable'] === true) yield forbiddenField(`${place}.nullable`, `${inKeys} cannot be nullable`);
  }
}

function* setErrors(items: JsonObject, path: string): Findings {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const [list, map] = [items['x-kubernetes-list-type'], items['x-kubernetes-map-type']];
  if (items['type'] === 'array' && list !== undefined && list !== 'atomic')
    yield invalidValue(`${path}.items.x-kubernetes-list-type`, JSON.stringify(list), detail);
  if (items['type'] === 'object' && map !== 'atomic')
    yield invalidValue(`${path}.items.x-kubernetes-map-type`, JSON.stringify(list ?? null), detail);
}

/** Errors of Kubernetes' extensions at one place of a schema. */
export function* extensionErrors(schema: JsonObject, path: string): Findings {
  const { items } = schema;
  const [list, map] = [schema['x-kubernetes-list-type'], schema['x-kubernetes-map-type']];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false)
    yield invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, 'false', 'must be true or undefined');
  const noMap = wrongType(schema, 'object', 'x-kubernetes-map-type', path);
  if (noMap !== undefined) yield noMap;
  if (map !== undefined && map !== 'atomic' && map !== 'granular')
    yield notSupported(`${path}.x-kubernetes-map-type`, JSON.stringify(map), ['atomic', 'granular']);
  const noList = wrongType(schema, 'array', 'x-kubernetes-list-type', path);
  if (noList !== undefined) yield noList;
  else if (list === 'set' && isJsonObject(items)) yield* setErrors(items, path);
  if (list !== undefined && list !== 'atomic' && list !== 'set' && list !== 'map')
    yield notSupported(`${path}.x-kubernetes-list-type`, JSON.stringify(list), ['atomic', 'set', 'map']);
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  if (keys.length > 0 && list !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = `${path}.x-kubernetes-list-type`;
    yield list === undefined ? required(place, detail) : invalidValue(place, JSON.stringify(list), detail);
  }
  if (list === 'map') yield* mapKeyErrors(schema, keys, path);
  if ((list === 'set' || list === 'map') && isJsonObject(items)) yield* collectionErrors(items, list, keys, path);
}

/** How often the values of the parts of a schema can occur in one of its own; undefined without a limit. */
function maxParts(schema: JsonObject): number | undefined {
  const { type, additionalProperties, maxProperties, maxItems } = schema;
  const isMap = type === 'object' && additionalProperties !== undefined;
  if (!isMap && type !== 'array') return 1;
  const limit = isMap ? maxProperties : maxItems;
  return typeof limit === 'number' ? Math.max(0, limit) : undefined;
}

/** The parts of a schema, with their paths and facts about their parents. */
export function* partsOf(schema: JsonObject, path: string, above: Surroundings): Generator<readonly [JsonObject, string, Surroundings]> {
  const own = maxParts(schema);
  const most = above.most === undefined || own === undefined ? undefined : above.most * own;
  const inner = { ...above, root: false, most };
  const { items, additionalProperties, properties } = schema;
  if (isJsonObject(additionalProperties)) {
    const noDefaults = above.inMetadata ? 'inside additionalProperties applying to object metadata' : above.noDefaults;
    yield [additionalProperties, `${path}.additionalProperties`, { ...inner, noDefaults }];
  }
  for (const name of Object.keys(asJsonObject(properties)).sort()) {
    const meta = (above.root || schema['x-kubernetes-embedded-resource'] === true) && inMetadata.has(name);
    const noDefaults = meta && above.root ? `in top-level ${name}` : above.noDefaults;
    yield [
      asJsonObject(asJsonObject(properties)[name]),
      `${path}.properties[${name}]`,
      { ...inner, noDefaults, inMetadata: meta || above.inMetadata },
    ];
  }
  for (const name of ['not', 'allOf', 'oneOf', 'anyOf'] as const) {
    const part = schema[name];
    if (isJsonObject(part)) yield [part, `${path}.${name}`, inner];
    else if (isJsonArray(part)) for (const [at, one] of part.entries()) yield [asJsonObject(one), `${path}.${name}[${String(at)}]`, inner];
  }
  const uncorrelated = above.uncorrelated ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path);
  if (isJsonObject(items)) yield [items, `${path}.items`, { ...inner, uncorrelated }];
}

/** Errors of one place of a schema, beside those of its parts. */
export function* placeErrors(schema: JsonObject, path: string, { noDefaults, inMetadata: inside }: Surroundings): Findings {
  const { additionalProperties: additional, properties } = schema;
  const type = asString(schema['type']);
  if (type !== '' && !types.includes(type)) yield notSupported(`${path}.type`, JSON.stringify(type), types);
  if (schema['default'] !== undefined && noDefaults !== undefined) yield forbiddenField(`${path}.default`, `must not be set ${noDefaults}`);
  for (const name of unsupported) if (schema[name] !== undefined) yield forbiddenField(`${path}.${name}`, `${name} is not supported`);
  if (type === 'null') yield forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative');
  if (isJsonArray(schema['items'])) yield forbiddenField(`${path}.items`, 'items must be a schema object and not an array');
  if (inside && schema['x-kubernetes-embedded-resource'] === true)
    yield forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta');
  if (schema['uniqueItems'] === true)
    yield forbiddenField(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
  if ((isJsonObject(additional) || additional === false) && Object.keys(asJsonObject(properties)).length > 0)
    yield forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive');
}

/** The surroundings of the root of a schema. */
export const atRoot: Surroundings = { root: true, noDefaults: undefined, inMetadata: false, uncorrelated: undefined, most: 1 };

/** The only keywords allowed at the root of a schema with a status subresource. */
const besideStatus = new Set(
  (
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems ' +
    'multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations'
  ).split(' '),
);

const withStatus = 'at the root of the schema if the status subresource is enabled';

/** The name of a keyword in Go. */
const fieldOf = (name: string): string =>
  name.replace('x-kubernetes', 'x').replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());

/** Errors of keywords that are forbidden at the root. */
export function* rootErrors(schema: JsonObject, path: string, hasStatus: boolean): Findings {
  if (hasStatus && schema['type'] !== 'object' && schema['type'] !== undefined)
    yield invalidValue(`${path}.type`, JSON.stringify(schema['type']), `only "object" is allowed as the type ${withStatus}`);
  if (hasStatus && Object.keys(schema).some((name) => !besideStatus.has(name) && schema[name] !== false)) {
    const allowed = [...besideStatus].map(fieldOf).join(' ');
    yield invalidValue(path, JSON.stringify(schema), `only [${allowed}] fields are allowed ${withStatus}`);
  }
  if (schema['nullable'] === true) yield forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root');
}
