import { asJsonObject, asString, isJsonArray, isJsonObject, isEqualJson, valueAt, type Json, type JsonObject } from '../json.js';
import { columnErrors, selectableErrors, subresourceErrors } from 'rx-informer/internal';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';
import { nameErrors } from './fieldChecks.js';
import { schemaDefinitionErrors } from './schemaDefinitionErrors.js';
import { conversionErrors } from './webhookErrors.js';

type Findings = Generator<FieldError, void, undefined>;

/** Fields of versions that the API server reports once, for all versions, if they are equal in all. */
const shared = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

function listOf(value: Json | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.map(asJsonObject) : [];
}

/**
 * Validation errors of some fields of a version. The path in the messages depends on whether they are reported for one version or for all.
 */
function* contentErrors(
  version: JsonObject,
  names: readonly string[],
  [field, validation]: readonly [string, string],
  hasStatus: boolean,
): Findings {
  const schema = valueAt(version, 'schema', 'openAPIV3Schema');
  if (names.includes('schema') && isJsonObject(schema)) yield* schemaDefinitionErrors(schema, `${validation}.openAPIV3Schema`, hasStatus);
  if (names.includes('subresources')) yield* subresourceErrors(version['subresources'], `${field}.subresources`);
  if (names.includes('additionalPrinterColumns'))
    for (const [at, column] of listOf(version['additionalPrinterColumns']).entries())
      yield* columnErrors(column, `${field}.additionalPrinterColumns[${String(at)}]`);
  if (names.includes('selectableFields')) yield* selectableErrors(listOf(version['selectableFields']), schema, `${field}.selectableFields`);
}

function* deprecationErrors({ deprecated, deprecationWarning: warning }: JsonObject, field: string): Findings {
  if (typeof warning !== 'string') return;
  const shown = JSON.stringify(warning);
  if (deprecated !== true) yield invalidValue(field, shown, 'can only be set for deprecated versions');
  else if (warning === '') yield invalidValue(field, shown, 'must not be an empty string');
  else if (Buffer.byteLength(warning) > 256) yield invalidValue(field, shown, 'must be <= 256 characters long');
}

function* versionErrors(versions: readonly JsonObject[]): Findings {
  const hoisted = new Set<string>(shared.filter((name) => versions.every((version) => isEqualJson(version[name], versions[0]?.[name]))));
  const hasStatus = (version: JsonObject): boolean => isJsonObject(valueAt(version, 'subresources', 'status'));
  for (const [at, { schema }] of versions.entries())
    if (!isJsonObject(valueAt(schema, 'openAPIV3Schema'))) yield required(`spec.versions[${String(at)}].schema.openAPIV3Schema`);
  const own = shared.filter((name) => !hoisted.has(name));
  for (const [at, version] of versions.entries()) {
    const field = `spec.versions[${String(at)}]`;
    yield* deprecationErrors(version, `${field}.deprecationWarning`);
    yield* contentErrors(version, own, [field, `${field}.schema`], hasStatus(version));
  }
  const stored = versions.filter(({ storage }) => storage === true);
  const shown = (): string => JSON.stringify(versions.map((version) => version['name']));
  if (new Set(versions.map(({ name }) => name)).size < versions.length)
    yield invalidValue('spec.versions', shown(), 'must contain unique version names');
  if (stored.length !== 1) yield invalidValue('spec.versions', shown(), 'must have exactly one version marked as storage version');
}

/** Validation errors of the fields that are equal in all versions. */
function* sharedErrors(versions: readonly JsonObject[]): Findings {
  const [first] = versions;
  if (first === undefined) return;
  const same = shared.filter((name) => versions.every((version) => isEqualJson(version[name], first[name])));
  const hasStatus = versions.some((version) => isJsonObject(valueAt(version, 'subresources', 'status')));
  yield* contentErrors(first, same, ['spec', 'spec.validation'], hasStatus);
}

function* namesErrors(names: JsonObject): Findings {
  for (const field of ['plural', 'singular', 'kind', 'listKind']) if (asString(names[field]) === '') yield required(`spec.names.${field}`);
  for (const field of ['kind', 'listKind'])
    yield* nameErrors('label1035', asString(names[field]).toLowerCase() || 'unnamed', `spec.names.${field}`);
  const { kind, listKind } = names;
  if (kind !== undefined && kind === listKind)
    yield invalidValue('spec.names.listKind', JSON.stringify(listKind), 'kind and listKind may not be the same');
}

function* storedVersionErrors(after: StoredContent, created: boolean): Findings {
  const spec = asJsonObject(after['spec']);
  const versions = listOf(spec['versions']);
  const marked = versions.filter(({ storage }) => storage === true).map(({ name }) => asString(name));
  // A new definition has no status yet: the server will set storedVersions to the first version with `storage: true`.
  const said = created ? undefined : valueAt(after, 'status', 'storedVersions');
  const names = isJsonArray(said) ? said.map(asString) : marked.slice(0, 1);
  const place = 'status.storedVersions';
  if (names.length === 0) yield invalidValue(place, 'null', 'must have at least one stored version');
  for (const name of names.length === 0 ? [] : marked.filter((version) => !names.includes(version)))
    yield invalidValue(place, JSON.stringify(names), `must have the storage version ${name}`);
  for (const [at, name] of names.entries())
    if (!versions.some((version) => version['name'] === name))
      yield invalidValue(`${place}[${String(at)}]`, JSON.stringify(name), 'was a storage version, and must remain in spec.versions');
}

const approval = 'api-approved.kubernetes.io';

/** Groups of the Kubernetes project need an approval annotation. */
function* approvalErrors({ metadata, ...rest }: StoredContent): Findings {
  const group = asString(valueAt(rest, 'spec', 'group'));
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  if (isProtected && (metadata.annotations?.[approval] ?? '') === '')
    yield required(`metadata.annotations[${approval}]`, `protected groups must have approval annotation "${approval}"`);
}

function* fixedErrors(spec: JsonObject, before: StoredContent): Findings {
  const conditions = valueAt(before, 'status', 'conditions');
  const established =
    isJsonArray(conditions) && conditions.some((one) => valueAt(one, 'type') === 'Established' && valueAt(one, 'status') === 'True');
  const paths = [...(established ? [['scope'], ['names', 'kind']] : []), ['group'], ['names', 'plural']];
  for (const path of paths) {
    const value = valueAt(spec, ...path);
    if (!isEqualJson(value, valueAt(before, 'spec', ...path)))
      yield invalidValue(`spec.${path.join('.')}`, JSON.stringify(value ?? ''), 'field is immutable');
  }
}

/** Validation errors of a CustomResourceDefinition. */
export function* definitionErrors(after: StoredContent, before?: StoredContent): Findings {
  const spec = asJsonObject(after['spec']);
  const names = asJsonObject(spec['names']);
  const versions = listOf(spec['versions']);
  const { name } = after.metadata;
  if (before === undefined && name !== '' && name !== `${asString(names['plural'])}.${asString(spec['group'])}`)
    yield invalidValue('metadata.name', JSON.stringify(name), 'must be spec.names.plural+"."+spec.group');
  const group = asString(spec['group']);
  if (!group.includes('.')) yield invalidValue('spec.group', JSON.stringify(group), 'should be a domain with at least one dot');
  yield* versionErrors(versions);
  if (asString(versions[0]?.['name']) !== '') yield* nameErrors('label1035', asString(versions[0]?.['name']), 'spec.version');
  if (spec['preserveUnknownFields'] === true && before === undefined)
    yield invalidValue('spec.preserveUnknownFields', 'true', 'cannot be true: set it in the schema of each version');
  yield* namesErrors(names);
  yield* sharedErrors(versions);
  yield* conversionErrors(asJsonObject(spec['conversion']));
  if (before !== undefined) yield* fixedErrors(spec, before);
  yield* storedVersionErrors(after, before === undefined);
  yield* approvalErrors(after);
}
