import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { Observable, type Subscriber } from 'rxjs';
import { codedError, type RequestError, requestFailure, systemCode } from '../requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../requests/transport.js';
import { NodeExchange, StaleConnection } from './nodeExchange.js';

/** How one exchange is carried out. */
interface HttpExchangeInit {
  readonly url: string;
  readonly headers: http.OutgoingHttpHeaders;
  readonly agent: http.Agent;
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
  private readonly init: HttpExchangeInit;
  private readonly sent: http.ClientRequest;
  private readonly connectTimer: NodeJS.Timeout;

  constructor(request: TransportRequest, init: HttpExchangeInit, subscriber: Subscriber<TransportEvent>) {
    super(request, subscriber);
    this.init = init;
    const { request: send } = init.url.startsWith('https:') ? https : http;
    // Node omits the length for methods that usually have no body: the body of a DELETE would look like a second request.
    const length = request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) };
    this.sent = send(init.url, { method: request.method, headers: { ...init.headers, ...length }, agent: init.agent });
    const late = () => this.sent.destroy(codedError('ERR_TIMEOUT', `no connection within ${init.connectTimeoutMs} ms`));
    this.connectTimer = setTimeout(late, init.connectTimeoutMs);
    this.sent.on('socket', (socket) => whenConnected(socket, () => clearTimeout(this.connectTimer)));
    this.sent.on('response', (response) => {
      response.on('error', (error) => this.fail(error));
      this.answer(response, response.statusCode ?? 0, response.headers);
    });
    this.sent.on('error', (error) => this.fail(error));
    this.sent.setSocketKeepAlive(true, tcpKeepAliveMs);
    const finish = (): unknown => this.sent.end(request.body);
    // Without waiting, Node would queue the request while it connects, and `beforeSend` would run too early.
    if (request.beforeSend === undefined) finish();
    else this.sent.on('socket', (socket) => whenConnected(socket, () => this.begin(finish)));
  }

  protected told(failure: RequestError, error: unknown): Error {
    const isStale = this.sent.reusedSocket && this.body === undefined && ['ECONNRESET', 'EPIPE'].includes(systemCode(error) ?? '');
    return isStale ? new StaleConnection(failure) : failure;
  }

  protected suspect(): void {
    this.init.suspect();
  }

  protected cancel(): void {
    clearTimeout(this.connectTimer);
    this.body?.destroy();
    this.sent.destroy();
  }
}

/** One request with Node's own HTTP, sent once. */
export function httpExchange(request: TransportRequest, init: HttpExchangeInit): Observable<TransportEvent> {
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
