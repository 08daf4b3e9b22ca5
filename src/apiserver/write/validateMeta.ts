import type { KindRules } from '../kinds/servedResource.js';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredMeta } from '../store/storedObject.js';
import { nameProblem, type NameSyntax } from './nameProblem.js';

const namePart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const localProblem =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${namePart}')`;
const valueProblem =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${namePart})?')`;
const namePattern = new RegExp(`^${namePart}$`);
const valuePattern = new RegExp(`^(${namePart})?$`);
const annotationsLimit = 256 * 1024;

/** What is wrong with a name such as `app` or `example.com/app`; `''` when nothing is. */
function qualifiedNameProblem(name: string): string {
  const [first = '', second, third] = name.split('/');
  if (third !== undefined)
    return `a qualified name ${localProblem.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  const local = second ?? first;
  if (second !== undefined && first === '') return 'prefix part must be non-empty';
  if (second !== undefined && nameProblem(first, 'subdomain') !== '') return `prefix part ${nameProblem(first, 'subdomain')}`;
  if (local === '') return 'name part must be non-empty';
  if (local.length > 63) return 'name part must be no more than 63 characters';
  return namePattern.test(local) ? '' : localProblem;
}

function* labelErrors(labels: Readonly<Record<string, string>>): Generator<FieldError> {
  for (const [name, value] of Object.entries(labels)) {
    const problem = qualifiedNameProblem(name);
    if (problem !== '') yield invalidValue('metadata.labels', JSON.stringify(name), problem);
    if (value.length > 63) yield invalidValue('metadata.labels', JSON.stringify(value), 'must be no more than 63 characters');
    else if (!valuePattern.test(value)) yield invalidValue('metadata.labels', JSON.stringify(value), valueProblem);
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
}

function* ownerErrors({ ownerReferences = [] }: StoredMeta): Generator<FieldError> {
  for (const owner of ownerReferences) {
    for (const name of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      const problem = name === 'apiVersion' ? 'version must not be empty' : 'must not be empty';
      if (owner[name] === '') yield invalidValue(`metadata.ownerReferences.${name}`, '""', problem);
    }
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
