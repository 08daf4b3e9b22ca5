import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { Observable, type Subscriber } from 'rxjs';
import { redactedMessage, systemCode } from '../auth/redact.js';
import { RequestError } from '../requests/requestError.js';
import { requestName } from '../requests/requestName.js';
import type { TransportEvent, TransportRequest } from '../requests/transport.js';

/** How one exchange is carried out. */
interface HttpExchangeInit {
  readonly url: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly agent: http.Agent;
  readonly connectTimeoutMs: number;
  /** Called when the exchange is given up, with the time in which nothing had come. */
  readonly abandoned: (silentMs: number) => void;
}

/** Go pings its idle connections after this time, too. */
const tcpKeepAliveMs = 30_000;

function flatHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}

/** A connection that had been used before broke before a byte of the answer: the server had probably closed it meanwhile. */
export class StaleConnection extends Error {
  readonly failure: RequestError;
  /** The server has said that it has not looked at the request. */
  readonly untouched: boolean;

  constructor(failure: RequestError, untouched = false) {
    super(failure.message);
    this.failure = failure;
    this.untouched = untouched;
  }
}

/** What is said of an exchange that failed. */
export function exchangeError(error: unknown, request: TransportRequest): RequestError {
  if (error instanceof RequestError) return error;
  const name = requestName(request);
  return new RequestError({
    code: systemCode(error) ?? 'ERR_REQUEST',
    message: `${name} failed: ${redactedMessage(error)}`,
    request: name,
  });
}

class ConnectTimeout extends Error {
  readonly code = 'ERR_TIMEOUT';
}

/** A connection that has been used before is ready at once, a new one after its TCP and TLS handshakes. */
function whenConnected(socket: Socket & { readonly secureConnecting?: boolean }, connected: () => void): void {
  if (!socket.connecting && socket.secureConnecting !== true) connected();
  else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
}

/** One exchange under way. */
class Exchange {
  private readonly request: TransportRequest;
  private readonly init: HttpExchangeInit;
  private readonly subscriber: Subscriber<TransportEvent>;
  private readonly sent: http.ClientRequest;
  private readonly connectTimer: NodeJS.Timeout;
  private body: Readable | undefined;
  private heardAt = performance.now();
  private finished = false;

  constructor(request: TransportRequest, init: HttpExchangeInit, subscriber: Subscriber<TransportEvent>) {
    this.request = request;
    this.init = init;
    this.subscriber = subscriber;
    const { request: send } = init.url.startsWith('https:') ? https : http;
    // Node leaves the length out where a body is unusual: a DELETE with options would look like two requests.
    const length = request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) };
    this.sent = send(init.url, { method: request.method, headers: { ...init.headers, ...length }, agent: init.agent });
    this.connectTimer = setTimeout(
      () => this.sent.destroy(new ConnectTimeout(`no connection within ${init.connectTimeoutMs} ms`)),
      init.connectTimeoutMs,
    );
    this.sent.on('socket', (socket) => whenConnected(socket, () => clearTimeout(this.connectTimer)));
    this.sent.on('response', (response) => this.answer(response));
    this.sent.on('error', (error) => this.fail(error));
    this.sent.setSocketKeepAlive(true, tcpKeepAliveMs);
    this.sent.end(request.body);
  }

  private answer(response: http.IncomingMessage): void {
    this.heardAt = performance.now();
    const headers = flatHeaders(response.headers);
    this.body = response;
    response.on('error', (error) => this.fail(error));
    if (headers['content-encoding'] === 'gzip') {
      delete headers['content-encoding'];
      this.body = response.pipe(zlib.createGunzip());
      this.body.on('error', (error) => this.fail(error));
    }
    this.subscriber.next({ type: 'head', status: response.statusCode ?? 0, headers });
    this.body.on('data', (chunk: Uint8Array) => {
      this.heardAt = performance.now();
      this.subscriber.next({ type: 'data', chunk });
    });
    this.body.on('end', () => this.end(() => this.subscriber.complete()));
  }

  private fail(error: unknown): void {
    const stale = this.sent.reusedSocket && this.body === undefined && ['ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '');
    const failure = exchangeError(error, this.request);
    this.end(() => this.subscriber.error(stale ? new StaleConnection(failure) : failure));
    this.body?.destroy();
    this.sent.destroy();
  }

  private end(tell: () => void): void {
    if (this.finished) return;
    this.finished = true;
    clearTimeout(this.connectTimer);
    tell();
  }

  /** Gives up what is not finished. */
  abandon(): void {
    if (this.finished) return;
    this.end(() => this.init.abandoned(Math.round(performance.now() - this.heardAt)));
    this.body?.destroy();
    this.sent.destroy();
  }
}

/** One request with Node's own HTTP, sent once. */
export function httpExchange(request: TransportRequest, init: HttpExchangeInit): Observable<TransportEvent> {
  return new Observable((subscriber) => {
    try {
      const exchange = new Exchange(request, init, subscriber);
      return () => exchange.abandon();
    } catch (error) {
      subscriber.error(exchangeError(error, request));
      return undefined;
    }
  });
}
