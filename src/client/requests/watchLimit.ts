import { finalize, type MonoTypeOperatorFunction } from 'rxjs';
import type { TransportEvent, TransportRequest } from './transport.js';

/** The connections that browsers open to one host over HTTP/1.1, whatever the number of tabs. */
const connectionsPerHost = 6;

type Timing = { readonly name: string; readonly nextHopProtocol?: string };

/** What a watch limit depends on. */
export interface WatchLimitInit {
  readonly server: string;
  /** By default whether this is a browser: other programs open as many connections as they need. */
  readonly isLimited?: boolean | undefined;
  /** The last requests of this page and what they went over, as `performance` has them. */
  readonly timings?: (() => readonly Timing[]) | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

function timingsOfPage(): readonly Timing[] {
  const { performance } = globalThis as { performance?: { getEntriesByType?: (type: string) => readonly Timing[] } };
  return performance?.getEntriesByType?.('resource') ?? [];
}

const isWatch = ({ path }: TransportRequest): boolean => /[?&]watch=(true|1)\b/.test(path);

/**
 * Counts the watches that are open, and warns when they leave no connection for anything else: a browser holds back whatever is asked of a host beyond six
 * connections over HTTP/1.1, without a word.
 */
export function watchLimit(init: WatchLimitInit): (request: TransportRequest) => MonoTypeOperatorFunction<TransportEvent> {
  // A client has no logger, and nobody else would know.
  const { server, timings = timingsOfPage, warn = (message) => console.warn(message) } = init;
  let isLimited = init.isLimited;
  let open = 0;
  let hasWarned = false;

  /** Over TLS, what has been answered before tells: where browsers do not say, they are believed to speak HTTP/2. */
  const isHttp1 = (): boolean => {
    if (server.startsWith('http:')) return true;
    const last = timings()
      .filter(({ name, nextHopProtocol = '' }) => name.startsWith(server) && nextHopProtocol !== '')
      .at(-1);
    return last?.nextHopProtocol?.startsWith('http/1') === true;
  };

  const opened = (): void => {
    open += 1;
    isLimited ??= !asksForIdentity();
    if (hasWarned || open < connectionsPerHost || !isLimited || !isHttp1()) return;
    hasWarned = true;
    warn(
      `rx-informer: ${open} watches of ${server} are open over HTTP/1.1, and a browser opens ${connectionsPerHost} connections to a host at most: other watches, ` +
        'lists and writes will wait until one of these ends. Serve the API over HTTP/2 (with TLS), watch fewer resources from this page, or let a server of yours watch them.',
    );
  };

  return (request) => (events) => {
    if (!isWatch(request)) return events;
    opened();
    return events.pipe(finalize(() => (open -= 1)));
  };
}

/**
 * Whether a request of `fetch` can ask for an answer that is not compressed. Browsers decide on their own what they take, and leave the header out.
 *
 * A server since Kubernetes 1.37 compresses a streamed list as one gzip member per flush, of which browsers read the first and take the answer for complete.
 */
export function asksForIdentity(): boolean {
  if (typeof Request !== 'function') return true;
  return new Request('http://localhost/', { headers: { 'accept-encoding': 'identity' } }).headers.has('accept-encoding');
}
