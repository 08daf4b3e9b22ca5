import { brand } from '../brand.js';
import { foreignText, foreignTexts } from './foreignText.js';
import { hideSent } from './sentSecrets.js';

/** One cause in the details of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The details of a Status beyond its message. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** An API server's answer about an operation, in bodies of failed requests and in ERROR events of a watch. */
export interface Status {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata?: { readonly continue?: string | undefined; readonly resourceVersion?: string | undefined };
  readonly status?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Whether a value is a Status object of the API server. */
export function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, apiVersion } = value as { kind?: unknown; apiVersion?: unknown };
  return kind === 'Status' && (apiVersion === undefined || apiVersion === 'v1' || apiVersion === 'meta.k8s.io/v1');
}

/** What an ApiError is made of. */
export interface ApiErrorInit {
  /** The HTTP status code, or the code of a Status inside a watch. */
  readonly code: number;
  readonly message: string;
  readonly status?: Status | undefined;
  /** From the `Retry-After` header or the Status, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The request, for example `GET /api/v1/pods`: method and path, never a token. */
  readonly request?: string | undefined;
}

/** The maximum number of causes that are kept. */
const maxCauses = 100;
/** Programs compare reasons: one of this form is kept unchanged. */
const reasonWord = /^[A-Z][A-Za-z]{0,39}$/;

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose => typeof value === 'object' && value !== null;

/** The string fields, redacted for display; others are left out. */
function textsOf(from: Loose, fields: readonly string[]): Record<string, string> {
  const given = fields.flatMap((field) => (typeof from[field] === 'string' ? [[field, from[field]] as const] : []));
  return Object.fromEntries(given.map(([field, text]) => [field, field === 'reason' && reasonWord.test(text) ? text : foreignText(text)]));
}

/** The `continue` token is sent back to the server, so it must not be redacted. */
function tokensOf(from: unknown): Status['metadata'] {
  if (!isObject(from)) return undefined;
  const { continue: next, resourceVersion } = from;
  return {
    ...(typeof next === 'string' && { continue: hideSent([next])[0] ?? '' }),
    ...(typeof resourceVersion === 'string' && { resourceVersion: foreignText(resourceVersion) }),
  };
}

function detailsOf(from: unknown, causes: readonly StatusCause[] | undefined): StatusDetails | undefined {
  if (!isObject(from)) return undefined;
  const { retryAfterSeconds } = from;
  return {
    ...textsOf(from, ['name', 'group', 'kind', 'uid']),
    ...(causes !== undefined && { causes }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  };
}

/**
 * A Status that is safe to show: its known fields of the right type, redacted, without control characters, and shortened. A server or
 * a proxy may quote the credentials that it refuses, also in pieces: the message and those of the causes are searched as one text.
 */
export function foreignStatus(sent: object): Status {
  const { message, code, metadata, details } = sent as Loose;
  const sentCauses =
    isObject(details) && Array.isArray(details['causes']) ? details['causes'].filter(isObject).slice(0, maxCauses) : undefined;
  const messages = [message, ...(sentCauses ?? []).map((cause) => cause['message'])];
  const [shown, ...ofCauses] = foreignTexts(messages.map((text) => (typeof text === 'string' ? text : '')));
  const causes = sentCauses?.map((cause, at) => ({
    ...textsOf(cause, ['reason', 'field']),
    ...(typeof cause['message'] === 'string' && { message: ofCauses[at] ?? '' }),
  }));
  const tokens = tokensOf(metadata);
  const known = detailsOf(details, causes);
  return {
    ...textsOf(sent as Loose, ['kind', 'apiVersion', 'status', 'reason']),
    ...(tokens !== undefined && { metadata: tokens }),
    ...(typeof message === 'string' && { message: shown ?? '' }),
    ...(known !== undefined && { details: known }),
    ...(typeof code === 'number' && { code }),
  };
}

/**
 * An unsuccessful answer of the API server, or an ERROR event of a watch.
 *
 * The server's texts are redacted, on one line, and at most 1,024 bytes long each; a shortened one says how much is missing.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status code, for example 404. */
  readonly code: number;
  /** The reason of the Status, for example `NotFound`; `''` when there is none. */
  readonly reason: string;
  readonly status: Status | undefined;
  readonly retryAfterMs: number | undefined;
  readonly request: string | undefined;

  constructor(init: ApiErrorInit) {
    super(foreignText(init.message));
    const status = init.status && foreignStatus(init.status);
    this.code = init.code;
    this.reason = status?.reason ?? '';
    this.status = status;
    // Hand-made ones may be no numbers: a Retry-After may be a date.
    this.retryAfterMs = Number(init.retryAfterMs) >= 0 ? init.retryAfterMs : undefined;
    this.request = init.request;
  }
}

brand(ApiError, 'ApiError');

/** The error of a Status, redacted. */
export function apiErrorOfStatus(sent: Status, request?: string, retryAfterMs?: number): ApiError {
  // Its fields need not have the types of a Status.
  const status = foreignStatus(sent);
  const seconds = status.details?.retryAfterSeconds;
  return new ApiError({
    code: status.code ?? 0,
    message:
      [status.message, status.reason].find((text) => text !== undefined && text !== '') ?? 'The API server sent a Status without a message',
    status,
    retryAfterMs: retryAfterMs ?? (seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined),
    request,
  });
}

const isKnownReason = (reason: string): boolean =>
  (
    'BadRequest Unauthorized Forbidden NotFound AlreadyExists Conflict Gone Expired Invalid ServerTimeout Timeout TooManyRequests MethodNotAllowed ' +
    'NotAcceptable UnsupportedMediaType RequestEntityTooLarge InternalError ServiceUnavailable StoreReadError'
  )
    .split(' ')
    .includes(reason);

/** A thrown value and its causes. At most eight, since causes may form a circle. */
export function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let cause = error;
  while (cause !== undefined && causes.push(cause) < 8) ({ cause } = (cause ?? {}) as { readonly cause?: unknown });
  return causes;
}

/** The error itself or its cause, if that is an ApiError. */
export function apiErrorIn(error: unknown): ApiError | undefined {
  return causesOf(error).find((cause) => cause instanceof ApiError);
}

function hasReason(error: unknown, reason: string): boolean {
  return apiErrorIn(error)?.reason === reason;
}

/** Compares the reason; the code only if the reason is missing or unknown. */
function hasReasonOrCode(error: unknown, reason: string, code: number): boolean {
  const found = apiErrorIn(error);
  return found !== undefined && (found.reason === reason || (found.code === code && !isKnownReason(found.reason)));
}

/**
 * The object, the kind or the path does not exist (404).
 *
 * @example
 * ```ts
 * import { createClient, isNotFound, resources } from 'rx-informer';
 *
 * const settings = await createClient()
 *   .get(resources.core.v1.configmaps, 'settings', { namespace: 'default' })
 *   .catch((error: unknown) => {
 *     if (isNotFound(error)) return undefined;
 *     throw error;
 *   });
 * console.log(settings?.data ?? 'there are no settings');
 * ```
 */
export function isNotFound(error: unknown): boolean {
  return hasReasonOrCode(error, 'NotFound', 404);
}

/** The credentials are missing, wrong or expired (401). */
export function isUnauthorized(error: unknown): boolean {
  return hasReasonOrCode(error, 'Unauthorized', 401);
}

/**
 * The user may not do this (403).
 *
 * @example
 * ```ts
 * import { createClient, createInformer, isForbidden, resources } from 'rx-informer';
 *
 * const secrets = createInformer(createClient(), resources.core.v1.secrets);
 * secrets.health$.subscribe(({ error }) => {
 *   if (isForbidden(error)) console.log('grant list and watch of secrets');
 * });
 * ```
 */
export function isForbidden(error: unknown): boolean {
  return hasReasonOrCode(error, 'Forbidden', 403);
}

/**
 * An object of that name exists already (409).
 *
 * @example
 * ```ts
 * import { createClient, isAlreadyExists, resources } from 'rx-informer';
 *
 * const lock = { metadata: { name: 'lock', namespace: 'default' } };
 * const isMine = await createClient()
 *   .create(resources.core.v1.configmaps, lock)
 *   .then(() => true)
 *   .catch((error: unknown) => {
 *     if (isAlreadyExists(error)) return false;
 *     throw error;
 *   });
 * console.log(isMine);
 * ```
 */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, 'AlreadyExists');
}

/**
 * The object has changed since it was read, or another manager owns the field (409).
 *
 * @example
 * ```ts
 * import { createClient, isConflict, resources, type V1ConfigMap } from 'rx-informer';
 *
 * const client = createClient();
 * // Changes the newest version, however often another client is faster.
 * export async function change(name: string, data: V1ConfigMap['data']): Promise<V1ConfigMap> {
 *   const before = await client.get(resources.core.v1.configmaps, name, { namespace: 'default' });
 *   return client.replace(resources.core.v1.configmaps, { ...before, data }).catch((error: unknown) => {
 *     if (isConflict(error)) return change(name, data);
 *     throw error;
 *   });
 * }
 * ```
 */
export function isConflict(error: unknown): boolean {
  return hasReasonOrCode(error, 'Conflict', 409);
}

/**
 * The requested version is no longer kept: reason `Expired` or `Gone`, or a 410 without a known reason.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, isExpired, resources } from 'rx-informer';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * pods.error$.subscribe((error) => console.log(isExpired(error) ? 'a list follows' : error.message));
 * pods.start();
 * ```
 */
export function isExpired(error: unknown): boolean {
  return hasReason(error, 'Expired') || hasReasonOrCode(error, 'Gone', 410);
}

/** The server asks to slow down: reason `TooManyRequests` or code 429. */
export function isTooManyRequests(error: unknown): boolean {
  return hasReason(error, 'TooManyRequests') || apiErrorIn(error)?.code === 429;
}

/** The server failed internally (500). */
export function isInternalError(error: unknown): boolean {
  return hasReasonOrCode(error, 'InternalError', 500);
}

const tooLarge = 'Too large resource version';
const futureRevision = 'required revision is a future revision';

/**
 * The requested version is newer than what the server has seen. Servers since 1.19 give a cause of their own type; older ones say so
 * in the message of a cause, or of the Status.
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  const details = apiErrorIn(error)?.status?.details;
  const causes = details?.causes ?? [];
  // Up to Kubernetes 1.33, a list of exactly a future version has the error of etcd, as an internal one.
  if (isInternalError(error) && apiErrorIn(error)?.message.includes(futureRevision) === true) return true;
  if (causes.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return true;
  if (details === undefined || !hasReasonOrCode(error, 'Timeout', 504)) return false;
  return causes.some((cause) => cause.message === tooLarge) || apiErrorIn(error)?.message.includes(tooLarge) === true;
}
