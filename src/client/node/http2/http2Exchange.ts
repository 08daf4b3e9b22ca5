import http2 from 'node:http2';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { Observable, type Subscriber } from 'rxjs';
import type { Credentials } from '../../auth/credentials.js';
import { RequestError } from '../../requests/requestError.js';
import { requestName } from '../../requests/requestName.js';
import type { TransportEvent, TransportRequest } from '../../requests/transport.js';
import { exchangeError, StaleConnection } from '../httpExchange.js';
import type { Http2Session } from './http2Session.js';

/** An exchange given up after so long a silence has probably lost its peer. */
const suspiciousSilenceMs = 10_000;

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL } = http2.constants;

function flatHeaders(headers: http2.IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !name.startsWith(':')) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** One exchange under way. */
class Exchange {
  private readonly request: TransportRequest;
  private readonly session: Http2Session;
  private readonly subscriber: Subscriber<TransportEvent>;
  private readonly stream: http2.ClientHttp2Stream;
  private readonly isFirst: boolean;
  private body: Readable | undefined;
  private heardAt = performance.now();
  private finished = false;

  constructor(
    request: TransportRequest,
    path: string,
    credentials: Credentials,
    session: Http2Session,
    subscriber: Subscriber<TransportEvent>,
  ) {
    this.request = request;
    this.session = session;
    this.subscriber = subscriber;
    this.isFirst = session.carried === 0;
    const headers = { ...request.headers, ...credentials.headers } as http2.OutgoingHttpHeaders;
    this.stream = session.request({ ...headers, ':method': request.method, ':path': path }, request.body);
    this.stream.on('response', (answer) => this.answer(answer));
    this.stream.on('error', (error) => this.fail(error));
    this.stream.on('close', () => this.closed());
  }

  private answer(answer: http2.IncomingHttpHeaders & http2.IncomingHttpStatusHeader): void {
    this.heardAt = performance.now();
    const headers = flatHeaders(answer);
    this.body = this.stream;
    if (headers['content-encoding'] === 'gzip') {
      delete headers['content-encoding'];
      this.body = this.stream.pipe(zlib.createGunzip());
      this.body.on('error', (error) => this.fail(error));
    }
    this.subscriber.next({ type: 'head', status: answer[':status'] ?? 0, headers });
    this.body.on('data', (chunk: Uint8Array) => {
      this.heardAt = performance.now();
      this.subscriber.next({ type: 'data', chunk });
    });
    // A reset ends the stream in good order, too.
    this.body.on('end', () => {
      if (this.stream.rstCode === NGHTTP2_NO_ERROR) this.end(() => this.subscriber.complete());
      else this.closed();
    });
  }

  private closed(): void {
    const { rstCode } = this.stream;
    if (this.body !== undefined && this.body !== this.stream && rstCode === NGHTTP2_NO_ERROR) return;
    this.fail(Object.assign(new Error(`the connection ended before the answer did`), { code: 'ECONNRESET' }));
  }

  private fail(error: unknown): void {
    const failure = exchangeError(error, this.request);
    const isRefused = this.stream.rstCode === NGHTTP2_REFUSED_STREAM;
    const isStale = isRefused || (!this.isFirst && this.body === undefined);
    this.end(() => this.subscriber.error(isStale ? new StaleConnection(failure, isRefused) : failure));
    if (this.body !== this.stream) this.body?.destroy();
    this.stream.close(NGHTTP2_CANCEL);
  }

  private end(tell: () => void): void {
    if (this.finished) return;
    this.finished = true;
    tell();
  }

  /** Gives up what is not finished. */
  abandon(): void {
    if (this.finished) return;
    this.finished = true;
    if (performance.now() - this.heardAt >= suspiciousSilenceMs) this.session.retire();
    if (this.body !== this.stream) this.body?.destroy();
    this.stream.close(NGHTTP2_CANCEL);
  }
}

/**
 * One request over HTTP/2, sent once. What the server has not looked at, because it was shutting down (GOAWAY), fails as a `StaleConnection` that is
 * `untouched`: it can be sent again, whatever it is.
 *
 * @param base - the path of the server's URL.
 */
export function http2Exchange(
  request: TransportRequest,
  { session, credentials, base }: { readonly session: Http2Session; readonly credentials: Credentials; readonly base: string },
): Observable<TransportEvent> {
  return new Observable((subscriber) => {
    try {
      const exchange = new Exchange(request, base + request.path, credentials, session, subscriber);
      return () => exchange.abandon();
    } catch (error) {
      // The session has ended between its choice and this.
      const name = requestName(request);
      const failure = new RequestError({ code: 'ECONNRESET', message: `${name} failed: ${(error as Error).message}`, request: name });
      subscriber.error(session.isOpen ? exchangeError(error, request) : new StaleConnection(failure, true));
      return undefined;
    }
  });
}
