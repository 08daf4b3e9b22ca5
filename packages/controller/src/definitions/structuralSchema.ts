import {
  asJsonObject,
  asString,
  isJsonArray,
  isJsonObject,
  type Json,
  isEqualJson,
  type JsonObject,
  similarTo,
} from 'rx-informer/internal';
import { isGoPattern } from './goPattern.js';
import { intersection, isTyped, mergedSchemas, SchemaError, withoutTypes } from './mergedSchemas.js';

/** The keywords of definitions. */
const known = new Set(
  (
    'additionalProperties allOf anyOf default description enum example exclusiveMaximum exclusiveMinimum externalDocs format items maxItems maxLength ' +
    'maxProperties maximum minItems minLength minProperties minimum multipleOf not nullable oneOf pattern properties required title type uniqueItems ' +
    'x-kubernetes-embedded-resource x-kubernetes-int-or-string x-kubernetes-list-map-keys x-kubernetes-list-type x-kubernetes-map-type ' +
    'x-kubernetes-preserve-unknown-fields x-kubernetes-validations'
  ).split(' '),
);
/** Keywords that say nothing about values, and that definitions do not have. */
const remarks = new Set(
  '$schema $id $comment $defs definitions id examples readOnly writeOnly deprecated discriminator contentMediaType'.split(' '),
);
/** Keywords that are translated. */
const translated = new Set(['$ref', 'const', 'patternProperties', 'propertyNames', 'contentEncoding']);

const intOrStringKey = 'x-kubernetes-int-or-string';
const intOrString: JsonObject = { [intOrStringKey]: true };
const anything: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

/** A place of a schema, and how its references are resolved. */
interface Place {
  readonly path: string;
  readonly root: JsonObject;
  /** The references that lead here: a circle is refused. */
  readonly references: readonly string[];
}

const under = (place: Place, step: string): Place => ({ ...place, path: `${place.path}${step}` });

/** The part of a schema with a name of its own, which TypeBox refers to. */
function partNamed(name: string, schema: Json): Json | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (isJsonObject(schema) && schema['$id'] === name) return schema;
  for (const part of Object.values(schema)) {
    const found = partNamed(name, part as Json);
    if (found !== undefined) return found;
  }
  return undefined;
}

function resolved(schema: JsonObject, place: Place): readonly [JsonObject, Place] {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return [schema, place];
  if (place.references.includes(reference))
    throw new SchemaError(place.path, `refers to itself by ${reference}; a definition has no recursion: use an object of any fields`);
  const [start, ...steps] = reference.split('/');
  const found = steps
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((value, step) => asJsonObject(value)[step], start === '#' ? place.root : partNamed(reference, place.root));
  if (!isJsonObject(found)) throw new SchemaError(place.path, `refers to ${reference}, which is not there`);
  const references = [...place.references, reference];
  return resolved({ ...found, ...beside }, { ...place, references });
}

/** The types of a list of types, and whether null is one of them. */
function splitTypes({ type, ...rest }: JsonObject): JsonObject {
  if (!isJsonArray(type)) return type === undefined ? rest : { ...rest, type };
  const others = type.filter((one) => one !== 'null');
  const nullable = others.length < type.length ? { nullable: true } : {};
  if (others.length === 1) return { ...rest, ...nullable, type: others[0] ?? '' };
  return { ...rest, ...nullable, anyOf: others.map((one) => ({ type: one })) };
}

/** Whether a schema allows null alone. */
const isNull = ({ type, const: only, enum: values }: JsonObject): boolean =>
  type === 'null' || only === null || (isJsonArray(values) && values.every((one) => one === null));

function typeOfValue(value: Json): string {
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** `const` and `enum` as a typed enum. */
function withEnum(schema: JsonObject, { path }: Place): JsonObject {
  const { const: only, enum: listed, type, ...rest } = schema;
  if (only === undefined && listed === undefined) return schema;
  const all = only === undefined ? (isJsonArray(listed) ? listed : []) : [only];
  const values = all.filter((one) => one !== null);
  const nullable = values.length < all.length ? { nullable: true } : {};
  const types = [...new Set(values.map(typeOfValue))];
  // A list of types says less than the values.
  if (typeof type === 'string') return { ...rest, ...nullable, type, enum: values };
  if (types.length === 1) return { ...rest, ...nullable, type: types[0] ?? '', enum: values };
  if (types.every((each) => each === 'integer' || each === 'number')) return { ...rest, ...nullable, type: 'number', enum: values };
  if (types.every((each) => each === 'integer' || each === 'string')) return { ...rest, ...nullable, ...intOrString, enum: values };
  throw new SchemaError(path, `has values of several types (${types.join(', ')}); only integers beside strings are possible`);
}

/** The keys of a map as a rule in CEL. */
function keyRule(condition: string, message: string): JsonObject {
  return { 'x-kubernetes-validations': [{ rule: `self.all(key, ${condition})`, message }] };
}

/** @throws SchemaError for a pattern that an API server cannot read. */
function expectGoPattern(pattern: string, path: string): void {
  if (!isGoPattern(pattern))
    throw new SchemaError(path, `has the pattern ${pattern}, which RE2 cannot read: it has no look-around and no back-references`);
}

/** Whether rules in CEL can read a value: not where its type, or that of what is in it, is left open. */
const isReadable = (schema: Json | undefined): boolean =>
  isJsonObject(schema) &&
  (schema[intOrStringKey] === true || schema['type'] !== undefined) &&
  [schema['items'], schema['additionalProperties']].every((part) => part === undefined || isReadable(part));

/** Maps: `patternProperties` and `propertyNames` as `additionalProperties` with a rule about the keys, where one can be written: not for values that may be texts, too. */
function withMaps(schema: JsonObject, place: Place): JsonObject {
  const { path } = place;
  const { patternProperties, propertyNames, ...rest } = schema;
  const patterns = Object.entries(asJsonObject(patternProperties));
  if (patterns.length > 1) throw new SchemaError(path, 'has several `patternProperties`; a map has one kind of values');
  const [[pattern, values] = []] = patterns;
  const own = withFields({
    ...rest,
    ...(values !== undefined && {
      additionalProperties: isJsonObject(values) ? structural(values, under(place, '.additionalProperties')) : values,
    }),
  });
  const names = asJsonObject(propertyNames);
  const wanted = pattern ?? asString(names['pattern']);
  const keyRules: JsonObject[] = [];
  if (isJsonArray(names['enum'])) {
    const keys = JSON.stringify(names['enum']);
    // The number limits what the API server takes the rule to cost.
    keyRules.push({ maxProperties: names['enum'].length }, keyRule(`key in ${keys}`, `keys must be among ${keys}`));
  } else if (!/^\^?(\.\*|\(\.\*\)|)\$?$/.test(wanted)) {
    expectGoPattern(wanted, path);
    keyRules.push(keyRule(`key.matches(${JSON.stringify(wanted)})`, `keys must match ${wanted}`));
  }
  const { minLength: least, maxLength: most } = names;
  if (typeof least === 'number') keyRules.push(keyRule(`size(key) >= ${least}`, `keys must have ${least} characters at least`));
  if (typeof most === 'number') keyRules.push(keyRule(`size(key) <= ${most}`, `keys must have ${most} characters at most`));
  return own['type'] === 'object' && isReadable(own['additionalProperties']) ? mergedSchemas([own, ...keyRules], path) : own;
}

/** Objects: what stands beside their fields, where a map is not possible. */
function withFields(schema: JsonObject): JsonObject {
  const { additionalProperties, ...rest } = schema;
  const isMap = Object.keys(asJsonObject(schema['properties'])).length === 0 && isJsonObject(additionalProperties);
  // A definition drops unknown fields anyway; other ones cannot be typed beside the known.
  if (additionalProperties === undefined || isMap) return schema;
  return additionalProperties === false ? rest : { ...rest, ...anything };
}

/** Bounds that exclude themselves: of OpenAPI a flag, of JSON Schema the bound. Those of every integer of JavaScript say nothing. */
function withBounds(schema: JsonObject, { path }: Place): JsonObject {
  const { minimum, maximum, ...rest } = schema;
  let result: JsonObject = {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const { [exclusive]: limit, [bound]: inclusive = limit, ...others } = result;
    if (typeof limit === 'number') result = mergedSchemas([others, { [bound]: inclusive }, { [bound]: limit, [exclusive]: true }], path);
  }
  return result;
}

/** Texts: formats that an API server reads differently, and patterns that it cannot read. */
function withText(schema: JsonObject, { path }: Place): JsonObject {
  const { format, pattern, contentEncoding, ...rest } = schema;
  const text = asString(pattern);
  // ISO 8601 here, a duration of Go there.
  if (format === 'duration') return rest;
  if (contentEncoding === 'base64' || format === 'base64') return { ...rest, format: 'byte' };
  const named = { ...rest, ...(format !== undefined && { format }) };
  if (text === '') return named;
  if (format !== undefined && !isGoPattern(text)) return named;
  expectGoPattern(text, path);
  return { ...named, pattern: text };
}

/** What a schema says about texts alone, or about numbers alone: beside the other type it says no more. */
function ofOneType(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => /^(exclusiveM|m)(in|ax)imum$|^multipleOf$|^m(in|ax)Length$|^pattern$/.test(name)),
  );
}

/** Integers beside other numbers alone: as numbers that are whole. */
function alikeNumbers(choices: readonly JsonObject[]): readonly JsonObject[] {
  if (!choices.every(({ type }) => type === 'integer' || type === 'number') || choices.every(({ type }) => type === 'integer'))
    return choices;
  return choices.map((one) => (one['type'] === 'integer' ? mergedSchemas([{ ...one, type: 'number' }, { multipleOf: 1 }], '') : one));
}

/** A choice among schemas, with the types outside. */
function withChoice(schema: JsonObject, keyword: 'anyOf' | 'oneOf', place: Place): JsonObject {
  const { [keyword]: list, ...rest } = schema;
  if (!isJsonArray(list) || isEqualJson(rest['x-kubernetes-int-or-string'] ?? false, true)) return schema;
  const others = list.map((one, at) => [asJsonObject(one), at] as const).filter(([one]) => !isNull(one));
  const choices = alikeNumbers(others.map(([one, at]) => structural(one, under(place, `.${keyword}[${at}]`))));
  const nullable = choices.length < list.length || choices.some((one) => one['nullable'] === true) ? { nullable: true } : {};
  const outer: JsonObject = { ...rest, ...nullable };
  const [first = {}] = choices;
  if (choices.length === 1) return mergedSchemas([first, outer], place.path);
  if (outer['type'] !== undefined && choices.every((one) => one['type'] === undefined || one['type'] === outer['type']))
    return { ...mergedSchemas([outer, unionOf(choices, place)], place.path), [keyword]: choices.map(withoutTypes) };
  const types = [...new Set(choices.map((one) => asString(one['type'])))];
  if (types.every((type) => type === 'integer' || type === 'string') && types.length === 2)
    return mergedSchemas([outer, intOrString, ...(choices.length === 2 ? choices.map(ofOneType) : [])], place.path);
  if (types.length > 1 || types[0] === '') {
    if (choices.every((one) => one['x-kubernetes-int-or-string'] === true || ['integer', 'string'].includes(asString(one['type']))))
      return { ...outer, ...intOrString };
    return { ...outer, ...anything };
  }
  if (choices.every((one) => isJsonArray(one['enum']) && Object.keys(one).every((name) => ['enum', 'type', 'nullable'].includes(name))))
    return {
      ...outer,
      type: types[0] ?? '',
      enum: choices.flatMap((one) => (one['enum'] as readonly Json[]).filter((value) => value !== null)),
    };
  return { ...mergedSchemas([outer, unionOf(choices, place)], place.path), [keyword]: choices.map(withoutTypes) };
}

/** Keywords that a choice cannot vary. */
const insideOnce = ['default', 'validations', 'list-type', 'list-map-keys', 'map-type', 'embedded-resource'].map((name) =>
  name === 'default' ? name : `x-kubernetes-${name}`,
);

/** What values of any of the schemas may be: all their fields, of which none is required that is not in all. */
function unionOf(choices: readonly JsonObject[], { path }: Place): JsonObject {
  const [first = {}] = choices;
  const names = [...new Set(choices.flatMap((one) => Object.keys(asJsonObject(one['properties']))))];
  const partOf = (parts: readonly (Json | undefined)[], step: string): JsonObject => {
    const all = parts.filter(isJsonObject);
    const [part = {}] = all;
    if (all.every((one) => isEqualJson(one, part))) return part;
    const types = new Set(all.map((one) => asString(one['type'])));
    if (types.size > 1) throw new SchemaError(`${path}${step}`, `has several types in a choice (${[...types].join(', ')})`);
    return unionOf(all, { path: `${path}${step}`, root: {}, references: [] });
  };
  const fieldOf = (name: string): JsonObject =>
    partOf(
      choices.map((one) => asJsonObject(one['properties'])[name]),
      `.properties[${name}]`,
    );
  const { type, items } = first;
  for (const name of insideOnce)
    if (choices.some((one) => !isEqualJson(one[name], first[name])))
      throw new SchemaError(path, `has \`${name}\` inside a choice; it must stand outside`);
  if (type === 'array' && choices.some((one) => !isEqualJson(one['items'], items)))
    throw new SchemaError(path, 'has items of several kinds in a choice; a list has one');
  const open = choices.some((one) => one['x-kubernetes-preserve-unknown-fields'] === true) ? anything : {};
  const maps = choices.map((one) => one['additionalProperties']).filter(isJsonObject);
  return {
    ...(type !== undefined && { type }),
    ...(choices.some((one) => one['nullable'] === true) && { nullable: true }),
    ...(items !== undefined && { items }),
    ...(names.length > 0 && { properties: Object.fromEntries(names.map((name) => [name, fieldOf(name)])) }),
    ...(maps.length > 0 && { additionalProperties: partOf(maps, '.additionalProperties') }),
    ...Object.fromEntries(insideOnce.flatMap((name) => (first[name] === undefined ? [] : [[name, first[name]]]))),
    ...open,
  };
}

function withParts(schema: JsonObject, place: Place): JsonObject {
  const { items, properties, additionalProperties, not } = schema;
  if (isJsonArray(items) || schema['prefixItems'] !== undefined)
    throw new SchemaError(place.path, 'is a tuple; a list has one kind of items');
  const named = Object.entries(asJsonObject(properties)).map(([name, property]): [string, JsonObject] => [
    name,
    structural(asJsonObject(property), under(place, `.properties[${name}]`)),
  ]);
  return {
    ...schema,
    ...(isJsonObject(items) && { items: structural(items, under(place, '.items')) }),
    ...(isJsonObject(properties) && { properties: Object.fromEntries(named) }),
    ...(isJsonObject(additionalProperties) && {
      additionalProperties: structural(additionalProperties, under(place, '.additionalProperties')),
    }),
    ...(isJsonObject(not) && { not: negated(not, under(place, '.not')) }),
  };
}

/** A negation keeps its meaning only if nothing of it must stand outside. */
function negated(not: JsonObject, place: Place): JsonObject {
  const restriction = withoutTypes(structural(not, place));
  if (Object.keys(restriction).length === 0) throw new SchemaError(place.path, 'excludes a type; definitions exclude values only');
  return restriction;
}

/** What all of several schemas say: merged, but for a second pattern and the like, which stay beside each other. */
function withAll(schema: JsonObject, place: Place): JsonObject {
  const { allOf, ...rest } = schema;
  if (!isJsonArray(allOf) || rest['x-kubernetes-int-or-string'] === true) return schema;
  const parts = allOf.map((one, at) => structural(asJsonObject(one), under(place, `.allOf[${String(at)}]`)));
  const all = intersection([...parts, rest], place.path);
  // Beside a list without a type of its own, the word is about the whole, as in OpenAPI.
  return rest['nullable'] === true && !isTyped(rest) ? { ...all, nullable: true } : all;
}

/** Refuses keywords that would be ignored without a word, and leaves out remarks. */
function expectKeywords(schema: JsonObject, { path }: Place): JsonObject {
  for (const name of Object.keys(schema)) {
    if (known.has(name) || remarks.has(name) || translated.has(name) || name === 'prefixItems') continue;
    throw new SchemaError(path, `has the keyword \`${name}\`, which definitions do not have${similarTo(name, known)}`);
  }
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !remarks.has(name)));
}

/**
 * A JSON Schema in the form of definitions: one type for each value, outside of all combinations; references inlined; `const`, null, unions, intersections and maps in
 * their words.
 *
 * @throws SchemaError, with the path, for what a definition cannot say.
 */
function structural(given: JsonObject, above: Place): JsonObject {
  const [found, place] = resolved(given, above);
  if (isNull(found)) throw new SchemaError(place.path, 'allows no value but null');
  let schema = expectKeywords(found, place);
  schema = splitTypes(withEnum(schema, place));
  schema = withMaps(withParts(schema, place), place);
  schema = withText(withBounds(schema, place), place);
  schema = withAll(schema, place);
  schema = withChoice(withChoice(schema, 'oneOf', place), 'anyOf', place);
  schema = withNullableEnum(schema);
  const { default: fallback, ...rest } = schema;
  // The API server drops such a default.
  if (fallback === null && schema['nullable'] !== true) schema = rest;
  const isOpen = Object.keys(schema).every((name) => ['description', 'title', 'default', 'nullable'].includes(name));
  const { type, description, ...others } = isOpen ? { ...schema, nullable: true, ...anything } : schema;
  // As people write them.
  return { ...(description !== undefined && { description }), ...(type !== undefined && { type }), ...others };
}

/** An enum that allows null, inside of `allOf`, which an API server does not ask about null: it finds null in no enum, even where it is listed. */
function withNullableEnum(schema: JsonObject): JsonObject {
  const { enum: values, allOf, ...rest } = schema;
  if (schema['nullable'] !== true || !isJsonArray(values)) return schema;
  return { ...rest, allOf: [...(isJsonArray(allOf) ? allOf : []), { enum: values }] };
}

/** The schema of a definition's version, of a JSON Schema. @throws SchemaError */
export function structuralSchemaOf(schema: JsonObject, path: string): JsonObject {
  return structural(schema, { path, root: schema, references: [] });
}
