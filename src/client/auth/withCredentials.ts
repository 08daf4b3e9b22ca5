import { catchError, defer, map, switchMap, takeUntil, throwError, timer, type Observable } from 'rxjs';
import type { CredentialSource, Credentials } from './credentials.js';
import { rememberSecrets } from './rememberSecrets.js';
import { redactedMessage, RequestError, requestName } from '../requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../requests/transport.js';

/** Sends one request, once. */
type Send = (request: TransportRequest, credentials: Credentials) => Observable<TransportEvent>;

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

function timedOut(request: string, timeoutMs: number): Observable<never> {
  return timer(timeoutMs).pipe(
    map(() => {
      throw new RequestError({ code: 'ERR_TIMEOUT', message: `${request} got no whole answer within ${timeoutMs} ms`, request });
    }),
  );
}

/**
 * Gives every request fresh credentials. When the server refuses them (401), they are renewed and the request is repeated, once.
 *
 * The request's `timeoutMs` starts when the first credentials are there, because a plugin may ask its user to log in.
 */
export function withCredentials(source: CredentialSource, send: Send): (request: TransportRequest) => Observable<TransportEvent> {
  const shared = sharedCredentials(source);
  const credentialsFor = (name: string) =>
    defer(() => shared.get()).pipe(catchError((error: unknown) => throwError(() => credentialsError(error, name))));

  return (request) => {
    const name = requestName(request);
    const attempt = (held: Held): Observable<TransportEvent> =>
      send(request, held.credentials).pipe(
        map((event) => {
          if (event.type === 'head' && event.status === 401 && shared.refused(held)) throw new Refusal();
          return event;
        }),
        catchError((error: unknown) =>
          error instanceof Refusal
            ? credentialsFor(name).pipe(switchMap(({ credentials }) => send(request, credentials)))
            : throwError(() => error),
        ),
      );
    const bounded = (exchange: Observable<TransportEvent>) =>
      request.timeoutMs === undefined || request.timeoutMs === 0 ? exchange : exchange.pipe(takeUntil(timedOut(name, request.timeoutMs)));
    return credentialsFor(name).pipe(switchMap((held) => bounded(attempt(held))));
  };
}
