import { ApiError } from './apiError.js';
import type { Status } from './status.js';

/** The error that a Status stands for, without secrets in its words. */
export function apiErrorOfStatus(status: Status, request?: string): ApiError {
  const seconds = status.details?.retryAfterSeconds;
  return new ApiError({
    code: status.code ?? 0,
    message:
      [status.message, status.reason].find((text) => text !== undefined && text !== '') ?? 'The API server sent a Status without a message',
    status,
    retryAfterMs: seconds !== undefined && seconds > 0 ? seconds * 1000 : undefined,
    request,
  });
}
