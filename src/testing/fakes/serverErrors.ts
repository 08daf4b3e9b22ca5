import { ApiError, apiErrorOfStatus, type Status, type StatusDetails } from '../../api/errors/apiError.js';

/**
 * The Status of an API server for a failed request.
 *
 * @param reason - For example `Expired` or `Forbidden`.
 */
export function failureStatus(code: number, reason: string, message: string, details?: StatusDetails): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    code,
    ...(details !== undefined && { details }),
  };
}

/** The version is no longer kept (410). */
export function expiredStatus(resourceVersion: string, oldest: string): Status {
  return failureStatus(410, 'Expired', `too old resource version: ${resourceVersion} (${oldest})`);
}

/** The version is newer than what the server has seen (504). */
export function tooLargeResourceVersionStatus(resourceVersion: string, current: string): Status {
  return failureStatus(504, 'Timeout', `Timeout: Too large resource version: ${resourceVersion}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}

/**
 * The error of a request that the API server refused.
 */
export function statusError(code: number, reason: string, message: string, retryAfterMs?: number): ApiError {
  const error = apiErrorOfStatus(failureStatus(code, reason, message));
  return retryAfterMs === undefined ? error : new ApiError({ code, message, status: error.status, retryAfterMs });
}

/**
 * The error of a failed connection, as Node reports it.
 */
export function connectionError(code: 'ECONNREFUSED' | 'ECONNRESET' | 'ETIMEDOUT' | 'EPIPE'): Error {
  return Object.assign(new Error(`connect ${code}`), { code });
}
