import { concat, defer, map, Observable, ReplaySubject, type SchedulerLike, Subject, switchMap, takeUntil } from 'rxjs';
import type { ClientWrite } from '../kubeClient.js';
import { follow } from '../../rx/trampoline.js';
import type { TokenBucket } from '../../rx/tokenBucket.js';
import { RequestError, requestName } from './requestError.js';
import type { Connection, TransportEvent, TransportRequest } from './transport.js';
import { messageOf } from '../../api/errors/informerError.js';
import { registry } from '../../api/running/registry.js';
import { requestClock } from '../../api/running/requestLog.js';

/** What a requester is made of. */
export interface RequesterInit {
  /** Called at the first request, and again if it failed. */
  readonly connect: () => Promise<Connection>;
  readonly userAgent: string | undefined;
  readonly requestTimeoutMs: number;
  readonly compression: boolean;
  readonly limiter: TokenBucket | undefined;
  readonly scheduler: SchedulerLike;
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

/** Sends the requests of one client: connects, and waits for its turn. */
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

  /** A write has been carried out. */
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
