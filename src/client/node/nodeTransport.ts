import type http from 'node:http';
import { catchError, defer, switchMap, throwError, type Observable } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import type { CredentialSource, Credentials } from '../auth/credentials.js';
import { requestFailure } from '../requests/requestError.js';
import type { Transport, TransportEvent, TransportRequest } from '../requests/transport.js';
import { withCredentials } from '../auth/withCredentials.js';
import { AgentPool } from './agentPool.js';
import { http2Exchange } from './http2/http2Exchange.js';
import { Http2Pool } from './http2/http2Pool.js';
import { Http2Session } from './http2/http2Session.js';
import { httpExchange } from './httpExchange.js';
import { StaleConnection } from './nodeExchange.js';

/** What a transport is built from. */
export interface NodeTransportInit {
  /** The server's URL, without a slash at its end. */
  readonly server: string;
  readonly credentials: CredentialSource;
  /** @defaultValue 15000 */
  readonly connectTimeoutMs?: number | undefined;
  /** How long an idle connection is kept. @defaultValue 30000 */
  readonly idleTimeoutMs?: number | undefined;
  /** Whether to use HTTP/2 with a server that offers it. @defaultValue false */
  readonly http2?: boolean | undefined;
  /** Over HTTP/2: the length of silence after which a PING is sent. @defaultValue 30000, as in Go */
  readonly pingAfterMs?: number | undefined;
  /** Over HTTP/2: how long an answer to a PING may take. @defaultValue 15000, as in Go */
  readonly pingTimeoutMs?: number | undefined;
}

/** API servers close an idle connection after 90 s, load balancers in front of them after 60 s. */
const defaultIdleTimeoutMs = 30_000;

/** How often a request is repeated that the server did not process because it was shutting down (GOAWAY). */
const mostRepeats = 3;

/**
 * Sends requests with `node:http` and `node:https` over kept connections.
 *
 * With `http2`, one connection carries all concurrent requests where the server offers that. A request that the server did not process because it was shutting
 * down (GOAWAY) is repeated on a new connection.
 *
 * A GET whose kept connection turns out to be closed, before a byte of the answer, is repeated once on a new one. When a request is aborted after 10 s
 * without a byte, the idle connections are closed as well: the next request opens a new one.
 */
export function nodeTransport(init: NodeTransportInit): Transport {
  const { server, credentials: source, connectTimeoutMs = defaults.connectTimeoutMs, idleTimeoutMs = defaultIdleTimeoutMs } = init;
  const pool = new AgentPool({ server, idleTimeoutMs, connectTimeoutMs });
  const { http2 = false, pingAfterMs = 30_000, pingTimeoutMs = 15_000 } = init;
  const sessions = http2 ? new Http2Pool({ server, connectTimeoutMs, idleTimeoutMs, pingAfterMs, pingTimeoutMs }) : undefined;
  const base = new URL(server).pathname.replace(/\/$/, '');
  const connect = async (credentials: Credentials) => (await sessions?.sessionFor(credentials)) ?? (await pool.agentFor(credentials));
  const suspect = () => pool.dropIdle();
  const exchange = (request: TransportRequest, credentials: Credentials): Observable<TransportEvent> => {
    const headers = { ...request.headers, ...credentials.headers } as http.OutgoingHttpHeaders;
    return defer(() => connect(credentials)).pipe(
      catchError((error: unknown) => throwError(() => requestFailure(error, request))),
      switchMap((by) =>
        by instanceof Http2Session
          ? http2Exchange(request, { session: by, headers, path: base + request.path })
          : httpExchange(request, { url: server + request.path, headers, agent: by, connectTimeoutMs, suspect }),
      ),
    );
  };
  const send = (request: TransportRequest, credentials: Credentials, repeats = 0): Observable<TransportEvent> =>
    exchange(request, credentials).pipe(
      catchError((error: unknown) => {
        if (!(error instanceof StaleConnection)) return throwError(() => error);
        const mayRepeat = error.untouched ? repeats < mostRepeats : repeats === 0 && request.method === 'GET';
        if (!mayRepeat) return throwError(() => error.failure);
        pool.dropIdle();
        return send(request, credentials, repeats + 1);
      }),
    );

  return {
    server,
    request: withCredentials(source, (request, credentials) => send(request, credentials)),
    close() {
      pool.close();
      sessions?.close();
      source.close?.();
    },
  };
}
