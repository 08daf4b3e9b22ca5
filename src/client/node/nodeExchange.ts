import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import zlib from 'node:zlib';
import type { Subscriber } from 'rxjs';
import { type RequestError, requestFailure } from '../requests/requestError.js';
import type { TransportEvent, TransportRequest } from '../requests/transport.js';

/** When an exchange is aborted after a silence of this length, its peer is probably dead, and so are the idle connections. */
const suspiciousSilenceMs = 10_000;

/** A kept connection broke before the first byte of the answer: the server had probably closed it already. */
export class StaleConnection extends Error {
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
export abstract class NodeExchange {
  /** What the answer is read from; undefined before its headers. */
  protected body: Readable | undefined;
  private readonly request: TransportRequest;
  private readonly subscriber: Subscriber<TransportEvent>;
  private heardAt = performance.now();
  /** The chunks that one reading of the socket has brought: a server sends each event of a watch as a chunk of its own. */
  private received: Uint8Array[] = [];
  private finished = false;

  constructor(request: TransportRequest, subscriber: Subscriber<TransportEvent>) {
    this.request = request;
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
  /** Marks this connection and the idle ones as probably dead. */
  protected abstract suspect(): void;
  /** The error to emit: a StaleConnection where the request may be sent again. */
  protected abstract told(failure: RequestError, error: unknown): Error;

  protected answer(source: Readable, status: number, received: IncomingHttpHeaders): void {
    this.heardAt = performance.now();
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(received))
      if (value !== undefined && !name.startsWith(':')) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    this.body = source;
    if (headers['content-encoding'] === 'gzip') {
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
    if (this.finish()) this.subscriber.error(this.told(failure, error));
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
