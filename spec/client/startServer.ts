import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/**
 * A request as the server saw it.
 */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The number of its connection, from 0. */
  readonly connection: number;
}

/**
 * A small HTTP server in this process.
 */
export interface SpecServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** How many connections were opened. */
  readonly connections: number;
  /** How many are open. */
  openConnections(): number;
  /** The open connections. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** Answers a request whose body has been read. */
export type Handler = (request: http.IncomingMessage, response: http.ServerResponse, seen: SeenRequest) => void;

async function bodyOf(request: http.IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  return body;
}

/**
 * Starts a server on a free port of this machine; with `tls`, of HTTPS.
 */
export async function startServer(handler: Handler, tls?: https.ServerOptions): Promise<SpecServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const numbers = new WeakMap<Socket, number>();
  let connections = 0;
  const listener = (request: http.IncomingMessage, response: http.ServerResponse) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers, socket } = request;
      const seen = { method, url, headers, body, connection: numbers.get(socket) ?? -1 };
      requests.push(seen);
      handler(request, response, seen);
    });
  };
  const server = tls === undefined ? http.createServer(listener) : https.createServer(tls, listener);
  server.keepAliveTimeout = 60_000;
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    numbers.set(socket, connections);
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    sockets,
    get connections() {
      return connections;
    },
    openConnections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Answers with JSON.
 */
export function sendJson(response: http.ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

const maxLooks = 10_000;

/**
 * Waits until a condition holds, checking it in each turn of the event loop. Limits the number of checks, not the time, since a busy
 * machine is slower.
 */
export async function until(holds: () => boolean): Promise<void> {
  for (let looks = 0; !holds(); looks += 1) {
    if (looks === maxLooks) throw new Error(`Waited too long until ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
