import { ApiError } from '../../api/errors/apiError.js';
import {
  isExpired,
  isInternalError,
  isNotFound,
  isTooLargeResourceVersion,
  isTooManyRequests,
  isUnauthorized,
} from '../../api/errors/apiErrorPredicates.js';
import { InformerError } from '../../api/errors/informerError.js';

/**
 * What a failed list or watch means for the next step.
 *
 * - `connection`: no answer of the server at all: refused, reset, timed out.
 * - `credentials`: nothing was asked, because the credentials could not be had.
 * - `decode`: an answer that is not what the protocol allows.
 * - `unsupported`: the server does not understand the request.
 * - `refused`: any other answer that is of no use.
 *
 * @internal
 */
export type FailureKind =
  | 'expired'
  | 'tooLargeResourceVersion'
  | 'tooManyRequests'
  | 'unauthorized'
  | 'notServed'
  | 'internal'
  | 'unsupported'
  | 'refused'
  | 'decode'
  | 'credentials'
  | 'connection';

/** By code: the answers that say "this request is not one that I understand". */
const unsupportedCodes: ReadonlySet<number> = new Set([400, 405, 406, 415, 422]);

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** Says what can be done about a failure. @internal */
export function failureKind(error: unknown): FailureKind {
  if (hasCode(error, 'ERR_DECODE') || error instanceof SyntaxError) return 'decode';
  if (error instanceof InformerError) return 'refused';
  if (!(error instanceof ApiError)) return hasCode(error, 'ERR_CREDENTIALS') ? 'credentials' : 'connection';
  if (isTooManyRequests(error)) return 'tooManyRequests';
  if (isExpired(error)) return 'expired';
  if (isTooLargeResourceVersion(error)) return 'tooLargeResourceVersion';
  if (isUnauthorized(error)) return 'unauthorized';
  if (isNotFound(error)) return 'notServed';
  if (isInternalError(error)) return 'internal';
  return unsupportedCodes.has(error.code) ? 'unsupported' : 'refused';
}
