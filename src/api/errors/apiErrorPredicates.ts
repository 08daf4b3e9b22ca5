import { ApiError } from './apiError.js';

const known = new Set(
  (
    'BadRequest Unauthorized Forbidden NotFound AlreadyExists Conflict Gone Expired Invalid ServerTimeout Timeout TooManyRequests MethodNotAllowed ' +
    'NotAcceptable UnsupportedMediaType RequestEntityTooLarge InternalError ServiceUnavailable StoreReadError'
  ).split(' '),
);

/** The ApiError that an error is, or that it was caused by. */
function apiErrorIn(error: unknown): ApiError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (current instanceof ApiError) return current;
    current = current.cause;
  }
  return undefined;
}

function hasReason(error: unknown, reason: string): boolean {
  return apiErrorIn(error)?.reason === reason;
}

/** By reason; by code only when the server gave no reason that is known. */
function hasReasonOrCode(error: unknown, reason: string, code: number): boolean {
  const found = apiErrorIn(error);
  return found !== undefined && (found.reason === reason || (found.code === code && !known.has(found.reason)));
}

/** The object, the kind or the path does not exist (404). */
export function isNotFound(error: unknown): boolean {
  return hasReasonOrCode(error, 'NotFound', 404);
}

/** The credentials are missing, wrong or expired (401). */
export function isUnauthorized(error: unknown): boolean {
  return hasReasonOrCode(error, 'Unauthorized', 401);
}

/** The user may not do this (403). */
export function isForbidden(error: unknown): boolean {
  return hasReasonOrCode(error, 'Forbidden', 403);
}

/** An object of that name exists already (409). */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, 'AlreadyExists');
}

/** The object has changed since it was read, or another manager owns the field (409). */
export function isConflict(error: unknown): boolean {
  return hasReasonOrCode(error, 'Conflict', 409);
}

/** The object is not valid (422). */
export function isInvalid(error: unknown): boolean {
  return hasReasonOrCode(error, 'Invalid', 422);
}

/** The requested version is no longer kept: reason `Expired` or `Gone`, or a 410 without a known reason. */
export function isExpired(error: unknown): boolean {
  return hasReason(error, 'Expired') || hasReasonOrCode(error, 'Gone', 410);
}

/** The server asks to slow down: reason or code 429, whatever the other one is. */
export function isTooManyRequests(error: unknown): boolean {
  return hasReason(error, 'TooManyRequests') || apiErrorIn(error)?.code === 429;
}

/** The server failed internally (500). */
export function isInternalError(error: unknown): boolean {
  return hasReasonOrCode(error, 'InternalError', 500);
}

const tooLarge = 'Too large resource version';

/**
 * The requested version is newer than what the server has seen. Servers since 1.19 give a cause of their own type; older ones say so
 * in the message of a cause, or of the Status.
 */
export function isTooLargeResourceVersion(error: unknown): boolean {
  const details = apiErrorIn(error)?.status?.details;
  const causes = details?.causes ?? [];
  if (causes.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return true;
  if (details === undefined || !hasReasonOrCode(error, 'Timeout', 504)) return false;
  return causes.some((cause) => cause.message === tooLarge) || apiErrorIn(error)?.message.includes(tooLarge) === true;
}
