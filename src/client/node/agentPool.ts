import http from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { definedOf } from '../../api/options.js';
import type { Credentials } from '../auth/credentials.js';
import { tunnelAgent } from './proxyTunnel.js';

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

/** An agent made by client-node does not keep connections alive unless it is told to. */
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

/** What a pool of agents is built from. */
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
