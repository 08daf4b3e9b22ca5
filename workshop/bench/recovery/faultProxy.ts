import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What the proxy does instead of passing requests on. */
export type Fault =
  /** Nothing listens. */
  | { readonly do: 'refuse' }
  /** Connections are reset when they are made. */
  | { readonly do: 'cutAtConnect' }
  /** Requests get no answer, and are reset at the end. */
  | { readonly do: 'hang' }
  | { readonly do: 'answer'; readonly code: number; readonly reason: string; readonly retryAfterSeconds?: number }
  /** Watches from versions below this one have expired; lists are answered. */
  | { readonly do: 'expire'; readonly below: number };

function refuse(answer: http.ServerResponse, code: number, reason: string, retryAfterSeconds?: number): void {
  const details = retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } };
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: `${reason} of the benchmark`, reason, code, ...details };
  answer.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(status));
}

/** Whether a request is a watch from a version below this one. */
function isExpired(url: string, below: number): boolean {
  const query = new URL(url, 'http://proxy').searchParams;
  if (!['true', '1'].includes(query.get('watch') ?? '') || query.get('sendInitialEvents') === 'true') return false;
  const version = Number(query.get('resourceVersion') ?? '0');
  return version > 0 && version < below;
}

/** A proxy in front of an API server, which passes requests on unless it has a fault. */
export class FaultProxy {
  private readonly target: URL;
  private readonly server = http.createServer((request, answer) => this.serve(request, answer));
  private readonly sockets = new Set<Socket>();
  private fault: Fault | undefined;
  private port = 0;

  constructor(target: string) {
    this.target = new URL(target);
    this.server.on('connection', (socket: Socket) => {
      if (this.fault?.do === 'cutAtConnect') {
        socket.resetAndDestroy();
        return;
      }
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async listen(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  /** Resets all connections. */
  cut(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Resets all connections, and has a fault from now on. */
  begin(fault: Fault): void {
    this.fault = fault;
    if (fault.do === 'refuse') this.server.close();
    this.cut();
  }

  async end(): Promise<void> {
    const { fault } = this;
    this.fault = undefined;
    if (fault?.do === 'refuse') await this.listen();
    if (fault?.do === 'hang') this.cut();
  }

  close(): void {
    this.server.close();
    this.cut();
  }

  private serve(request: http.IncomingMessage, answer: http.ServerResponse): void {
    const { fault } = this;
    if (fault?.do === 'hang') return;
    if (fault?.do === 'answer') refuse(answer, fault.code, fault.reason, fault.retryAfterSeconds);
    else if (fault?.do === 'expire' && isExpired(request.url ?? '', fault.below)) refuse(answer, 410, 'Expired');
    else this.pass(request, answer);
  }

  private pass(request: http.IncomingMessage, answer: http.ServerResponse): void {
    const { hostname, port } = this.target;
    const { method, url, headers } = request;
    const onward = http.request({ hostname, port, method, path: url, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      response.on('error', () => answer.destroy());
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    request.pipe(onward);
  }
}
