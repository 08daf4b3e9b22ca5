import { concat, defer, map, type Observable, ReplaySubject, type SchedulerLike, Subject, switchMap, takeUntil, tap } from 'rxjs';
import type { ClientWrite } from '../kubeClient.js';
import type { TokenBucket } from '../../rx/tokenBucket.js';
import { RequestError, requestName } from './requestError.js';
import type { Connection, TransportEvent, TransportRequest } from './transport.js';
import { messageOf } from '../../api/errors/informerError.js';
import { registry } from '../../api/running/registry.js';
import { systemClock } from '../../api/clock.js';

/** What a requester is built from. */
export interface RequesterInit {
  /** Connects. Called at the first request, and again after a failure. */
  readonly connect: () => Promise<Connection>;
  readonly userAgent: string | undefined;
  readonly requestTimeoutMs: number;
  readonly compression: boolean;
  readonly limiter: TokenBucket | undefined;
  readonly scheduler: SchedulerLike;
}

/** Logs a request and its outcome. */
function logged(exchange: Observable<TransportEvent>, name: string): Observable<TransportEvent> {
  return defer(() => {
    const request = registry().requests.begin(name);
    return exchange.pipe(
      tap({
        next: (event) => {
          if (event.type === 'data') {
            request.bytes += event.chunk.length;
          } else {
            request.status = event.status;
            request.headAt = systemClock.now();
          }
        },
        error: (error: unknown) => (request.failure = messageOf(error)),
        finalize: () => (request.endedAt = systemClock.now()),
      }),
    );
  });
}

/** Sends the requests of one client: connects, and applies the rate limit. */
export class Requester {
  readonly init: RequesterInit;
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

  /** One request, sent once and at once: like client-go, watches bypass the rate limit. */
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

  /** The `accept-encoding` of requests other than watches. */
  get encoding(): { readonly 'accept-encoding': string } {
    return { 'accept-encoding': this.init.compression ? 'gzip' : 'identity' };
  }

  /** Emits a successful write on `writes$`. */
  wrote(write: ClientWrite): void {
    this.written$.next(write);
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
