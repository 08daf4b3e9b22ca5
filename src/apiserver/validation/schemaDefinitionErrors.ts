import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, type JsonObject } from '../json.js';
import { pruneObject } from '../schema/pruneObject.js';
import { ruleScope } from '../schema/rules/ruleEngine.js';
import { schemaAtPath } from '../schema/schemaAtPath.js';
import { textsAt } from '../schema/structuralSchema.js';
import { validateObject } from '../schema/validateObject.js';
import { forbiddenField, invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import { structuralErrors } from './structuralErrors.js';

type Findings = Generator<FieldError, void, undefined>;

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const inMetadata = new Set(['metadata', 'kind', 'apiVersion']);

/** Facts about the parents of a part of a schema. */
interface Surroundings {
  readonly root: boolean;
  /** Why defaults are forbidden here; undefined when they are allowed. */
  readonly noDefaults: string | undefined;
  readonly inMetadata: boolean;
  /** The innermost parent list whose items cannot be matched between two versions of an object. */
  readonly uncorrelated: string | undefined;
}

/** Keywords that are forbidden in schemas of custom resources, with their error messages. */
const never: readonly (readonly [string, string])[] = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
];

function* standardErrors(schema: JsonObject, path: string, { noDefaults, inMetadata: inside }: Surroundings): Findings {
  const type = asString(schema['type']);
  if (type !== '' && !types.includes(type)) yield notSupported(`${path}.type`, JSON.stringify(type), types);
  if (schema['default'] !== undefined && noDefaults !== undefined) yield forbiddenField(`${path}.default`, `must not be set ${noDefaults}`);
  for (const [name, detail] of never) if (schema[name] !== undefined) yield forbiddenField(`${path}.${name}`, detail);
  if (type === 'null') yield forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative');
  if (isJsonArray(schema['items'])) yield forbiddenField(`${path}.items`, 'items must be a schema object and not an array');
  if (inside && schema['x-kubernetes-embedded-resource'] === true)
    yield forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta');
  if (schema['uniqueItems'] === true)
    yield forbiddenField(`${path}.uniqueItems`, 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic');
}

function wrongType(schema: JsonObject, wanted: string, extension: string, path: string): FieldError | undefined {
  const type = asString(schema['type']);
  if (schema[extension] === undefined || type === wanted) return undefined;
  const detail = `must be ${wanted} if ${extension} is specified`;
  return type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, JSON.stringify(type), detail);
}

function* mapKeyErrors(schema: JsonObject, keys: readonly string[], path: string): Findings {
  const { items } = schema;
  const place = `${path}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) yield required(place, 'must not be empty if x-kubernetes-list-type is map');
  if (items === undefined) yield required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map');
  if (!isJsonObject(items)) return;
  if (items['type'] !== 'object') {
    yield invalidValue(
      `${path}.items.type`,
      JSON.stringify(items['type'] ?? ''),
      "must be object if parent array's x-kubernetes-list-type is map",
    );
    return;
  }
  const properties = asJsonObject(items['properties']);
  for (const [at, key] of keys.entries()) {
    const property = Object.hasOwn(properties, key) ? asJsonObject(properties[key]) : undefined;
    if (property === undefined) yield invalidValue(place, JSON.stringify(keys), 'entries must all be names of item properties');
    else if (property['type'] === 'array' || property['type'] === 'object')
      yield invalidValue(
        `${path}.items.properties[${key}].type`,
        '"object"',
        "must be a scalar type if parent array's x-kubernetes-list-type is map",
      );
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

function* extensionErrors(schema: JsonObject, path: string): Findings {
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

/** What was found in a schema. */
interface Found {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

/** Validation errors of a CEL rule before it is compiled. */
function* ruleTextErrors(schema: JsonObject, validation: JsonObject, place: string): Findings {
  const [rule, message, fieldPath] = [asString(validation['rule']), asString(validation['message']), asString(validation['fieldPath'])];
  const expression = asString(validation['messageExpression']);
  const { reason } = validation;
  if (rule.trim() === '') yield required(`${place}.rule`, 'rule is not specified');
  else if (message !== '' && message.trim() === '')
    yield invalidValue(`${place}.message`, JSON.stringify(message), 'must be non-empty if specified');
  else if (/[\n\r]/.test(message.trim())) yield invalidValue(`${place}.message`, JSON.stringify(message), 'must not contain line breaks');
  else if (/[\n\r]/.test(rule.trim()) && message.trim() === '')
    yield required(`${place}.message`, 'message must be specified if rule contains line breaks');
  if (expression !== '' && expression.trim() === '')
    yield required(`${place}.messageExpression`, 'messageExpression must be non-empty if specified');
  if (reason !== undefined && !reasons.includes(asString(reason))) yield notSupported(`${place}.reason`, JSON.stringify(reason), reasons);
  if (fieldPath === '') return;
  if (fieldPath.trim() === '') yield invalidValue(`${place}.fieldPath`, JSON.stringify(fieldPath), 'must be non-empty if specified');
  if (/[\n\r]/.test(fieldPath)) yield invalidValue(`${place}.fieldPath`, JSON.stringify(fieldPath), 'must not contain line breaks');
  if (schemaAtPath(schema, fieldPath, true) === undefined)
    yield invalidValue(`${place}.fieldPath`, JSON.stringify(fieldPath), 'must be a valid path');
}

/** The validation errors of the CEL rules of a place of a schema. */
function* compiledErrors(schema: JsonObject, validations: readonly JsonObject[], path: string, above: Surroundings): Findings {
  const scope = validations.length === 0 ? undefined : ruleScope(schema, above.root || schema['x-kubernetes-embedded-resource'] === true);
  if (scope === undefined) return;
  if (scope === 'unreadable') {
    const problem =
      'failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
    yield { reason: 'InternalError', field: `${path}.x-kubernetes-validations`, message: `Internal error: internal error: ${problem}` };
    return;
  }
  for (const [at, validation] of validations.entries()) {
    const place = `${path}.x-kubernetes-validations[${String(at)}]`;
    const { optionalOldSelf } = validation;
    const [text, messageExpression] = [asString(validation['rule']), asString(validation['messageExpression'])];
    const { problem, usesOldSelf } = scope.rule(text, optionalOldSelf === true);
    if (problem !== undefined) yield invalidValue(`${place}.rule`, JSON.stringify(text), problem);
    // The message of a wrong rule is not looked at.
    const message =
      problem !== undefined || messageExpression === '' ? undefined : scope.message(messageExpression, optionalOldSelf === true);
    if (message?.problem !== undefined)
      yield invalidValue(`${place}.messageExpression`, JSON.stringify(messageExpression), message.problem);
    if (usesOldSelf && above.uncorrelated !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${above.uncorrelated}`;
      yield invalidValue(`${place}.rule`, JSON.stringify(text), detail);
    }
    if (!usesOldSelf && optionalOldSelf !== undefined)
      yield invalidValue(`${place}.optionalOldSelf`, JSON.stringify(optionalOldSelf), 'may not be set if oldSelf is not used in rule');
  }
}

/** The parts of a schema, with their paths and facts about their parents. */
function* partsOf(schema: JsonObject, path: string, above: Surroundings): Generator<readonly [JsonObject, string, Surroundings]> {
  const inner = { ...above, root: false };
  const { items, additionalProperties, properties } = schema;
  const isMap = schema['x-kubernetes-map-type'] === 'atomic';
  if (isJsonObject(additionalProperties)) {
    const noDefaults = above.inMetadata ? 'inside additionalProperties applying to object metadata' : above.noDefaults;
    yield [additionalProperties, `${path}.additionalProperties`, { ...inner, noDefaults }];
  }
  for (const name of Object.keys(asJsonObject(properties)).sort()) {
    const meta = (above.root || schema['x-kubernetes-embedded-resource'] === true) && inMetadata.has(name);
    const noDefaults = meta && above.root ? `in top-level ${name}` : above.noDefaults;
    const uncorrelated = above.uncorrelated ?? (isMap ? path : undefined);
    yield [
      asJsonObject(asJsonObject(properties)[name]),
      `${path}.properties[${name}]`,
      { ...inner, noDefaults, uncorrelated, inMetadata: meta || above.inMetadata },
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

/** Collects the errors of a schema in the API server's order; errors of CEL rules come last. */
function gather(schema: JsonObject, path: string, above: Surroundings, compiles: boolean, found: Found): void {
  const before = found.schema.length;
  found.schema.push(...standardErrors(schema, path, above));
  if (isJsonObject(schema['additionalProperties']) && Object.keys(asJsonObject(schema['properties'])).length > 0)
    found.schema.push(forbiddenField(`${path}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'));
  for (const [part, place, surroundings] of partsOf(schema, path, above)) gather(part, place, surroundings, compiles, found);
  found.schema.push(...extensionErrors(schema, path));
  const validations = isJsonArray(schema['x-kubernetes-validations']) ? schema['x-kubernetes-validations'].map(asJsonObject) : [];
  const placeOf = (at: number): string => `${path}.x-kubernetes-validations[${String(at)}]`;
  for (const [at, validation] of validations.entries()) found.schema.push(...ruleTextErrors(schema, validation, placeOf(at)));
  if (!compiles || found.schema.length > before) return;
  found.rules.push(...compiledErrors(schema, validations, path, above));
}

function* defaultErrors(schema: JsonObject, path: string): Findings {
  const { default: value, ...rest } = schema;
  if (value !== undefined) {
    const place = `${path}.default`;
    const { object } = pruneObject({ value }, { properties: { value: rest } });
    if (!jsonEqual(object['value'], value)) yield invalidValue(place, JSON.stringify(value), 'must not have unknown fields');
    for (const found of validateObject({ value }, { properties: { value: rest } }))
      yield {
        ...found,
        field: found.field === '<nil>' ? found.field : `${place}${found.field.replace(/^value/, '')}`,
        message: found.message.replaceAll(/\bvalue\.?(?=[^ ]* in body)/g, ''),
      };
  }
  const { items, additionalProperties, properties } = schema;
  if (isJsonObject(items)) yield* defaultErrors(items, `${path}.items`);
  for (const name of Object.keys(asJsonObject(properties)).sort())
    yield* defaultErrors(asJsonObject(asJsonObject(properties)[name]), `${path}.properties[${name}]`);
  if (isJsonObject(additionalProperties)) yield* defaultErrors(additionalProperties, `${path}.additionalProperties`);
}

/** The only keywords allowed at the root of a schema with a status subresource. */
const besideStatus = new Set(
  (
    'description type format title maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems ' +
    'multipleOf required items properties externalDocs example x-kubernetes-preserve-unknown-fields x-kubernetes-validations'
  ).split(' '),
);

function* rootErrors(schema: JsonObject, path: string, hasStatus: boolean): Findings {
  if (hasStatus && schema['type'] !== 'object' && schema['type'] !== undefined)
    yield invalidValue(
      `${path}.type`,
      JSON.stringify(schema['type']),
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
    );
  const strange = hasStatus && Object.keys(schema).some((name) => !besideStatus.has(name) && schema[name] !== false);
  if (strange) {
    const allowed =
      'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems ' +
      'MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';
    const detail = `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`;
    yield invalidValue(path, JSON.stringify(schema), detail);
  }
  if (schema['nullable'] === true) yield forbiddenField(`${path}.nullable`, 'nullable cannot be true at the root');
}

/** Validation errors of the schema of a version of custom resources, in the order in which the API server reports them. */
export function* schemaDefinitionErrors(schema: JsonObject, path: string, hasStatus: boolean): Findings {
  yield* rootErrors(schema, path, hasStatus);
  // A schema with references is not checked further.
  const isSchema = !/"(\$ref|patternProperties|additionalItems|dependencies|definitions)":/.test(JSON.stringify(schema));
  const structural = isSchema ? structuralErrors(schema, path) : [];
  yield* structural;
  const defaults = structural.length > 0 || !isSchema ? [] : [...defaultErrors(schema, path)];
  yield* defaults;
  const found: Found = { schema: [], rules: [] };
  const top = { root: true, noDefaults: undefined, inMetadata: false, uncorrelated: undefined };
  gather(schema, path, top, isSchema && structural.length === 0 && defaults.length === 0, found);
  yield* found.schema;
  yield* found.rules;
}
