import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import { Socket, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WatchSink } from '../watch/watchSink.js';
import { answerOrigin, mayAsk, type OriginRules } from './crossOrigin.js';
import { createTlsServer, type TlsMaterial } from './secureServer.js';
import { upgradeRequestOf } from './upgradeHandler.js';

/** A server that listens. */
export interface ListeningServer {
  readonly port: number;
  /** Cuts every connection. */
  readonly cutConnections: () => void;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

function refuse({ httpVersionMajor }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', ...(httpVersionMajor < 2 && { connection: 'close' }) });
  response.end('This server answers to localhost and 127.0.0.1 only.\n');
}

/** Answers requests; `openWebSocket` is present if the client asks for a WebSocket. */
export type RequestHandler = (incoming: IncomingMessage, response: ServerResponse, openWebSocket?: () => WatchSink) => void;

/** The address to listen on, and the accepted origins. */
export interface ListenOptions extends OriginRules {
  /** 0 means any free port. */
  readonly port: number;
  /** The address to listen on. */
  readonly bind: string;
  readonly tls: TlsMaterial | undefined;
}

// The default of 5 s for idle connections races with clients that reuse them; watches must not be cut by a timeout.
const timeouts = { keepAliveTimeout: 90_000, headersTimeout: 95_000, requestTimeout: 0 };

/** Newer versions of Node ask which requests may change the protocol; the others are answered as if they had not asked for it. */
const upgrades = { shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket' };

/** Starts to listen. */
export async function listen(options: ListenOptions, handler: RequestHandler): Promise<ListeningServer> {
  const { port, bind, tls } = options;
  const answer = (incoming: IncomingMessage, response: ServerResponse, openWebSocket?: () => WatchSink): void => {
    if (!mayAsk(incoming, options)) refuse(incoming, response);
    else if (!answerOrigin(incoming, response, options)) handler(incoming, response, openWebSocket);
  };
  const plain = (incoming: IncomingMessage, response: ServerResponse): void => answer(incoming, response);
  const server: Server | Http2SecureServer =
    tls === undefined ? createServer({ ...timeouts, ...upgrades }, plain) : Object.assign(createTlsServer(tls, plain), timeouts, upgrades);
  server.on('upgrade', (asked: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!(socket instanceof Socket)) return;
    const { incoming, response, openWebSocket } = upgradeRequestOf(asked, socket, head);
    answer(incoming, response, openWebSocket);
  });
  server.on('clientError', (_error: Error, socket: Duplex) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  // Node does not track connections that have changed their protocol.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, bind, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const cutConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cutConnections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutConnections();
      }),
  };
}
