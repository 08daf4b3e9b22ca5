import {
  defer,
  lastValueFrom,
  merge,
  type MonoTypeOperatorFunction,
  NEVER,
  Observable,
  retry,
  type SchedulerLike,
  switchMap,
  takeUntil,
  throwError,
  timer,
} from 'rxjs';
import { defaults } from '../../api/defaults.js';
import { ApiError } from '../../api/errors/apiError.js';
import { onAbort } from '../../api/onAbort.js';
import type { ClientWrite, DeleteOptions, RequestOptions, WriteOptions } from '../kubeClient.js';
import { type Answer, maxObjectBytes, objectOf, wholeAnswer } from './answer.js';
import { requestName } from './requestError.js';
import { type Requester, tooLate } from './requester.js';
import type { TransportRequest } from './transport.js';

/** client-go's limit. */
const maxRetries = 10;

/**
 * Repeats a request answered with 429 or 5xx and a Retry-After, at most ten times and within the deadline. A wait is never longer than
 * `defaults.maxRetryAfterMs`, whatever the server asks for, and ends when the client is closed.
 *
 * @see client-go's `rest.Request`
 */
export function retryAfter<T>({
  deadline,
  scheduler,
  closed$,
}: {
  readonly deadline: number;
  readonly scheduler: SchedulerLike;
  readonly closed$: Observable<unknown>;
}): MonoTypeOperatorFunction<T> {
  return retry({
    count: maxRetries,
    delay: (error: unknown) => {
      const asked = error instanceof ApiError && (error.code === 429 || error.code >= 500) ? error.retryAfterMs : undefined;
      const waitMs = Math.min(asked ?? Infinity, defaults.maxRetryAfterMs);
      return asked === undefined || scheduler.now() + waitMs >= deadline
        ? throwError(() => error)
        : merge(timer(waitMs, scheduler), closed$);
    },
  });
}

/** A request whose answer is read to its end. Fails beyond `maxBytes`, by default the limit for one object. */
interface WholeRequest extends TransportRequest {
  readonly maxBytes?: number;
}

function aborted(signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const abort = () => subscriber.error(signal.reason);
    if (signal.aborted) abort();
    return onAbort(signal, abort);
  });
}

/** Sends the requests of one client whose answers are read to their end, and repeats them after a Retry-After. */
export class WholeRequester {
  private readonly requester: Requester;

  constructor(requester: Requester) {
    this.requester = requester;
  }

  /**
   * Sends a request and repeats it after a Retry-After, until the deadline or an abort. A deadline of the caller's own also bounds the wait for credentials and for
   * the rate limit.
   */
  run<T>(
    send: (timeoutMs: number) => Observable<T>,
    timeoutMs: number,
    { signal, timeoutMs: own = 0 }: RequestOptions,
    request: string,
  ): Promise<T> {
    const { scheduler, closed$ } = this.requester;
    const deadline = timeoutMs === 0 ? Infinity : scheduler.now() + timeoutMs;
    const attempt = defer(() => send(timeoutMs === 0 ? 0 : Math.max(1, Math.ceil(deadline - scheduler.now()))));
    const retried = attempt.pipe(retryAfter({ deadline, scheduler, closed$ }));
    const late = timer(own, scheduler).pipe(switchMap(() => tooLate(request, `got no whole answer within ${own} ms`)));
    const ends = merge(own === 0 ? NEVER : late, signal === undefined ? NEVER : aborted(signal));
    return lastValueFrom(retried.pipe(takeUntil(ends)), { defaultValue: undefined as T });
  }

  /** The answer to a request that is neither a list nor a watch. */
  ask(whole: WholeRequest, options: RequestOptions = {}): Promise<Answer> {
    const { maxBytes = maxObjectBytes, ...request } = whole;
    const { timeoutMs = this.requester.requestTimeoutMs, beforeSend, rateLimited } = options;
    const name = requestName(request);
    const headers = { ...this.requester.encoding, ...request.headers };
    const send = (remainingMs: number) =>
      this.requester
        .open({ ...request, headers, beforeSend, ...(remainingMs > 0 && { timeoutMs: remainingMs }) }, rateLimited)
        .pipe(wholeAnswer(name, maxBytes));
    return this.run(send, timeoutMs, options, name);
  }

  /** As `ask`; returns the JSON object of the answer. */
  async object<T>(request: WholeRequest, options?: RequestOptions): Promise<T> {
    return objectOf(await this.ask(request, options), requestName(request)) as T;
  }

  /** Sends a write, and emits what `writesOf` returns for its answer; a dry run emits nothing. */
  async write<T>(
    request: WholeRequest,
    options: WriteOptions | DeleteOptions,
    writesOf: (answer: T) => readonly ClientWrite[],
  ): Promise<T> {
    const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.object<T>({ ...request, headers: { ...headers, ...request.headers } }, options);
    if (options.dryRun !== true) for (const write of writesOf(answer)) this.requester.wrote(write);
    return answer;
  }
}
