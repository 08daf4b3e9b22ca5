import { asString } from '../json.js';
import type { KindRules } from '../kinds/servedResource.js';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredMeta } from '../store/storedObject.js';
import { nameProblems, qualifiedNameProblems, type NameSyntax } from './nameProblem.js';

const annotationsLimit = 256 * 1024;

function* labelErrors(labels: Readonly<Record<string, string>>): Generator<FieldError> {
  for (const [name, value] of Object.entries(labels)) {
    for (const problem of qualifiedNameProblems(name)) yield invalidValue('metadata.labels', JSON.stringify(name), problem);
    for (const problem of nameProblems(value, 'labelValue')) yield invalidValue('metadata.labels', JSON.stringify(value), problem);
  }
}

function* annotationErrors(annotations: Readonly<Record<string, string>>): Generator<FieldError> {
  let size = 0;
  for (const [name, value] of Object.entries(annotations)) {
    for (const problem of qualifiedNameProblems(name.toLowerCase()))
      yield invalidValue('metadata.annotations', JSON.stringify(name), problem);
    size += name.length + value.length;
  }
  if (size > annotationsLimit)
    yield {
      reason: 'FieldValueTooLong',
      field: 'metadata.annotations',
      message: `Too long: may not be more than ${String(annotationsLimit)} bytes`,
    };
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** A finalizer without a domain must be one of Kubernetes' own. */
function* unknownFinalizers({ finalizers = [] }: StoredMeta): Generator<FieldError> {
  for (const [at, finalizer] of finalizers.entries()) {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) continue;
    yield invalidValue(
      `metadata.finalizers[${String(at)}]`,
      JSON.stringify(finalizer),
      'name is neither a standard finalizer name nor is it fully qualified',
    );
  }
}

function* finalizerErrors({ finalizers = [] }: StoredMeta): Generator<FieldError> {
  for (const finalizer of finalizers) {
    for (const problem of qualifiedNameProblems(finalizer, 'a qualified name'))
      yield invalidValue('metadata.finalizers', JSON.stringify(finalizer), problem);
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion'))
    yield invalidValue('metadata.finalizers', JSON.stringify(finalizers), 'finalizer orphan and foregroundDeletion cannot be both set');
}

function* ownerErrors({ ownerReferences = [] }: StoredMeta): Generator<FieldError> {
  for (const owner of ownerReferences) {
    const { apiVersion, kind } = owner;
    const [group, version, more] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    if (version === '' || more !== undefined)
      yield invalidValue('metadata.ownerReferences.apiVersion', JSON.stringify(apiVersion), 'version must not be empty');
    for (const name of ['kind', 'name', 'uid'] as const)
      if (owner[name] === '') yield invalidValue(`metadata.ownerReferences.${name}`, '""', 'must not be empty');
    if (group === '' && version === 'v1' && kind === 'Event')
      yield invalidValue('metadata.ownerReferences', JSON.stringify(owner), '/v1, Kind=Event is disallowed from being an owner');
  }
  const [first, ...others] = ownerReferences.filter(({ controller }) => controller === true).map(({ kind, name }) => `${kind}/${name}`);
  for (const other of others) {
    const found = `Found "true" in references for ${first ?? ''} and ${other}`;
    yield invalidValue(
      'metadata.ownerReferences',
      JSON.stringify(ownerReferences),
      `Only one reference can have Controller set to true. ${found}`,
    );
  }
}

function* nameErrors({ name, generateName: begun, generation = 0 }: StoredMeta, syntax: NameSyntax): Generator<FieldError> {
  const generateName = asString(begun);
  if (generateName !== '')
    for (const problem of nameProblems(generateName, syntax, true))
      yield invalidValue('metadata.generateName', JSON.stringify(generateName), problem);
  if (name === '') yield required('metadata.name', 'name or generateName is required');
  else for (const problem of nameProblems(name, syntax)) yield invalidValue('metadata.name', JSON.stringify(name), problem);
  if (generation < 0) yield invalidValue('metadata.generation', String(generation), 'must be greater than or equal to 0');
}

function contentErrors(meta: StoredMeta): readonly FieldError[] {
  return [...labelErrors(meta.labels ?? {}), ...annotationErrors(meta.annotations ?? {}), ...ownerErrors(meta)];
}

/** Validation errors of the metadata of a new object. */
export function metaErrors(meta: StoredMeta, { nameSyntax = 'subdomain', anyFinalizer, nameless }: KindRules): readonly FieldError[] {
  return [
    ...(nameless === true && meta.name === '' ? [] : nameErrors(meta, nameSyntax)),
    ...contentErrors(meta),
    ...finalizerErrors(meta),
    ...(anyFinalizer === true ? [] : unknownFinalizers(meta)),
  ];
}

/**
 * Validation errors of changed metadata. They are those of all objects and those of the kind: each looks at the change, the first at the whole, too, and
 * the second only for some kinds.
 *
 * @param changes - errors of the change itself.
 */
export function changedMetaErrors(
  meta: StoredMeta,
  rules: KindRules,
  changes: readonly FieldError[],
  isWhole: boolean,
): readonly FieldError[] {
  const change = [...changes, ...contentErrors(meta)];
  const known = rules.anyFinalizer === undefined || rules.anyFinalizer === false ? unknownFinalizers(meta) : [];
  const again = isWhole && rules.wholeOnUpdate === true ? metaErrors(meta, rules) : [];
  return [...contentErrors(meta), ...finalizerErrors(meta), ...change, ...change, ...known, ...again];
}
