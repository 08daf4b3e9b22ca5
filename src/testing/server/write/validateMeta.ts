import type { KindRules } from '../kinds/servedResource.js';
import { invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredMeta } from '../store/storedObject.js';

interface Syntax {
  readonly pattern: RegExp;
  readonly longest: number;
  readonly problem: string;
}

const labelPart = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomainPattern = `${labelPart}(\\.${labelPart})*`;

const syntaxes: Readonly<Record<NonNullable<KindRules['nameSyntax']>, Syntax>> = {
  subdomain: {
    pattern: new RegExp(`^${subdomainPattern}$`),
    longest: 253,
    problem:
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric " +
      `character (e.g. 'example.com', regex used for validation is '${subdomainPattern}')`,
  },
  label: {
    pattern: new RegExp(`^${labelPart}$`),
    longest: 63,
    problem:
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric " +
      `character (e.g. 'my-name',  or '123-abc', regex used for validation is '${labelPart}')`,
  },
  label1035: {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    longest: 63,
    problem:
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric " +
      "character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  },
  path: { pattern: /^(?!\.{1,2}$)[^/%]+$/, longest: 253, problem: "may not be '.' or '..' and may not contain '/' or '%'" },
};

const namePart = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const nameProblem =
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
    return `a qualified name ${nameProblem.slice('name part '.length)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  const local = second ?? first;
  if (second !== undefined && first === '') return 'prefix part must be non-empty';
  if (second !== undefined && !syntaxes.subdomain.pattern.test(first)) return `prefix part ${syntaxes.subdomain.problem}`;
  if (local === '') return 'name part must be non-empty';
  if (local.length > 63) return 'name part must be no more than 63 characters';
  return namePattern.test(local) ? '' : nameProblem;
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

function* finalizerErrors(finalizers: readonly string[]): Generator<FieldError> {
  for (const finalizer of finalizers) {
    const problem = qualifiedNameProblem(finalizer);
    if (problem !== '') yield invalidValue('metadata.finalizers', JSON.stringify(finalizer), problem);
    else if (!finalizer.includes('/') && !standardFinalizers.has(finalizer)) {
      yield invalidValue(
        'metadata.finalizers',
        JSON.stringify(finalizer),
        'name is neither a standard finalizer name nor is it fully qualified',
      );
    }
  }
}

function* ownerErrors({ ownerReferences = [] }: StoredMeta): Generator<FieldError> {
  for (const [at, owner] of ownerReferences.entries()) {
    const field = `metadata.ownerReferences[${String(at)}]`;
    for (const name of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (owner[name] === '') yield invalidValue(`${field}.${name}`, '""', `${name === 'apiVersion' ? 'version' : name} must not be empty`);
    }
  }
  if (ownerReferences.filter(({ controller }) => controller === true).length > 1) {
    yield invalidValue('metadata.ownerReferences', JSON.stringify(ownerReferences), 'Only one reference can have Controller set to true.');
  }
}

function nameError(name: string, syntax: Syntax): FieldError | undefined {
  if (name === '') return required('metadata.name', 'name or generateName is required');
  if (name.length > syntax.longest)
    return invalidValue('metadata.name', JSON.stringify(name), `must be no more than ${String(syntax.longest)} characters`);
  return syntax.pattern.test(name) ? undefined : invalidValue('metadata.name', JSON.stringify(name), syntax.problem);
}

/** What is wrong with the metadata of an object. */
export function metaErrors(meta: StoredMeta, { nameSyntax = 'subdomain' }: KindRules): readonly FieldError[] {
  const name = nameError(meta.name, syntaxes[nameSyntax]);
  return [
    ...(name === undefined ? [] : [name]),
    ...labelErrors(meta.labels ?? {}),
    ...annotationErrors(meta.annotations ?? {}),
    ...finalizerErrors(meta.finalizers ?? []),
    ...ownerErrors(meta),
  ];
}
