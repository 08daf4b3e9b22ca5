import { Observable } from 'rxjs';
import type { Transport, TransportEvent, TransportRequest } from '../../src/client/requests/transport.js';

/**
 * What a fake server says to a request: an object becomes JSON.
 */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Leaves the exchange open. */
  readonly open?: boolean;
}

/**
 * A transport without a network.
 */
export interface FakeTransport extends Transport {
  readonly requests: readonly TransportRequest[];
  /** How many exchanges are subscribed to. */
  readonly active: number;
  readonly closed: boolean;
}

const utf8 = new TextEncoder();

/**
 * A transport that answers at once.
 */
export function fakeTransport(respond: (request: TransportRequest, index: number) => FakeAnswer): FakeTransport {
  const requests: TransportRequest[] = [];
  let active = 0;
  let closed = false;
  return {
    server: 'https://fake',
    requests,
    get active() {
      return active;
    },
    get closed() {
      return closed;
    },
    credentials: { get: () => Promise.resolve({ headers: {}, tls: {} }) },
    send: (request) =>
      new Observable<TransportEvent>((subscriber) => {
        active += 1;
        requests.push(request);
        const { status = 200, headers = {}, body, open = false } = respond(request, requests.length - 1);
        subscriber.next({ type: 'head', status, headers: { 'content-type': 'application/json', ...headers } });
        const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
        if (text !== '') subscriber.next({ type: 'data', chunk: utf8.encode(text) });
        if (!open) subscriber.complete();
        return () => {
          active -= 1;
        };
      }),
    close: () => {
      closed = true;
    },
  };
}
