import { defer, Observable } from 'rxjs';
import { corsMessage, fetchExchange } from '../../api/fetchExchange.js';
import type { CredentialSource, Credentials } from '../auth/credentials.js';
import type { ClientOptions } from '../clientOptions.js';
import { RequestError, requestFailure, requestName, rootCause } from './requestError.js';
import type { Connection, Transport, TransportEvent, TransportRequest } from './transport.js';
import { watchLimit } from './watchLimit.js';

function headersOf(request: TransportRequest, credentials: Credentials): Headers {
  const headers = new Headers(request.headers);
  for (const [name, values] of Object.entries(credentials.headers)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

function corsError(request: string): RequestError {
  return new RequestError({ code: 'ERR_CORS', message: `${request} failed: ${corsMessage()}`, request });
}

/** Sends requests with `fetch`, without any module of Node: for browsers, Deno, Bun, and for a `fetch` given by the user. */
export function fetchTransport(server: string, credentials: CredentialSource, fetch: typeof globalThis.fetch): Transport {
  const counted = watchLimit(server);
  const exchangeOf = (request: TransportRequest, current: Credentials) =>
    new Observable<TransportEvent>((subscriber) => {
      // An error thrown here is passed on unchanged.
      request.beforeSend?.();
      return fetchExchange({
        ...{ fetch, url: server + request.path, probe: `${server}/version` },
        init: { method: request.method, headers: headersOf(request, current), redirect: 'manual', body: request.body },
        head: ({ status, type, headers }) => {
          // Browsers hide status and target of a redirect, as to a login.
          if (type === 'opaqueredirect') throw new Error('the answer is a redirect, as to a login');
          subscriber.next({ type: 'head', status, headers: Object.fromEntries(headers) });
          return true;
        },
        chunk: (chunk) => subscriber.next({ type: 'data', chunk }),
        complete: () => subscriber.complete(),
        error: (error, isRefused) =>
          subscriber.error(isRefused ? corsError(requestName(request)) : requestFailure(error, request, rootCause(error))),
      });
    });

  return {
    server,
    credentials,
    send: (request, current) => defer(() => exchangeOf(request, current).pipe(counted(request))),
    close: () => credentials.close?.(),
  };
}

/** Connects to the server of the options with `fetch`. */
export function connectByFetch(
  { server, fetch = globalThis.fetch }: ClientOptions,
  credentials: CredentialSource,
): () => Promise<Connection> {
  if (server === undefined) throw new TypeError('Expected `server`: kubeconfigs are supported in Node only');
  const transport = fetchTransport(server.replace(/\/+$/, ''), credentials, fetch);
  return () => Promise.resolve({ transport, defaultNamespace: 'default' });
}
