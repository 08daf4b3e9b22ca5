import { type FieldError, resourceName, type StatusCause, type StatusDetails } from 'rx-informer/internal';
import { StatusError } from './statusError.js';

export { duplicate, type FieldError, forbiddenField, invalidValue, notSupported, required } from 'rx-informer/internal';

/** The names of a resource in messages. */
export interface ResourceNames {
  readonly group: string;
  readonly plural: string;
}

function detailsOf({ group, plural }: ResourceNames, name: string): StatusDetails {
  return { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: plural };
}

export function notFound(resource: ResourceNames, name: string): StatusError {
  return new StatusError({
    code: 404,
    reason: 'NotFound',
    message: `${resourceName(resource)} "${name}" not found`,
    details: detailsOf(resource, name),
  });
}

export function pathNotFound(): StatusError {
  return new StatusError({ code: 404, reason: 'NotFound', message: 'the server could not find the requested resource', details: {} });
}

export function methodNotAllowed(): StatusError {
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

export function alreadyExists(resource: ResourceNames, name: string, terminating: boolean): StatusError {
  const prefix = terminating ? 'object is being deleted: ' : '';
  const message = `${prefix}${resourceName(resource)} "${name}" already exists`;
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) });
}

export function namesExhausted(resource: ResourceNames, name: string): StatusError {
  const message = `${resourceName(resource)} "${name}" already exists, the server was not able to generate a unique name for the object`;
  return new StatusError({ code: 409, reason: 'AlreadyExists', message, details: { ...detailsOf(resource, name), retryAfterSeconds: 1 } });
}

export function conflict(resource: ResourceNames, name: string, reason: string): StatusError {
  const message = `Operation cannot be fulfilled on ${resourceName(resource)} "${name}": ${reason}`;
  return new StatusError({ code: 409, reason: 'Conflict', message, details: detailsOf(resource, name) });
}

export function modifiedConflict(resource: ResourceNames, name: string): StatusError {
  return conflict(resource, name, 'the object has been modified; please apply your changes to the latest version and try again');
}

/** Storage paths of kinds that were renamed or share a prefix. */
const storedPlaces: Readonly<Record<string, string>> = {
  '/nodes': 'minions',
  '/services': 'services/specs',
  '/endpoints': 'services/endpoints',
  '/replicationcontrollers': 'controllers',
  'networking.k8s.io/ingresses': 'ingress',
};

/**
 * The error of a uid precondition that fails in the storage, which has a message of its own. For a dry run, the path lacks the root of the
 * storage.
 */
export function storageUidConflict(
  resource: ResourceNames & { readonly custom?: unknown },
  key: string,
  name: string,
  expected: string,
  actual: string,
  dryRun: boolean,
): StatusError {
  const own = resource.custom === undefined ? resource.plural : `${resource.group}/${resource.plural}`;
  const place = storedPlaces[`${resource.group}/${resource.plural}`] ?? own;
  const path = `${dryRun ? '' : '/registry'}/${place}/${key}`;
  const detail = `Precondition failed: UID in precondition: ${expected}, UID in object meta: ${actual}`;
  return conflict(resource, name, `StorageError: invalid object, Code: 4, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`);
}

export function notFoundValue(field: string, shown: string): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${shown}` };
}

export function invalid(kind: string, group: string, name: string, errors: readonly FieldError[]): StatusError {
  // Equal errors of several checks appear once in the message, and each time in the causes.
  const texts = [...new Set(errors.map(({ field, message }) => `${field}: ${message}`))];
  const all = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  const causes: StatusCause[] = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${all}`,
    details: { ...(name !== '' && { name }), ...(group !== '' && { group }), ...(kind !== '' && { kind }), causes },
  });
}

export function invalidOptions(
  kind: 'ListOptions' | 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
  ...errors: readonly FieldError[]
): StatusError {
  return invalid(kind, 'meta.k8s.io', '', errors);
}

export function rejectedPatch(): StatusError {
  return new StatusError({
    code: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
    details: {},
  });
}

export function badRequest(message: string): StatusError {
  return new StatusError({ code: 400, reason: 'BadRequest', message });
}

/** 400 for an object without a name, in a request for the object of a name. */
export function namelessObject(name: string): StatusError {
  return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
}

/** An error without a reason in the API: 500 with the message alone. */
export function bareError(message: string): StatusError {
  return new StatusError({ code: 500, message });
}

export function internalError(message: string): StatusError {
  return new StatusError({
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  });
}

export function forbidden(resource: ResourceNames, name: string, reason: string, causes?: readonly StatusCause[]): StatusError {
  const target = name === '' ? resourceName(resource) : `${resourceName(resource)} "${name}"`;
  return new StatusError({
    code: 403,
    reason: 'Forbidden',
    message: `${target} is forbidden: ${reason}`,
    details: { ...detailsOf(resource, name), ...(causes !== undefined && { causes }) },
  });
}

export function unauthorized(): StatusError {
  return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError({
    code: 410,
    reason: 'Expired',
    message,
    ...(continueToken !== undefined && { metadata: { continue: continueToken } }),
  });
}

export function tooLargeResourceVersion(requested: number | bigint, current: number): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${String(requested)}, current: ${String(current)}`,
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: 1 },
  });
}

export function notAcceptable(message: string): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

const representations = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const streams = ', application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

/** An unsupported media type in Accept or Content-Type. */
export function unknownMediaType(code: 406 | 415, streamed = false): StatusError {
  const [reason, message] =
    code === 406
      ? ['NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${representations}${streamed ? streams : ''}`]
      : ['UnsupportedMediaType', '415: Unsupported Media Type'];
  return new StatusError({ code, reason, message, details: {} });
}

/** The refusal of every form but one. */
export function onlyForm(contentType: string): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${contentType}`;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message, details: {} });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message });
}

/** The error of a request that is too large. */
export function tooLarge(why: string): StatusError {
  return new StatusError({ code: 413, reason: 'RequestEntityTooLarge', message: `Request entity too large: ${why}` });
}

export function entityTooLarge(limit: number): StatusError {
  return tooLarge(`limit is ${String(limit)}`);
}
