import { asJsonObject, asString, isJsonArray, isJsonObject, jsonEqual, valueAt, type Json, type JsonObject } from '../json.js';
import { validateObject } from '../schema/validateObject.js';
import { invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';
import { compiledRule } from '../schema/rules/ruleEngine.js';
import { conversionErrors } from './webhookErrors.js';
import type { StoredContent } from '../store/storedObject.js';

type Findings = Generator<FieldError, void, undefined>;

const scopes = ['Cluster', 'Namespaced'];
const nested = ['not'];
const nestedLists = ['allOf', 'anyOf', 'oneOf'];

function isSpecial(schema: JsonObject): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function kindOfPart(path: string): string {
  return path.endsWith('.items') ? 'array items' : 'object fields';
}

function wrongDefault(value: Json, schema: JsonObject, path: string): FieldError | undefined {
  const { default: _, ...rest } = schema;
  const [found] = validateObject({ value }, { properties: { value: rest } });
  if (found === undefined) return undefined;
  return { ...found, field: `${path}.default`, message: found.message.replaceAll(/\bvalue in body/g, ' in body') };
}

/** What keeps a schema from being structural: every part says of which type it is. */
/** A rule as Go prints it. */
function goRule({ rule, message, messageExpression, reason, fieldPath, optionalOldSelf }: JsonObject): JsonObject {
  const texts = { Rule: rule ?? '', Message: message ?? '', MessageExpression: messageExpression ?? '' };
  return { ...texts, Reason: reason ?? null, FieldPath: fieldPath ?? '', OptionalOldSelf: optionalOldSelf ?? null };
}

/** What is wrong with the texts of rules, as far as it shows without the types of their values. */
function* ruleErrors(rules: Json | undefined, path: string): Findings {
  const all = isJsonArray(rules) ? rules.map(asJsonObject) : [];
  const missing = all.flatMap(({ rule }, at) => (asString(rule).trim() === '' ? [at] : []));
  for (const at of missing) yield required(`${path}[${String(at)}].rule`, 'rule is not specified');
  if (missing.length > 0) return;
  for (const [at, validation] of all.entries()) {
    const problem = compiledRule(asString(validation['rule']))?.problem;
    if (problem !== undefined) yield invalidValue(`${path}[${String(at)}].rule`, JSON.stringify(goRule(validation)), problem);
  }
}

function* schemaErrors(schema: JsonObject, path: string, root: boolean): Findings {
  const type = asString(schema['type']);
  if (root && type !== 'object' && !isSpecial(schema)) {
    if (type === '') yield required(`${path}.type`, 'must not be empty at the root');
    else yield invalidValue(`${path}.type`, JSON.stringify(type), 'must be object at the root');
  } else if (type === '' && !isSpecial(schema)) yield required(`${path}.type`, `must not be empty for specified ${kindOfPart(path)}`);
  yield* ruleErrors(schema['x-kubernetes-validations'], `${path}.x-kubernetes-validations`);
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined && isJsonObject(additionalProperties))
    yield {
      reason: 'FieldValueForbidden',
      field: `${path}.additionalProperties`,
      message: 'Forbidden: additionalProperties and properties are mutual exclusive',
    };
  for (const [name, property] of Object.entries(asJsonObject(properties)))
    yield* schemaErrors(asJsonObject(property), `${path}.properties[${name}]`, false);
  if (isJsonObject(additionalProperties)) yield* schemaErrors(additionalProperties, `${path}.additionalProperties`, false);
  if (type === 'array' && !isJsonObject(items)) yield required(`${path}.items`, 'must be specified');
  else if (isJsonObject(items)) yield* schemaErrors(items, `${path}.items`, false);
  for (const name of [...nested, ...nestedLists]) {
    const parts = isJsonArray(schema[name]) ? schema[name] : [schema[name]];
    for (const [at, part] of parts.entries())
      if (valueAt(part, 'type') !== undefined && !isSpecial(asJsonObject(part)))
        yield {
          reason: 'FieldValueForbidden',
          field: `${path}.${name}[${String(at)}].type`,
          message: 'Forbidden: must be empty to be structural',
        };
  }
  const { default: given } = schema;
  const wrong = given === undefined ? undefined : wrongDefault(given, schema, path);
  if (wrong !== undefined) yield wrong;
}

function goVersion(version: JsonObject, hoisted: boolean): JsonObject {
  return {
    Name: version['name'] ?? '',
    Served: version['served'] ?? false,
    Storage: version['storage'] ?? false,
    Deprecated: version['deprecated'] ?? false,
    DeprecationWarning: version['deprecationWarning'] ?? null,
    Schema: hoisted ? null : (version['schema'] ?? null),
    Subresources: hoisted ? null : (version['subresources'] ?? null),
    AdditionalPrinterColumns: hoisted ? null : (version['additionalPrinterColumns'] ?? null),
    SelectableFields: version['selectableFields'] ?? null,
  };
}

function versionsOf(spec: JsonObject): readonly JsonObject[] {
  return isJsonArray(spec['versions']) ? spec['versions'].map(asJsonObject) : [];
}

function* versionErrors(versions: readonly JsonObject[]): Findings {
  const alike = versions.every(
    ({ schema, subresources }) => jsonEqual(schema, versions[0]?.['schema']) && jsonEqual(subresources, versions[0]?.['subresources']),
  );
  for (const [at, { schema }] of versions.entries()) {
    const openApi = valueAt(schema, 'openAPIV3Schema');
    const place = alike ? 'spec.validation.openAPIV3Schema' : `spec.versions[${String(at)}].schema.openAPIV3Schema`;
    if (!isJsonObject(openApi)) yield required(`spec.versions[${String(at)}].schema.openAPIV3Schema`);
    else if (!alike || at === 0) yield* schemaErrors(openApi, place, true);
  }
  const stored = versions.filter(({ storage }) => storage === true);
  if (stored.length !== 1) {
    const shown = JSON.stringify(versions.map((version) => goVersion(version, alike)));
    yield invalidValue('spec.versions', shown, 'must have exactly one version marked as storage version');
  }
  const names = stored.map(({ name }) => asString(name));
  if (names.length === 0) yield invalidValue('status.storedVersions', 'null', 'must have at least one stored version');
  for (const name of names.slice(1))
    yield invalidValue('status.storedVersions', JSON.stringify(names.slice(0, 1)), `must have the storage version ${name}`);
}

/** What is wrong with the definition of custom resources. */
export function* definitionErrors(after: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const names = asJsonObject(spec['names']);
  const { name } = after.metadata;
  if (name !== `${asString(names['plural'])}.${asString(spec['group'])}`)
    yield invalidValue('metadata.name', JSON.stringify(name), 'must be spec.names.plural+"."+spec.group');
  if (!scopes.includes(asString(spec['scope']))) yield notSupported('spec.scope', JSON.stringify(spec['scope']), scopes);
  yield* versionErrors(versionsOf(spec));
  yield* conversionErrors(asJsonObject(spec['conversion']));
  for (const field of ['singular', 'listKind']) if (asString(names[field]) === '') yield required(`spec.names.${field}`);
}
