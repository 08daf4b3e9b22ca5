import {
  catchError,
  concat,
  defer,
  from,
  identity,
  map,
  type MonoTypeOperatorFunction,
  type Observable,
  pipe,
  ReplaySubject,
  type SchedulerLike,
  Subject,
  switchMap,
  takeUntil,
  tap,
  throwError,
  timeout,
  timer,
} from 'rxjs';
import { defaults } from '../../api/defaults.js';
import { ApiError } from '../../api/errors/apiError.js';
import { registry } from '../../api/running.js';
import { monotonicScheduler, schedulerOf } from '../../rx/schedulerOf.js';
import { TokenBucket } from '../../rx/tokenBucket.js';
import type { CredentialSource, Credentials } from '../auth/credentials.js';
import { rememberSecrets } from '../auth/rememberSecrets.js';
import type { ClientOptions } from '../clientOptions.js';
import type { ClientWrite } from '../kubeClient.js';
import { atHead } from './answer.js';
import { redactedMessage, RequestError, requestName } from './requestError.js';
import type { Connection, Transport, TransportEvent, TransportRequest } from './transport.js';

interface Held {
  readonly credentials: Credentials;
  /** The count of renewals at the time these credentials were requested. */
  readonly renewals: number;
}

/** Lets concurrent requests share one call of `get` and one renewal, so that a credential plugin runs once for all of them. */
function sharedCredentials(source: CredentialSource) {
  let inFlight: Promise<Held> | undefined;
  let renewed = 0;
  const ask = async (renewals: number): Promise<Held> => {
    const credentials = await source.get();
    rememberSecrets(credentials);
    return { credentials, renewals };
  };
  return {
    get(): Promise<Held> {
      if (inFlight !== undefined) return inFlight;
      const asking = ask(renewed).finally(() => {
        if (inFlight === asking) inFlight = undefined;
      });
      return (inFlight = asking);
    },

    /** Handles a 401. Returns whether repeating the request may help. */
    refused({ renewals }: Held): boolean {
      if (source.renew === undefined) return false;
      // Several requests are refused with the same credentials; only the first one renews them.
      if (renewals === renewed) {
        renewed += 1;
        inFlight = undefined;
        source.renew();
      }
      return true;
    },
  };
}

/** Ends the exchange of a 401 whose answer is not read. */
class Refusal extends Error {}

function credentialsError(error: unknown, request: string): RequestError {
  if (error instanceof RequestError) return error;
  const message = `${request} was not sent, as there are no credentials: ${redactedMessage(error)}`;
  return new RequestError({ code: 'ERR_CREDENTIALS', message, request });
}

/** Fails because of a deadline. */
export const tooLate = (request: string, what: string): Observable<never> =>
  throwError(() => new RequestError({ code: 'ERR_TIMEOUT', message: `${request} ${what}`, request }));

/** Fails an exchange that takes too long, or in which nothing comes for too long. */
function bounded<T>(request: string, { timeoutMs = 0, silenceMs = 0 }: TransportRequest): MonoTypeOperatorFunction<T> {
  const late = timer(timeoutMs, monotonicScheduler).pipe(switchMap(() => tooLate(request, `got no whole answer within ${timeoutMs} ms`)));
  const silent = () => tooLate(request, `failed: nothing came for ${silenceMs} ms`);
  return pipe(
    timeoutMs === 0 ? identity : takeUntil(late),
    silenceMs === 0 ? identity : timeout({ each: silenceMs, scheduler: monotonicScheduler, with: silent }),
  );
}

/** The error of going on from a version that another cluster gave: its numbers mean nothing in this one, so everything is listed again. */
function otherCluster(request: string): ApiError {
  const message = `${request} was not sent: the kubeconfig leads to another cluster now`;
  return new ApiError({ code: 410, message, request, status: { reason: 'Expired' } });
}

interface Connected extends Connection {
  /** Sends a request with credentials, and calls `note` with every event of its exchanges. */
  exchange(this: void, request: TransportRequest, note?: (event: TransportEvent) => void): Observable<TransportEvent>;
}

/**
 * Gives every request of a transport fresh credentials. When the server refuses them (401), they are renewed and the request is repeated, once.
 *
 * The request's `timeoutMs` and `silenceMs` start when the first credentials are there, because a plugin may ask its user to log in.
 */
export function withCredentials({ credentials: source, send }: Transport): Connected['exchange'] {
  const shared = sharedCredentials(source);
  const credentialsFor = (name: string) =>
    defer(() => shared.get()).pipe(catchError((error: unknown) => throwError(() => credentialsError(error, name))));

  return (request, note) => {
    const name = requestName(request);
    const attempt = (held: Held, isRepeated = false): Observable<TransportEvent> => {
      let isAnswered = false;
      const { cluster = 0 } = held.credentials;
      const { reading } = request;
      if (reading?.goesOn === true && (reading.reader.cluster ?? cluster) !== cluster) return throwError(() => otherCluster(name));
      return send(request, held.credentials).pipe(
        note === undefined ? identity : tap(note),
        atHead(({ status }) => {
          isAnswered = true;
          if (reading !== undefined && status === 200) reading.reader.cluster = cluster;
          if (status === 401 && !isRepeated && shared.refused(held)) throw new Refusal();
        }),
        catchError((error: unknown) => {
          if (error instanceof Refusal) return credentialsFor(name).pipe(switchMap((renewed) => attempt(renewed, true)));
          if (isAnswered || isRepeated || source.failed === undefined || !(error instanceof RequestError)) return throwError(() => error);
          return from(source.failed(held.credentials, error)).pipe(
            // Only what cannot have been done already is repeated.
            switchMap((still) =>
              still === undefined && request.method === 'GET' ? credentialsFor(name) : throwError(() => still ?? error),
            ),
            switchMap((others) => attempt(others, true)),
          );
        }),
      );
    };
    return credentialsFor(name).pipe(switchMap((held) => attempt(held).pipe(bounded(name, request))));
  };
}

/** Shows a request and its outcome to whoever follows requests. */
function followed(
  name: string,
  exchange: (note?: (event: TransportEvent) => void) => Observable<TransportEvent>,
): Observable<TransportEvent> {
  return defer(() => {
    const followers = registry().beginRequest(name);
    if (followers.length === 0) return exchange();
    let failure: unknown;
    return exchange((event) => followers.forEach((each) => each.event(event))).pipe(
      tap({ error: (error: unknown) => (failure = error), finalize: () => followers.forEach((each) => each.end(failure)) }),
    );
  });
}

/** The dependencies and settings of a client. */
export interface KubeClientInit extends Pick<ClientOptions, 'userAgent' | 'requestTimeoutMs' | 'compression' | 'qps' | 'burst'> {
  /** Connects. Called at the first request, and again after a failure. */
  readonly connect: () => Promise<Connection>;
  readonly scheduler?: SchedulerLike | undefined;
  /** Default `true`. */
  readonly watchList?: boolean | undefined;
}

/** The burst of client-go's rate limiter. */
const defaultBurst = 10;

/** Sends the requests of one client: connects, gets credentials, and applies the rate limit. */
export class Requester {
  readonly scheduler: SchedulerLike;
  private readonly init: KubeClientInit;
  private readonly limiter: TokenBucket | undefined;
  private readonly closing$ = new ReplaySubject<void>(1);
  /** Emits when the client is closed, and later to whoever asks. */
  readonly closed$: Observable<void> = this.closing$.asObservable();
  private readonly written$ = new Subject<ClientWrite>();
  readonly writes$: Observable<ClientWrite> = this.written$.asObservable();
  private connecting: Promise<Connected> | undefined;

  constructor(init: KubeClientInit) {
    const { qps, burst = defaultBurst } = init;
    this.init = init;
    this.scheduler = schedulerOf(init.scheduler);
    this.limiter = qps === undefined ? undefined : new TokenBucket(qps, burst, this.scheduler);
  }

  connection(): Promise<Connected> {
    this.connecting ??= this.init.connect().then(
      (connection) => ({ ...connection, exchange: withCredentials(connection.transport) }),
      (error: unknown) => {
        this.connecting = undefined;
        throw error;
      },
    );
    return this.connecting;
  }

  /** One request, sent once, when the rate limit allows it. Like client-go's, watches bypass the rate limit. */
  open(request: TransportRequest, rateLimited = true): Observable<TransportEvent> {
    const { userAgent } = this.init;
    const headers = { accept: 'application/json', ...(userAgent !== undefined && { 'user-agent': userAgent }), ...request.headers };
    const name = requestName(request);
    const closed = this.closing$.pipe(
      map(() => {
        throw new RequestError({ code: 'ERR_CLOSED', message: `${name} failed: the client is closed`, request: name });
      }),
    );
    const exchange = followed(name, (note) =>
      defer(() => this.connection()).pipe(
        switchMap((connected) => connected.exchange({ ...request, headers }, note)),
        takeUntil(closed),
      ),
    );
    return this.limiter === undefined || !rateLimited ? exchange : concat(this.limiter.turn().pipe(takeUntil(this.closing$)), exchange);
  }

  /** The `accept-encoding` of requests other than watches. */
  get encoding(): { readonly 'accept-encoding': string } {
    return { 'accept-encoding': this.init.compression === true ? 'gzip' : 'identity' };
  }

  get requestTimeoutMs(): number {
    return this.init.requestTimeoutMs ?? defaults.requestTimeoutMs;
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
