import type { KindRules } from '../kinds/servedResource.js';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredMeta } from '../store/storedObject.js';
import { nameProblem, qualifiedNameProblem, type NameSyntax } from './nameProblem.js';

const annotationsLimit = 256 * 1024;

function* labelErrors(labels: Readonly<Record<string, string>>): Generator<FieldError> {
  for (const [name, value] of Object.entries(labels)) {
    const problem = qualifiedNameProblem(name);
    if (problem !== '') yield invalidValue('metadata.labels', JSON.stringify(name), problem);
    const wrong = nameProblem(value, 'labelValue');
    if (wrong !== '') yield invalidValue('metadata.labels', JSON.stringify(value), wrong);
  }
}

function* annotationErrors(annotations: Readonly<Record<string, string>>): Generator<FieldError> {
  let size = 0;
  for (const [name, value] of Object.entries(annotations)) {
    const problem = qualifiedNameProblem(name.toLowerCase());
    if (problem !== '') yield invalidValue('metadata.annotations', JSON.stringify(name), problem);
    size += name.length + value.length;
  }
  if (size > annotationsLimit)
    yield {
      reason: 'FieldValueTooLong',
      field: 'metadata.annotations',
      message: `Too long: must have at most ${String(annotationsLimit)} bytes`,
    };
}

const standardFinalizers = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** `known`: a finalizer without a domain has to be one of Kubernetes' own. */
function* finalizerErrors(finalizers: readonly string[], known: boolean): Generator<FieldError> {
  for (const [at, finalizer] of finalizers.entries()) {
    const problem = qualifiedNameProblem(finalizer);
    if (problem !== '') yield invalidValue('metadata.finalizers', JSON.stringify(finalizer), problem);
    else if (known && !finalizer.includes('/') && !standardFinalizers.has(finalizer)) {
      yield invalidValue(
        `metadata.finalizers[${String(at)}]`,
        JSON.stringify(finalizer),
        'name is neither a standard finalizer name nor is it fully qualified',
      );
    }
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
  if (ownerReferences.filter(({ controller }) => controller === true).length > 1) {
    yield invalidValue('metadata.ownerReferences', JSON.stringify(ownerReferences), 'Only one reference can have Controller set to true.');
  }
}

function nameError(name: string, syntax: NameSyntax): FieldError | undefined {
  if (name === '') return required('metadata.name', 'name or generateName is required');
  const problem = nameProblem(name, syntax);
  return problem === '' ? undefined : invalidValue('metadata.name', JSON.stringify(name), problem);
}

/** What is wrong with the metadata of an object. */
export function metaErrors(meta: StoredMeta, { nameSyntax = 'subdomain', anyFinalizer }: KindRules): readonly FieldError[] {
  const name = nameError(meta.name, nameSyntax);
  return [
    ...(name === undefined ? [] : [name]),
    ...labelErrors(meta.labels ?? {}),
    ...annotationErrors(meta.annotations ?? {}),
    ...finalizerErrors(meta.finalizers ?? [], anyFinalizer !== true),
    ...ownerErrors(meta),
  ];
}
