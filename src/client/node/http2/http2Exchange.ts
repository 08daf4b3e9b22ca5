import http2 from 'node:http2';
import { Observable, type Subscriber } from 'rxjs';
import { codedError, type RequestError, requestFailure } from '../../requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../../requests/transport.js';
import { NodeExchange, StaleConnection } from '../nodeExchange.js';
import type { Http2Session } from './http2Session.js';

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL } = http2.constants;

/** How one exchange is carried out. */
interface Http2ExchangeInit {
  readonly session: Http2Session;
  readonly headers: http2.OutgoingHttpHeaders;
  readonly path: string;
}

class Http2Exchange extends NodeExchange {
  private readonly session: Http2Session;
  private readonly stream: http2.ClientHttp2Stream;
  private readonly isFirst: boolean;

  constructor(request: TransportRequest, { session, headers, path }: Http2ExchangeInit, subscriber: Subscriber<TransportEvent>) {
    super(request, subscriber);
    this.session = session;
    this.isFirst = session.carried === 0;
    this.stream = session.request({ ...headers, ':method': request.method, ':path': path }, request.body);
    this.stream.on('response', (answer) => this.answer(this.stream, answer[':status'] ?? 0, answer));
    this.stream.on('error', (error) => this.fail(error));
    this.stream.on('close', () => this.closed());
  }

  protected override ended(): void {
    // A stream that was reset also emits `end`.
    if (this.stream.rstCode === NGHTTP2_NO_ERROR) super.ended();
    else this.closed();
  }

  protected told(failure: RequestError): Error {
    const isRefused = this.stream.rstCode === NGHTTP2_REFUSED_STREAM;
    return isRefused || (!this.isFirst && this.body === undefined) ? new StaleConnection(failure, isRefused) : failure;
  }

  protected suspect(): void {
    this.session.retire();
  }

  protected cancel(): void {
    if (this.body !== this.stream) this.body?.destroy();
    this.stream.close(NGHTTP2_CANCEL);
  }

  private closed(): void {
    const isUnpacked = this.body !== undefined && this.body !== this.stream;
    if (!isUnpacked || this.stream.rstCode !== NGHTTP2_NO_ERROR)
      this.fail(codedError('ECONNRESET', 'the connection ended before the answer did'));
  }
}

/**
 * One request over HTTP/2, sent once. A request that the server refused to process because it was shutting down (GOAWAY) fails as a `StaleConnection` with
 * `untouched`: it may be sent again, whatever its method.
 */
export function http2Exchange(request: TransportRequest, init: Http2ExchangeInit): Observable<TransportEvent> {
  return new Observable((subscriber) => {
    // An error thrown here is passed on unchanged.
    request.beforeSend?.();
    try {
      const exchange = new Http2Exchange(request, init, subscriber);
      return () => exchange.abandon();
    } catch (error) {
      // The session has ended since it was chosen.
      const failure = () => requestFailure(codedError('ECONNRESET', (error as Error).message), request);
      subscriber.error(init.session.isOpen ? requestFailure(error, request) : new StaleConnection(failure(), true));
      return undefined;
    }
  });
}
