import { finalize, type MonoTypeOperatorFunction } from 'rxjs';
import type { TransportEvent, TransportRequest } from './transport.js';

/** The number of connections that a browser opens to one host over HTTP/1.1, in all tabs together. */
const connectionsPerHost = 6;

export const isWatch = ({ path }: TransportRequest): boolean => /[?&]watch=(true|1)(&|$)/.test(path);

/**
 * Counts open watches, and warns when they leave no connection for other requests: a browser silently queues requests to a host beyond six connections over
 * HTTP/1.1. Over TLS, API servers and the proxies before them speak HTTP/2.
 */
export function watchLimit(server: string): (request: TransportRequest) => MonoTypeOperatorFunction<TransportEvent> {
  let open = 0;
  let hasWarned = false;

  const opened = (): void => {
    open += 1;
    if (hasWarned || open < connectionsPerHost || asksForIdentity() || !server.startsWith('http:')) return;
    hasWarned = true;
    // A client has no logger, so the console is the only place for the warning.
    console.warn(
      `rx-informer: ${open} watches of ${server} are open over HTTP/1.1, all that a browser opens to a host: other requests wait. Serve the API over HTTP/2 (with TLS), or watch less.`,
    );
  };

  return (request) => (events) => {
    if (!isWatch(request)) return events;
    opened();
    return events.pipe(finalize(() => (open -= 1)));
  };
}

/**
 * Whether `fetch` can request an uncompressed answer. Browsers set `accept-encoding` themselves, and drop ours.
 *
 * Since Kubernetes 1.37, a server compresses a streamed list as one gzip member per flush; browsers read only the first one and take it for the whole answer.
 */
export function asksForIdentity(): boolean {
  if (typeof Request !== 'function') return true;
  return new Request('http://localhost/', { headers: { 'accept-encoding': 'identity' } }).headers.has('accept-encoding');
}
