import { retry, throwError, timer, type MonoTypeOperatorFunction, type SchedulerLike } from 'rxjs';
import { ApiError } from '../../api/errors/apiError.js';

/** client-go gives up after as many. */
const maxRetries = 10;

/**
 * Sends again what the server refused with 429 or 5xx and a Retry-After, at most ten times, and not beyond the deadline.
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
      return asked === undefined || scheduler.now() + asked >= deadline ? throwError(() => error) : timer(asked, scheduler);
    },
  });
}
