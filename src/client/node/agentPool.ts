import http from 'node:http';
import https from 'node:https';
import type { Credentials } from '../credentials.js';

/** API servers close an idle connection after 90 s, load balancers in front of them after 60 s. */
const idleTimeoutMs = 30_000;

const options: https.AgentOptions = { keepAlive: true, timeout: idleTimeoutMs };

function identityOf({ tls, proxy }: Credentials): string {
  const { ca, cert, key, pfx, passphrase, servername, rejectUnauthorized } = tls;
  return [ca, cert, key, pfx, passphrase, servername, rejectUnauthorized, proxy?.url].map(String).join('\n');
}

function dropIdle(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

async function proxyAgent(proxy: NonNullable<Credentials['proxy']>): Promise<http.Agent> {
  const agent = (await proxy.agent()) as http.Agent & { readonly options: object };
  // The agents that client-node makes for proxies do not keep connections on their own.
  Object.assign(agent, { keepAlive: true });
  Object.assign(agent.options, options);
  return agent;
}

/**
 * Keeps the connections of one server for the next request.
 *
 * There is one agent at a time: connections that were opened with other certificates, or through another proxy, are not used again.
 */
export class AgentPool {
  private readonly secure: boolean;
  private identity: string | undefined;
  private agent: http.Agent | undefined;

  constructor(server: string) {
    this.secure = server.startsWith('https:');
  }

  async agentFor(credentials: Credentials): Promise<http.Agent> {
    const identity = identityOf(credentials);
    if (this.agent !== undefined && this.identity === identity) return this.agent;
    const agent = credentials.proxy === undefined ? this.ownAgent(credentials) : await proxyAgent(credentials.proxy);
    // Another request may have been faster.
    if (this.agent !== undefined && this.identity === identity) return this.agent;
    this.dropIdle();
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

  private ownAgent({ tls }: Credentials): http.Agent {
    if (!this.secure) return new http.Agent(options);
    const given = Object.fromEntries(Object.entries(tls).filter(([, value]) => value !== undefined)) as https.AgentOptions;
    return new https.Agent({ ...options, ...given });
  }
}
