import { defer, Observable } from 'rxjs';
import type { CredentialSource, Credentials } from '../auth/credentials.js';
import { fetchFailure } from './fetchFailure.js';
import type { Transport, TransportEvent, TransportRequest } from './transport.js';
import { watchLimit } from './watchLimit.js';
import { withCredentials } from '../auth/withCredentials.js';

/** What a fetch transport is made of. */
interface FetchTransportInit {
  readonly server: string;
  readonly credentials: CredentialSource;
  readonly fetch: typeof fetch;
}

function headersOf(request: TransportRequest, credentials: Credentials): Headers {
  const headers = new Headers(request.headers);
  for (const [name, values] of Object.entries(credentials.headers)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

/** Sends requests with `fetch`, and needs nothing of Node: for browsers, Deno, Bun, and for a `fetch` of one's own. */
export function fetchTransport({ server, credentials, fetch }: FetchTransportInit): Transport {
  const counted = watchLimit({ server });
  const exchangeOf = (request: TransportRequest, current: Credentials) =>
    new Observable<TransportEvent>((subscriber) => {
      // What it throws is the error, as it is.
      request.beforeSend?.();
      const abort = new AbortController();
      let isAnswered = false;
      const exchange = async (): Promise<void> => {
        const response = await fetch(server + request.path, {
          method: request.method,
          headers: headersOf(request, current),
          signal: abort.signal,
          redirect: 'manual',
          ...(request.body !== undefined && { body: request.body }),
        });
        isAnswered = true;
        subscriber.next({ type: 'head', status: response.status, headers: Object.fromEntries(response.headers) });
        const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
        for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
          subscriber.next({ type: 'data', chunk: part.value });
        }
        subscriber.complete();
      };
      const tell = (failure: unknown): void => subscriber.error(failure);
      exchange().catch((error: unknown) => fetchFailure({ error, request, server, fetch, signal: abort.signal, isAnswered }, tell));
      return () => abort.abort();
    });

  const send = (request: TransportRequest, current: Credentials) => defer(() => exchangeOf(request, current).pipe(counted(request)));
  return { server, request: withCredentials(credentials, send), close: () => credentials.close?.() };
}
