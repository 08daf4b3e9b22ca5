import http from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { definedOf } from '../../api/options.js';
import type { Credentials } from '../auth/credentials.js';
import { addressIn, openTunnel, proxyAuthorization, type TunnelLimits } from './proxyTunnel.js';
import { goVerification, sentName } from './trust.js';

/** How requests reach the server. */
export interface Route {
  readonly agent: http.Agent;
  /** The headers for a proxy that is sent whole URLs; absent where it is sent none. */
  readonly proxyHeaders?: Readonly<Record<string, string>>;
}

/** An agent for a server of TLS. */
function secureAgent(server: string, options: https.AgentOptions): https.Agent {
  return new https.Agent({ servername: sentName(new URL(server).hostname), ...options });
}

type Connected = (error: unknown, socket?: Socket) => void;

/** An agent that connects to a server through tunnels of a proxy, with TLS inside if the server's URL is `https:`. */
function tunnelAgent(server: string, proxy: string, limits: TunnelLimits, options: https.AgentOptions): http.Agent {
  const isSecure = server.startsWith('https:');
  const agent = isSecure ? secureAgent(server, options) : new http.Agent(options);
  const createConnection = (wanted: tls.ConnectionOptions, connected: Connected): void => {
    openTunnel(proxy, server, limits, options)
      .then((socket) => (isSecure ? tls.connect({ ...wanted, socket }) : socket))
      .then((socket) => connected(null, socket), connected);
  };
  return Object.assign(agent, { createConnection });
}

/** An agent whose connections lead to a proxy of HTTP, for a server without TLS. */
function forwardingAgent(proxy: string, options: https.AgentOptions): http.Agent {
  const { host, port } = addressIn(proxy);
  const createConnection = (): Socket =>
    proxy.toLowerCase().startsWith('https:')
      ? tls.connect({ servername: sentName(host), ...options, host, port })
      : net.connect({ host, port });
  return Object.assign(new http.Agent(options), { createConnection });
}

/** Identifies credentials that may share connections: their server, TLS options and proxy. */
export function identityOf({ tls: held, proxy, server }: Credentials): string {
  const { ca, cert, key, pfx, passphrase, servername, checkedName, rejectUnauthorized } = held;
  return [ca, cert, key, pfx, passphrase, servername, checkedName, rejectUnauthorized, proxy?.url, server].map(String).join('\n');
}

/** Identifies what a connection proves, and where it leads: when that is replaced, open connections do not count any more. */
export function proofOf({ tls: { cert, key, pfx }, server }: Credentials): string {
  return [cert, key, pfx, server].map(String).join('\n');
}

/** The TLS options that are set; undefined ones would hide Node's defaults. */
export function givenTls({ tls: { checkedName, ...held } }: Credentials): tls.ConnectionOptions {
  return { ...goVerification(checkedName), ...(definedOf(held) as tls.ConnectionOptions) };
}

function dropIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** Closes the agent's connections as soon as they are idle. */
function retire(agent: http.Agent): void {
  Object.assign(agent, { keepSocketAlive: () => false });
  dropIdle(agent);
}

/** The settings of a pool of agents. */
interface AgentPoolInit {
  readonly idleTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * Keeps connections to one server for later requests.
 *
 * Holds one agent at a time: connections opened with other certificates, or through another proxy, are not used again.
 */
export class AgentPool {
  private readonly init: AgentPoolInit;
  private readonly closing = new AbortController();
  private identity: string | undefined;
  private route: Route | undefined;

  constructor(init: AgentPoolInit) {
    this.init = init;
  }

  /** The way to a server with these credentials. Connections with those of before are closed when they are idle. */
  routeFor(credentials: Credentials, server: string): Route {
    const identity = identityOf(credentials);
    if (this.route !== undefined && this.identity === identity) return this.route;
    if (this.route !== undefined) retire(this.route.agent);
    this.identity = identity;
    return (this.route = this.routeOf(credentials, server));
  }

  /** Closes the idle connections, for they may be dead. */
  dropIdle(): void {
    if (this.route !== undefined) dropIdle(this.route.agent);
  }

  close(): void {
    this.closing.abort();
    this.route?.agent.destroy();
    this.route = undefined;
  }

  private routeOf(credentials: Credentials, server: string): Route {
    // This timeout applies to idle connections only.
    const options = { keepAlive: true, timeout: this.init.idleTimeoutMs };
    const { proxy } = credentials;
    const secured = { ...options, ...givenTls(credentials) };
    if (proxy !== undefined && server.startsWith('http:') && /^http/i.test(proxy.url))
      return { agent: forwardingAgent(proxy.url, secured), proxyHeaders: proxyAuthorization(proxy.url) };
    const limits = { timeoutMs: this.init.connectTimeoutMs, signal: this.closing.signal };
    if (proxy !== undefined) return { agent: tunnelAgent(server, proxy.url, limits, secured) };
    return { agent: server.startsWith('https:') ? secureAgent(server, secured) : new http.Agent(options) };
  }
}
