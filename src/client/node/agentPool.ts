import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { ConnectionOptions } from 'node:tls';
import { definedOf } from '../../api/options.js';
import { type Credentials, basic } from '../auth/credentials.js';
import { codedError } from '../requests/requestError.js';

/**
 * Opens a connection to the server through a proxy (CONNECT).
 *
 * @param proxy - the proxy's URL, with user and password if it needs them.
 * @param authority - the server's host and port.
 */
function openTunnel(proxy: string, authority: string, timeoutMs: number): Promise<Socket> {
  const { protocol, hostname, port, username, password } = new URL(proxy);
  const user = username === '' ? {} : { 'proxy-authorization': basic(decodeURIComponent(username), decodeURIComponent(password)) };
  return new Promise((resolve, reject) => {
    const asked = (protocol === 'https:' ? https : http).request({
      method: 'CONNECT',
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? undefined : port,
      path: authority,
      agent: false,
      headers: { host: authority, ...user },
    });
    const late = setTimeout(() => asked.destroy(codedError('ERR_TIMEOUT', `no tunnel of the proxy within ${timeoutMs} ms`)), timeoutMs);
    asked.on('close', () => clearTimeout(late));
    asked.on('error', reject);
    asked.on('connect', ({ statusCode }, socket) => {
      clearTimeout(late);
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(codedError('ERR_PROXY', `the proxy answered ${String(statusCode)} when it was asked for a tunnel to ${authority}`));
      }
    });
    // A proxy that does not support CONNECT answers as to any request.
    asked.on('response', (response) => {
      response.destroy();
      reject(codedError('ERR_PROXY', `the proxy answered ${String(response.statusCode)} when it was asked for a tunnel to ${authority}`));
    });
    asked.end();
  });
}

/** An agent that connects to a server through tunnels of a proxy (`http:` or `https:`), with TLS inside if the server's URL is `https:`. */
function tunnelAgent(server: string, proxy: string, timeoutMs: number, options: https.AgentOptions): http.Agent {
  const { protocol, host, port } = new URL(server);
  const isSecure = protocol === 'https:';
  const authority = port === '' ? `${host}:${isSecure ? 443 : 80}` : host;
  const agent = isSecure ? new https.Agent(options) : new http.Agent(options);
  const createConnection = (wanted: tls.ConnectionOptions, connected: (error: unknown, socket?: Socket) => void): void => {
    openTunnel(proxy, authority, timeoutMs)
      .then((socket) => (isSecure ? tls.connect({ ...wanted, socket }) : socket))
      .then((socket) => connected(null, socket), connected);
  };
  return Object.assign(agent, { createConnection });
}

/** Identifies credentials that may share connections: their TLS options and proxy. */
export function identityOf({ tls, proxy }: Credentials): string {
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized } = tls;
  return [ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, proxy?.url].map(String).join('\n');
}

/** The TLS options that are set; undefined ones would hide Node's defaults. */
export function givenTls({ tls }: Credentials): ConnectionOptions {
  return definedOf(tls) as ConnectionOptions;
}

function dropIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** An agent made by client-node; keep-alive is off by default there, so it is switched on. */
async function givenAgent(make: () => Promise<unknown>, options: http.AgentOptions): Promise<http.Agent> {
  const agent = (await make()) as http.Agent & { readonly options: object };
  Object.assign(agent, { keepAlive: true });
  Object.assign(agent.options, options);
  return agent;
}

/** Closes the agent's connections as soon as they are idle. */
function retire(agent: http.Agent): void {
  Object.assign(agent, { keepSocketAlive: () => false });
  dropIdle(agent);
}

/** The dependencies and settings of a pool of agents. */
interface AgentPoolInit {
  readonly server: string;
  readonly idleTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * Keeps connections to one server for later requests.
 *
 * Holds one agent at a time: connections opened with other certificates, or through another proxy, are not used again.
 */
export class AgentPool {
  private readonly server: string;
  private readonly connectTimeoutMs: number;
  private readonly options: http.AgentOptions;
  private identity: string | undefined;
  private agent: http.Agent | undefined;

  constructor({ server, idleTimeoutMs, connectTimeoutMs }: AgentPoolInit) {
    this.server = server;
    this.connectTimeoutMs = connectTimeoutMs;
    // This timeout applies to idle connections only.
    this.options = { keepAlive: true, timeout: idleTimeoutMs };
  }

  async agentFor(credentials: Credentials): Promise<http.Agent> {
    const identity = identityOf(credentials);
    if (this.agent !== undefined && this.identity === identity) return this.agent;
    const agent = await this.agentOf(credentials);
    // A concurrent request may have made the agent meanwhile.
    if (this.agent !== undefined && this.identity === identity) return this.agent;
    if (this.agent !== undefined) retire(this.agent);
    this.identity = identity;
    this.agent = agent;
    return agent;
  }

  /** Closes the idle connections, for they may be dead. */
  dropIdle(): void {
    if (this.agent !== undefined) dropIdle(this.agent);
  }

  close(): void {
    this.agent?.destroy();
    this.agent = undefined;
  }

  private agentOf(credentials: Credentials): http.Agent | Promise<http.Agent> {
    const { server, options } = this;
    const { proxy } = credentials;
    if (proxy?.agent !== undefined) return givenAgent(proxy.agent, options);
    const secured = { ...options, ...givenTls(credentials) };
    if (proxy !== undefined) return tunnelAgent(server, proxy.url, this.connectTimeoutMs, secured);
    return server.startsWith('https:') ? new https.Agent(secured) : new http.Agent(options);
  }
}
