import {
  concat,
  defer,
  map,
  type MonoTypeOperatorFunction,
  Observable,
  ReplaySubject,
  retry,
  type SchedulerLike,
  Subject,
  switchMap,
  takeUntil,
  throwError,
  timer,
} from 'rxjs';
import { type Answer, maxObjectBytes, objectOf, wholeAnswer } from './answer.js';
import type { ClientWrite, DeleteOptions, RequestOptions, WriteOptions } from '../kubeClient.js';
import { follow } from '../../rx/trampoline.js';
import type { TokenBucket } from '../../rx/tokenBucket.js';
import { RequestError, requestName } from './requestError.js';
import type { Connection, TransportEvent, TransportRequest } from './transport.js';
import { defaults } from '../../api/defaults.js';
import { ApiError } from '../../api/errors/apiError.js';
import { messageOf } from '../../api/errors/informerError.js';
import { registry } from '../../api/running/registry.js';
import { requestClock } from '../../api/running/requestLog.js';

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

/** What a requester is made of. */
interface RequesterInit {
  /** Called at the first request, and again if it failed. */
  readonly connect: () => Promise<Connection>;
  readonly userAgent: string | undefined;
  readonly requestTimeoutMs: number;
  readonly compression: boolean;
  readonly limiter: TokenBucket | undefined;
  readonly scheduler: SchedulerLike;
}

/** A request whose answer is read to its end: fails when that has more than `maxBytes`, which are those of one object when absent. */
interface WholeRequest extends TransportRequest {
  readonly maxBytes?: number;
}

function aborted(signal: AbortSignal): Observable<never> {
  return new Observable((subscriber) => {
    const abort = () => subscriber.error(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  });
}

/** Takes note of a request and of what becomes of it. */
function logged(exchange: Observable<TransportEvent>, name: string): Observable<TransportEvent> {
  return new Observable((subscriber) => {
    const request = registry().requests.begin(name);
    const over = (): void => {
      request.endedAt ??= requestClock();
    };
    subscriber.add(over);
    follow(exchange, subscriber, {
      next: (event) => {
        if (event.type === 'data') {
          request.bytes += event.chunk.length;
        } else {
          request.status = event.status;
          request.headAt = requestClock();
        }
        subscriber.next(event);
      },
      error: (error: unknown) => {
        request.failure = messageOf(error);
        over();
        subscriber.error(error);
      },
      complete: () => {
        over();
        subscriber.complete();
      },
    });
  });
}

/** Sends the requests of one client: connects, waits for its turn, retries where the server says when. */
export class Requester {
  private readonly init: RequesterInit;
  private readonly closing$ = new ReplaySubject<void>(1);
  private readonly written$ = new Subject<ClientWrite>();
  readonly writes$: Observable<ClientWrite> = this.written$.asObservable();
  private connecting: Promise<Connection> | undefined;

  constructor(init: RequesterInit) {
    this.init = init;
  }

  connection(): Promise<Connection> {
    this.connecting ??= this.init.connect().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    });
    return this.connecting;
  }

  /** One request, sent once, when the rate limit allows it. */
  open(request: TransportRequest, rateLimited = true): Observable<TransportEvent> {
    const exchange = this.openUnlimited(request);
    return this.init.limiter === undefined || !rateLimited ? exchange : concat(this.init.limiter.turn(), exchange);
  }

  /** One request, sent once and at once: client-go lets watches pass the rate limit, too. */
  openUnlimited(request: TransportRequest): Observable<TransportEvent> {
    const { userAgent } = this.init;
    const headers = { accept: 'application/json', ...(userAgent !== undefined && { 'user-agent': userAgent }), ...request.headers };
    const name = requestName(request);
    const exchange = defer(() => this.connection()).pipe(switchMap(({ transport }) => transport.request({ ...request, headers })));
    const closed = this.closing$.pipe(
      map(() => {
        throw new RequestError({ code: 'ERR_CLOSED', message: `${name} failed: the client is closed`, request: name });
      }),
    );
    return logged(exchange.pipe(takeUntil(closed)), name);
  }

  /** The encoding to ask for in answers that are not watched. */
  get encoding(): { readonly 'accept-encoding': string } {
    return { 'accept-encoding': this.init.compression ? 'gzip' : 'identity' };
  }

  /** Retries, within a deadline and until aborted, what the server asks to send again later. */
  async run<T>(send: (timeoutMs: number) => Observable<T>, timeoutMs: number, signal: AbortSignal | undefined): Promise<T> {
    const { scheduler } = this.init;
    const deadline = timeoutMs === 0 ? Infinity : scheduler.now() + timeoutMs;
    const attempt = defer(() => send(timeoutMs === 0 ? 0 : Math.max(1, Math.ceil(deadline - scheduler.now()))));
    const retried = attempt.pipe(retryAfter({ deadline, scheduler }));
    let last: T | undefined;
    await (signal === undefined ? retried : retried.pipe(takeUntil(aborted(signal)))).forEach((value) => {
      last = value;
    });
    return last as T;
  }

  /** The answer to a request that is neither a list nor a watch. */
  ask(whole: WholeRequest, options: RequestOptions = {}): Promise<Answer> {
    const { maxBytes = maxObjectBytes, ...request } = whole;
    const { timeoutMs = this.init.requestTimeoutMs, signal, beforeSend, rateLimited } = options;
    const headers = { ...this.encoding, ...request.headers };
    const send = (remainingMs: number) =>
      this.open({ ...request, headers, beforeSend, ...(remainingMs > 0 && { timeoutMs: remainingMs }) }, rateLimited).pipe(
        wholeAnswer(requestName(request), maxBytes),
      );
    return this.run(send, timeoutMs, signal);
  }

  /** The JSON object that such a request is answered with. */
  async object<T>(request: WholeRequest, options?: RequestOptions): Promise<T> {
    return objectOf(await this.ask(request, options), requestName(request)) as T;
  }

  /** Sends a write; `writesOf` says what its answer means, and is not asked after a dry run. */
  async write<T>(
    request: WholeRequest,
    options: WriteOptions | DeleteOptions,
    writesOf: (answer: T) => readonly ClientWrite[],
  ): Promise<T> {
    const headers = request.body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.object<T>({ ...request, headers: { ...headers, ...request.headers } }, options);
    if (options.dryRun !== true) for (const write of writesOf(answer)) this.written$.next(write);
    return answer;
  }

  close(): void {
    this.closing$.next();
    this.written$.complete();
    this.connecting?.then(
      ({ transport }) => transport.close(),
      () => undefined,
    );
  }
}
