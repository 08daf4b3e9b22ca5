import { retry, throwError, timer, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import { ApiError } from '../../api/errors/apiError.js';

/** client-go gives up after as many. */
const maxRetries = 10;

/**
 * Sends again what the server refused with 429 or 5xx and a Retry-After, at most ten times, and not beyond the deadline. A wait is never longer than
 * `defaults.maxRetryAfterMs`, whatever the server says.
 *
 * @see client-go's `rest.Request`
 */
export function retryAfter<T>({
  deadline,
  scheduler,
}: {
  readonly deadline: number;
  readonly scheduler: SchedulerLike;
}): MonoTypeOperatorFunction<T> {
  return retry({
    count: maxRetries,
    delay: (error: unknown) => {
      const asked = error instanceof ApiError && (error.code === 429 || error.code >= 500) ? error.retryAfterMs : undefined;
      const waitMs = Math.min(asked ?? Infinity, defaults.maxRetryAfterMs);
      return asked === undefined || scheduler.now() + waitMs >= deadline ? throwError(() => error) : timer(waitMs, scheduler);
    },
  });
}
