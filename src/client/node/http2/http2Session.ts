import { once } from 'node:events';
import http2 from 'node:http2';
import tls from 'node:tls';
import type { Credentials } from '../../auth/credentials.js';
import { onAbort } from '../../../api/onAbort.js';
import { givenTls, identityOf } from '../agentPool.js';
import { addressIn } from '../proxyTunnel.js';
import { sentName } from '../trust.js';
import { codedError } from '../../requests/requestError.js';

/**
 * Keeps the HTTP/2 connections of one server: one for all requests, and another only when the server accepts no more streams on the first.
 *
 * A connection opened with other certificates takes no further requests.
 */
export class Http2Pool {
  private readonly init: Omit<Http2SessionInit, 'credentials' | 'server' | 'closing'>;
  private readonly closing = new AbortController();
  private identity: string | undefined;
  private sessions: Http2Session[] = [];
  private opening: Promise<Http2Session | undefined> | undefined;
  /** The identity of the credentials with which the server offered HTTP/1.1 only. */
  private refusedTo: string | undefined;

  constructor(init: Http2Pool['init']) {
    this.init = init;
  }

  /** A session for a request; undefined if HTTP/2 is impossible: without TLS, through a proxy, or with a server that does not offer it. */
  async sessionFor(credentials: Credentials, server: string): Promise<Http2Session | undefined> {
    if (!server.startsWith('https:') || credentials.proxy !== undefined) return undefined;
    const identity = identityOf(credentials);
    if (this.refusedTo === identity) return undefined;
    if (this.identity !== identity) this.renew(identity);
    for (;;) {
      this.sessions = this.sessions.filter(({ isOpen }) => isOpen);
      const found = this.sessions.find(({ hasRoom }) => hasRoom);
      if (found !== undefined) return found;
      this.opening ??= this.open(identity, { credentials, server });
      const opened = await this.opening;
      if (opened === undefined || this.identity !== identity) return opened;
      // Other requests waited for the same session and may have filled it.
      if (opened.isOpen && opened.hasRoom) return opened;
    }
  }

  close(): void {
    this.closing.abort();
    for (const session of this.sessions) session.destroy();
    this.renew(undefined);
  }

  private renew(identity: string | undefined): void {
    for (const session of this.sessions) session.retire();
    this.sessions = [];
    this.opening = undefined;
    this.identity = identity;
  }

  private async open(identity: string, to: Pick<Http2SessionInit, 'credentials' | 'server'>): Promise<Http2Session | undefined> {
    const init = { ...this.init, ...to, closing: this.closing.signal };
    try {
      const socket = await connect(init);
      const session = socket && new Http2Session(init, socket);
      // One that is closed or has other certificates by now: only the requests that waited for it use it.
      if (this.identity !== identity) return session;
      if (session === undefined) this.refusedTo = identity;
      else this.sessions.push(session);
      return session;
    } finally {
      if (this.identity === identity) this.opening = undefined;
    }
  }
}

/** How a session is opened and kept alive. */
export interface Http2SessionInit {
  /** The server's URL. */
  readonly server: string;
  readonly credentials: Credentials;
  /** Ends the connecting. */
  readonly closing: AbortSignal;
  /** @defaultValue 15000 */
  readonly connectTimeoutMs: number;
  /** How long a session without requests is kept open, as any connection. @defaultValue 30000 */
  readonly idleTimeoutMs: number;
  /** A PING is sent after this long a silence, as Go's client does. @defaultValue 30000, as in Go */
  readonly pingAfterMs: number;
  /** The session is closed when a PING is not answered for this long. @defaultValue 15000, as in Go */
  readonly pingTimeoutMs: number;
}

/** Receive windows of a stream and of the session: a list fits into one window, so latency does not slow it down. */
const windowBytes = 4 * 1024 * 1024;
const sessionWindowBytes = 64 * 1024 * 1024;
/** The number of concurrent streams until the server announces its limit. */
const usualStreams = 100;

/** Connects with TCP and TLS; undefined when the server does not choose HTTP/2. */
async function connect({ server, credentials, closing, connectTimeoutMs }: Http2SessionInit): Promise<tls.TLSSocket | undefined> {
  const { host, port } = addressIn(server);
  const socket = tls.connect({ host, port, ALPNProtocols: ['h2', 'http/1.1'], servername: sentName(host), ...givenTls(credentials) });
  const late = () => socket.destroy(codedError('ERR_TIMEOUT', `no connection within ${connectTimeoutMs} ms`));
  const timer = setTimeout(late, connectTimeoutMs);
  const forget = onAbort(closing, () => socket.destroy(codedError('ERR_CLOSED', 'the client is closed')));
  try {
    await once(socket, 'secureConnect');
  } finally {
    clearTimeout(timer);
    forget();
  }
  if (socket.alpnProtocol === 'h2') return socket;
  socket.destroy();
  return undefined;
}

/** One HTTP/2 connection with many concurrent requests. */
export class Http2Session {
  /** The number of requests sent on it. */
  carried = 0;
  private readonly session: http2.ClientHttp2Session;
  private readonly init: Http2SessionInit;
  private readonly streams = new Set<http2.ClientHttp2Stream>();
  private heardAt = performance.now();
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly pingTimer: NodeJS.Timeout;

  constructor(init: Http2SessionInit, socket: tls.TLSSocket) {
    this.init = init;
    this.session = http2.connect(init.server, {
      createConnection: () => socket,
      settings: { initialWindowSize: windowBytes, enablePush: false },
    });
    this.session.on('connect', () => this.session.setLocalWindowSize(sessionWindowBytes));
    // Each stream reports its own failure.
    this.session.on('error', () => this.retire());
    this.session.on('close', () => this.ended());
    this.session.on('goaway', () => this.retire());
    socket.setKeepAlive(true, 30_000);
    socket.on('data', () => (this.heardAt = performance.now()));
    this.pingTimer = setInterval(() => this.ping(), Math.max(1, init.pingAfterMs / 2)).unref();
    this.wait();
  }

  /** Whether it accepts further requests. */
  get isOpen(): boolean {
    return !this.session.closed && !this.session.destroyed;
  }

  /** Whether the server accepts another stream now: one more would be queued until another ends, and watches do not end. */
  get hasRoom(): boolean {
    return this.streams.size < (this.session.remoteSettings.maxConcurrentStreams ?? usualStreams);
  }

  /** Sends a request. Throws an Error when the session has just ended. */
  request(headers: http2.OutgoingHttpHeaders, body: string | undefined): http2.ClientHttp2Stream {
    const stream = this.session.request(headers, { endStream: body === undefined });
    this.carried += 1;
    this.streams.add(stream);
    clearTimeout(this.idleTimer);
    this.session.ref();
    stream.on('close', () => {
      this.streams.delete(stream);
      if (this.streams.size === 0) this.wait();
    });
    if (body !== undefined) stream.end(body);
    return stream;
  }

  /** Accepts no further requests; pending ones continue. */
  retire(): void {
    if (this.isOpen) this.session.close();
  }

  destroy(): void {
    this.session.destroy();
  }

  /** Without requests, it does not keep the process alive, and closes after the idle timeout. */
  private wait(): void {
    clearTimeout(this.idleTimer);
    if (this.session.destroyed) return;
    this.session.unref();
    this.idleTimer = setTimeout(() => this.retire(), this.init.idleTimeoutMs).unref();
  }

  private ended(): void {
    clearInterval(this.pingTimer);
    clearTimeout(this.idleTimer);
  }

  private ping(): void {
    const { init, session } = this;
    if (session.destroyed || this.streams.size === 0 || performance.now() - this.heardAt < init.pingAfterMs) return;
    const late = () => session.destroy(codedError('ERR_TIMEOUT', `no answer to a ping within ${init.pingTimeoutMs} ms`));
    const lost = setTimeout(late, init.pingTimeoutMs).unref();
    session.ping(() => clearTimeout(lost));
  }
}
