import type http from 'node:http';
import { catchError, defer, switchMap, throwError, type Observable } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import type { CredentialSource, Credentials } from '../auth/credentials.js';
import type { Transport, TransportEvent, TransportRequest } from '../requests/transport.js';
import { withCredentials } from '../auth/withCredentials.js';
import { AgentPool } from './agentPool.js';
import { exchangeError, httpExchange, StaleConnection } from './httpExchange.js';

/**
 * What a transport is made of.
 */
export interface NodeTransportInit {
  /** The server's URL, without a slash at its end. */
  readonly server: string;
  readonly credentials: CredentialSource;
  /** @defaultValue 15000 */
  readonly connectTimeoutMs?: number;
  /** How long a connection is kept that nobody uses. @defaultValue 30000 */
  readonly idleTimeoutMs?: number;
}

/** API servers close an idle connection after 90 s, load balancers in front of them after 60 s. */
const defaultIdleTimeoutMs = 30_000;

/** An exchange given up after so long a silence has probably lost its peer, and so have the idle connections beside it. */
const suspiciousSilenceMs = 10_000;

/**
 * Sends requests with `node:http` and `node:https` over kept connections.
 *
 * A GET that finds its kept connection closed by the server, before a byte of the answer, is repeated once on a new one. A connection in which nothing
 * was heard for 10 s when its request was given up takes the idle ones with it: whatever comes next begins on a new one.
 */
export function nodeTransport(init: NodeTransportInit): Transport {
  const { server, credentials: source, connectTimeoutMs = defaults.connectTimeoutMs, idleTimeoutMs = defaultIdleTimeoutMs } = init;
  const pool = new AgentPool(server, idleTimeoutMs);
  const abandoned = (silentMs: number) => {
    if (silentMs >= suspiciousSilenceMs) pool.dropIdle();
  };

  const exchange = (request: TransportRequest, credentials: Credentials): Observable<TransportEvent> => {
    const headers = { ...request.headers, ...(credentials.headers as http.OutgoingHttpHeaders) };
    return defer(() => pool.agentFor(credentials)).pipe(
      catchError((error: unknown) => throwError(() => exchangeError(error, request))),
      switchMap((agent) => httpExchange(request, { url: server + request.path, headers, agent, connectTimeoutMs, abandoned })),
    );
  };
  const send = (request: TransportRequest, credentials: Credentials, repeatable = request.method === 'GET'): Observable<TransportEvent> =>
    exchange(request, credentials).pipe(
      catchError((error: unknown) => {
        if (!(error instanceof StaleConnection)) return throwError(() => error);
        if (!repeatable) return throwError(() => error.failure);
        pool.dropIdle();
        return send(request, credentials, false);
      }),
    );

  return {
    server,
    request: withCredentials(source, (request, credentials) => send(request, credentials)),
    close() {
      pool.close();
      source.close?.();
    },
  };
}
