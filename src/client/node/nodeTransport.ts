import http from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { Socket } from 'node:net';
import { catchError, defer, Observable, type Subscriber, switchMap, throwError } from 'rxjs';
import { defaults } from '../../api/defaults.js';
import type { CredentialSource, Credentials } from '../auth/credentials.js';
import { requestFailure, codedError, type RequestError, systemCode } from '../requests/requestError.js';
import type { Transport, TransportEvent, TransportRequest } from '../requests/transport.js';
import { AgentPool, type Route } from './agentPool.js';
import { Http2Pool, Http2Session, type Http2SessionInit } from './http2/http2Session.js';
import { proxyFailure } from './proxyTunnel.js';
import { Replacements } from './replacements.js';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';

/** If an exchange is aborted after this long a silence, the server is probably unreachable, and the idle connections are dead as well. */
const suspiciousSilenceMs = 10_000;

/** A kept connection broke before the first byte of the answer: the server had probably closed it already. */
class StaleConnection extends Error {
  readonly failure: RequestError;
  /** Whether the server said that it has not processed the request. */
  readonly untouched: boolean;

  constructor(failure: RequestError, untouched = false) {
    super(failure.message);
    this.failure = failure;
    this.untouched = untouched;
  }
}

/** One pending request, over HTTP/1.1 or HTTP/2. */
abstract class NodeExchange {
  /** What the answer is read from; undefined before its headers. */
  protected body: Readable | undefined;
  private readonly request: TransportRequest;
  private readonly suspect: () => void;
  private readonly subscriber: Subscriber<TransportEvent>;
  private heardAt = performance.now();
  /** The chunks of one read of the socket, emitted together: a server sends each event of a watch as a separate chunk. */
  private received: Uint8Array[] = [];
  private finished = false;

  /** @param suspect - marks this connection and the idle ones as probably dead. */
  constructor(request: TransportRequest, suspect: () => void, subscriber: Subscriber<TransportEvent>) {
    this.request = request;
    this.suspect = suspect;
    this.subscriber = subscriber;
  }

  /** Aborts the exchange if it is not finished. */
  abandon(): void {
    if (!this.finish()) return;
    if (performance.now() - this.heardAt >= suspiciousSilenceMs) this.suspect();
    this.cancel();
  }

  /** Calls `beforeSend`, and sends unless it throws. */
  protected begin(send: () => void): void {
    try {
      this.request.beforeSend?.();
    } catch (error) {
      if (this.finish()) this.subscriber.error(error);
      this.cancel();
      return;
    }
    send();
  }

  /** Stops sending and receiving. */
  protected abstract cancel(): void;
  /** The error to emit: a StaleConnection where the request may be sent again. */
  protected abstract errorOf(failure: RequestError, error: unknown): Error;

  protected answer(source: Readable, status: number, received: IncomingHttpHeaders): void {
    this.heardAt = performance.now();
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(received))
      if (value !== undefined && !name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    this.body = source;
    if (headers['content-encoding']?.toLowerCase() === 'gzip') {
      delete headers['content-encoding'];
      this.body = source.pipe(zlib.createGunzip());
      this.body.on('error', (error) => this.fail(error));
    }
    this.subscriber.next({ type: 'head', status, headers });
    this.body.on('data', (chunk: Uint8Array) => {
      if (this.received.push(chunk) === 1) process.nextTick(this.flush);
    });
    this.body.on('end', () => this.ended());
  }

  protected fail(error: unknown): void {
    this.flush();
    const failure = requestFailure(error, this.request);
    if (this.finish()) this.subscriber.error(this.errorOf(failure, error));
    this.cancel();
  }

  /** The body has come to its end. */
  protected ended(): void {
    this.flush();
    if (this.finish()) this.subscriber.complete();
  }

  /** Emits what has been received as one chunk. */
  private readonly flush = (): void => {
    const { received } = this;
    if (received.length === 0) return;
    this.received = [];
    this.heardAt = performance.now();
    const [only] = received;
    // Buffers: they are searched for the ends of lines forty times as fast as other byte arrays.
    const chunk = only !== undefined && received.length === 1 ? only : Buffer.concat(received);
    if (!this.finished) this.subscriber.next({ type: 'data', chunk });
  };

  /** Marks the exchange as finished. Returns whether it was not before. */
  private finish(): boolean {
    const isFirst = !this.finished;
    this.finished = true;
    return isFirst;
  }
}

/** How one exchange is carried out. */
interface HttpExchangeInit {
  readonly url: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly route: Route;
  readonly connectTimeoutMs: number;
  /** Called when the exchange is aborted after a long silence. */
  readonly suspect: () => void;
}

/** Go uses the same interval. */
const tcpKeepAliveMs = 30_000;

/** Calls `connected` at once for a connection that has been used before, for a new one after its TCP and TLS handshakes. */
function whenConnected(socket: Socket & { readonly secureConnecting?: boolean }, connected: () => void): void {
  if (!socket.connecting && socket.secureConnecting !== true) connected();
  else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
}

class HttpExchange extends NodeExchange {
  private readonly sent: http.ClientRequest;
  private readonly connectTimer: NodeJS.Timeout;

  constructor(request: TransportRequest, init: HttpExchangeInit, subscriber: Subscriber<TransportEvent>) {
    super(request, init.suspect, subscriber);
    const { request: send } = init.url.startsWith('https:') ? https : http;
    // Node omits the length for methods that usually have no body: the body of a DELETE would look like a second request.
    // The body is sent as bytes: with a string body, Node would encode the headers as UTF-8 a second time.
    const body = request.body === undefined ? undefined : Buffer.from(request.body);
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const { agent, proxyHeaders } = init.route;
    const headers = { ...init.headers, ...length, ...proxyHeaders };
    this.sent = send(init.url, { method: request.method, headers, agent, ...(proxyHeaders !== undefined && { path: init.url }) });
    const late = () => this.sent.destroy(codedError('ERR_TIMEOUT', `no connection within ${init.connectTimeoutMs} ms`));
    this.connectTimer = setTimeout(late, init.connectTimeoutMs);
    this.sent.on('socket', (socket) => whenConnected(socket, () => clearTimeout(this.connectTimer)));
    this.sent.on('response', (response) => {
      response.on('error', (error) => this.fail(error));
      this.answer(response, response.statusCode ?? 0, response.headers);
    });
    this.sent.on('error', (error) => this.fail(proxyHeaders === undefined ? error : proxyFailure(error)));
    // After an unrequested 101 (Switching Protocols), Node closes the connection without an error.
    this.sent.on(
      'close',
      () => this.body === undefined && this.fail(codedError('ECONNRESET', 'the connection ended before the answer did')),
    );
    this.sent.setSocketKeepAlive(true, tcpKeepAliveMs);
    const finish = (): unknown => this.sent.end(body);
    // Without waiting, Node would queue the request while it connects, and `beforeSend` would run too early.
    if (request.beforeSend === undefined) finish();
    else this.sent.on('socket', (socket) => whenConnected(socket, () => this.begin(finish)));
  }

  protected errorOf(failure: RequestError, error: unknown): Error {
    const isStale = this.sent.reusedSocket && this.body === undefined && ['ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '');
    return isStale ? new StaleConnection(failure) : failure;
  }

  protected cancel(): void {
    clearTimeout(this.connectTimer);
    this.body?.destroy();
    this.sent.destroy();
  }
}

/** One request with Node's own HTTP, sent once. */
function httpExchange(request: TransportRequest, init: HttpExchangeInit): Observable<TransportEvent> {
  return new Observable((subscriber) => {
    try {
      const exchange = new HttpExchange(request, init, subscriber);
      return () => exchange.abandon();
    } catch (error) {
      subscriber.error(requestFailure(error, request));
      return undefined;
    }
  });
}

const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL } = http2.constants;

/** How one exchange is carried out. */
interface Http2ExchangeInit {
  readonly session: Http2Session;
  readonly headers: http2.OutgoingHttpHeaders;
  readonly path: string;
}

class Http2Exchange extends NodeExchange {
  private readonly stream: http2.ClientHttp2Stream;
  private readonly isFirst: boolean;

  constructor(request: TransportRequest, { session, headers, path }: Http2ExchangeInit, subscriber: Subscriber<TransportEvent>) {
    super(request, () => session.retire(), subscriber);
    this.isFirst = session.carried === 0;
    this.stream = session.request({ ...headers, ':method': request.method, ':path': path }, request.body);
    this.stream.on('response', (answer) => this.answer(this.stream, answer[':status'] ?? 0, answer));
    this.stream.on('error', (error) => this.fail(error));
    this.stream.on('close', () => this.closed());
  }

  protected override ended(): void {
    // A stream that was reset also emits `end`. Node does not tell a reset with NO_ERROR from the end: JSON that it cuts short fails in its decoder.
    if (this.stream.rstCode === NGHTTP2_NO_ERROR) super.ended();
    else this.closed();
  }

  protected errorOf(failure: RequestError): Error {
    const isRefused = this.stream.rstCode === NGHTTP2_REFUSED_STREAM;
    return isRefused || (!this.isFirst && this.body === undefined) ? new StaleConnection(failure, isRefused) : failure;
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
function http2Exchange(request: TransportRequest, init: Http2ExchangeInit): Observable<TransportEvent> {
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

/** The dependencies and settings of a transport. */
export interface NodeTransportInit extends Partial<Omit<Http2SessionInit, 'server' | 'credentials' | 'closing'>> {
  /** The server's URL, without a slash at its end. */
  readonly server: string;
  readonly credentials: CredentialSource;
  /** Whether to use HTTP/2 with a server that offers it. @defaultValue false */
  readonly http2?: boolean | undefined;
  /** While watches are open, how often their credentials are looked at. @defaultValue 300000, as in client-go */
  readonly lookEveryMs?: number | undefined;
}

/** API servers close an idle connection after 90 s, load balancers in front of them after 60 s. */
const defaultIdleTimeoutMs = 30_000;

/** How often a request is repeated that the server did not process because it was shutting down (GOAWAY). */
const maxRepeats = 3;

/**
 * Sends requests with `node:http` and `node:https` over kept connections.
 *
 * When the client certificate or the server is replaced, idle connections are closed, watches fail, and other requests come to their end.
 *
 * With `http2`, one connection carries all concurrent requests where the server offers that. A request that the server did not process because it was shutting
 * down (GOAWAY) is repeated on a new connection.
 *
 * A GET whose kept connection turns out to be closed, before a byte of the answer, is repeated once on a new one. When a request is aborted after 10 s
 * without a byte, the idle connections are closed as well: the next request opens a new one.
 */
export function nodeTransport(init: NodeTransportInit): Transport {
  const { server, credentials, connectTimeoutMs = defaults.connectTimeoutMs, idleTimeoutMs = defaultIdleTimeoutMs } = init;
  const pool = new AgentPool({ idleTimeoutMs, connectTimeoutMs });
  const { http2 = false, pingAfterMs = 30_000, pingTimeoutMs = 15_000, lookEveryMs = 300_000 } = init;
  const sessions = http2 ? new Http2Pool({ connectTimeoutMs, idleTimeoutMs, pingAfterMs, pingTimeoutMs }) : undefined;
  const replacements = new Replacements(credentials, lookEveryMs);
  let latest = server;
  const suspect = () => pool.dropIdle();
  const exchange = (request: TransportRequest, held: Credentials): Observable<TransportEvent> => {
    const headers = { ...request.headers, ...held.headers } as http.OutgoingHttpHeaders;
    const to = held.server ?? server;
    // Escapes what may not stand in a request: a path may be the user's own.
    const { href, pathname, search } = new URL(to + request.path);
    replacements.use(held);
    latest = to;
    return defer(async () => (await sessions?.sessionFor(held, to)) ?? pool.routeFor(held, to)).pipe(
      catchError((error: unknown) => throwError(() => requestFailure(error, request))),
      switchMap((by) =>
        by instanceof Http2Session
          ? http2Exchange(request, { session: by, headers, path: pathname + search })
          : httpExchange(request, { url: href, headers, route: by, connectTimeoutMs, suspect }),
      ),
      replacements.end(request),
    );
  };
  const send = (request: TransportRequest, held: Credentials, repeats = 0): Observable<TransportEvent> =>
    exchange(request, held).pipe(
      catchError((error: unknown) => {
        if (!(error instanceof StaleConnection)) return throwError(() => error);
        const mayRepeat = error.untouched ? repeats < maxRepeats : repeats === 0 && request.method === 'GET';
        if (!mayRepeat) return throwError(() => error.failure);
        pool.dropIdle();
        return send(request, held, repeats + 1);
      }),
    );

  return {
    get server() {
      return latest;
    },
    credentials,
    send: (request, held) => send(request, held),
    close() {
      replacements.close();
      pool.close();
      sessions?.close();
      credentials.close?.();
    },
  };
}
