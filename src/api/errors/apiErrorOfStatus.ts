import { ApiError } from './apiError.js';
import { hideSecrets } from './hideSecrets.js';
import type { Status } from './status.js';

/** A server, or what stands in front of it, may quote the credentials that it refuses. */
function withoutSecrets({ message, details, ...status }: Status): Status {
  const causes = details?.causes?.map((cause) => (cause.message === undefined ? cause : { ...cause, message: hideSecrets(cause.message) }));
  return {
    ...status,
    ...(message !== undefined && { message: hideSecrets(message) }),
    ...(details !== undefined && { details: { ...details, ...(causes !== undefined && { causes }) } }),
  };
}

/** The error that a Status stands for, without what looks like a secret in its words. */
export function apiErrorOfStatus(sent: Status, request?: string): ApiError {
  const status = withoutSecrets(sent);
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
