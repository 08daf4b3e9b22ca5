import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { Socket, type AddressInfo } from 'node:net';
import type { WatchSink } from '../watch/watchSink.js';
import { upgradeRequestOf } from './upgradeHandler.js';

const loopback = '127.0.0.1';
const ownNames = new Set(['localhost', loopback, '[::1]']);

/** A server that listens on the loopback interface. */
export interface ListeningServer {
  readonly port: number;
  readonly server: Server;
  /** Cuts every connection. */
  readonly cutConnections: () => void;
  /** Stops listening and cuts every connection. */
  close(): Promise<void>;
}

function isOwnName(host: string | undefined): boolean {
  return host === undefined || ownNames.has(host.toLowerCase().replace(/:\d+$/, ''));
}

/**
 * Whether a request comes from this machine's own programs and pages. A web page of another origin shall get nothing, whether its name points here or
 * it asks for this address.
 */
export function isFromHere({ headers }: IncomingMessage): boolean {
  const { host, origin } = headers;
  return isOwnName(host) && (origin === undefined || isOwnName(origin.replace(/^https?:\/\//, '')));
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
  response.end('This server answers to localhost and 127.0.0.1 only.\n');
}

/** Answers requests; `openWebSocket` is there for those that may go on as a WebSocket. */
export type RequestHandler = (incoming: IncomingMessage, response: ServerResponse, openWebSocket?: () => WatchSink) => void;

/** What a server needs to speak HTTPS. Clients may show a certificate of the authority. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

// The default of 5 s for idle connections races with clients that reuse them; watches must not be cut by a timeout.
const timeouts = { keepAliveTimeout: 90_000, headersTimeout: 95_000, requestTimeout: 0 };

/** Newer versions of Node ask which requests go on in another protocol; the others are answered as if they had not asked for one. */
const upgrades = { shouldUpgradeCallback: ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket' };

/** Begins to listen. Port 0 means any free one. */
export async function listen(port: number, handler: RequestHandler, tls?: TlsMaterial): Promise<ListeningServer> {
  const answer = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (isFromHere(incoming)) handler(incoming, response);
    else refuse(response);
  };
  const secure = { ...timeouts, ...upgrades, ...tls, requestCert: true, rejectUnauthorized: false };
  const server: Server = tls === undefined ? createServer({ ...timeouts, ...upgrades }, answer) : createSecureServer(secure, answer);
  server.on('upgrade', (asked, socket, head) => {
    if (!(socket instanceof Socket)) return;
    const { incoming, response, openWebSocket } = upgradeRequestOf(asked, socket, head);
    if (isFromHere(incoming)) handler(incoming, response, openWebSocket);
    else refuse(response);
  });
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else socket.destroy();
  });
  // Node does not count connections that have changed their protocol.
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const cutConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    server,
    cutConnections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cutConnections();
      }),
  };
}
