import http from 'node:http';
import https from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import { definedOf } from '../../api/options/definedOf.js';
import type { Credentials } from '../auth/credentials.js';

/** What tells the connections of some credentials from those of others. */
export function identityOf({ tls, proxy }: Credentials): string {
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized } = tls;
  return [ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, proxy?.url].map(String).join('\n');
}

/** The TLS options of some credentials, but those that are absent: they would hide defaults. */
export function givenTls({ tls }: Credentials): ConnectionOptions {
  return definedOf(tls) as ConnectionOptions;
}

function dropIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

/** The agents that client-node makes for proxies do not keep connections on their own. */
async function proxyAgent(proxy: NonNullable<Credentials['proxy']>, options: http.AgentOptions): Promise<http.Agent> {
  const agent = (await proxy.agent()) as http.Agent & { readonly options: object };
  Object.assign(agent, { keepAlive: true });
  Object.assign(agent.options, options);
  return agent;
}

/** Closes its connections when they are not in use, now or later. */
function retire(agent: http.Agent): void {
  Object.assign(agent, { keepSocketAlive: () => false });
  dropIdle(agent);
}

/**
 * Keeps the connections of one server for the next request.
 *
 * There is one agent at a time: connections that were opened with other certificates, or through another proxy, are not used again.
 */
export class AgentPool {
  private readonly secure: boolean;
  private readonly options: http.AgentOptions;
  private identity: string | undefined;
  private agent: http.Agent | undefined;

  constructor(server: string, idleTimeoutMs: number) {
    this.secure = server.startsWith('https:');
    // Counts for idle connections only.
    this.options = { keepAlive: true, timeout: idleTimeoutMs };
  }

  async agentFor(credentials: Credentials): Promise<http.Agent> {
    const identity = identityOf(credentials);
    if (this.agent !== undefined && this.identity === identity) return this.agent;
    const agent = credentials.proxy === undefined ? this.ownAgent(credentials) : await proxyAgent(credentials.proxy, this.options);
    // Another request may have been faster.
    if (this.agent !== undefined && this.identity === identity) return this.agent;
    if (this.agent !== undefined) retire(this.agent);
    this.identity = identity;
    this.agent = agent;
    return agent;
  }

  /** Closes the connections that nobody uses, for they may be dead. */
  dropIdle(): void {
    if (this.agent !== undefined) dropIdle(this.agent);
  }

  close(): void {
    this.agent?.destroy();
    this.agent = undefined;
  }

  private ownAgent(credentials: Credentials): http.Agent {
    return this.secure ? new https.Agent({ ...this.options, ...givenTls(credentials) }) : new http.Agent(this.options);
  }
}
