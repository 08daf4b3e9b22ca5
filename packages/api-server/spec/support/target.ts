import { randomBytes } from 'node:crypto';
import { it } from '@jest/globals';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import type { ApiServerOptions } from '../../src/apiServerOptions.js';
import { open, send, type Answer, type AnyJson, type Endpoint, type RequestInit } from './httpClient.js';
import { patientClock } from './patientClock.js';
import { WatchReader } from './watchReader.js';

/**
 * What the conformance specs run against: the embedded server, or with `CONFORMANCE=cluster` the cluster of `KUBECONFIG`.
 */
export const againstCluster: boolean = process.env['CONFORMANCE'] === 'cluster';

/** A case that needs something only the embedded server has. */
export const itEmbedded: typeof it = againstCluster ? (it.skip as typeof it) : it;

/** A case that needs controllers beside the API server: `CONFORMANCE_CONTROLLERS=no` says that the cluster has none. */
export const itControlled: typeof it = process.env['CONFORMANCE_CONTROLLERS'] === 'no' ? (it.skip as typeof it) : it;

/** The factor by which the clock of the embedded server is faster: minutes of the protocol take seconds. */
const speed = againstCluster ? 1 : 10;

/** The real duration of one second of the server, in milliseconds. */
export const secondMs: number = 1_000 / speed;

/** One API server under test. */
export class Target {
  readonly endpoint: Endpoint;
  private readonly embedded: TestApiServer | undefined;
  private readonly namespaces: string[] = [];

  constructor(endpoint: Endpoint, embedded?: TestApiServer) {
    this.endpoint = endpoint;
    this.embedded = embedded;
  }

  /** The embedded server itself, for cases of `itEmbedded`. */
  get server(): TestApiServer {
    if (this.embedded === undefined) throw new Error('Expected this case to run against the embedded server only');
    return this.embedded;
  }

  request(path: string, init?: RequestInit): Promise<Answer> {
    return send(this.endpoint, path, init);
  }

  /** Sends a request that must succeed, and returns the parsed answer. */
  async must(path: string, init?: RequestInit): Promise<AnyJson> {
    const answer = await this.request(path, init);
    if (answer.code >= 300) throw new Error(`${init?.method ?? 'GET'} ${path}: ${String(answer.code)} ${answer.text}`);
    return answer.json;
  }

  post(path: string, body: unknown): Promise<AnyJson> {
    return this.must(path, { method: 'POST', body });
  }

  put(path: string, body: unknown): Promise<AnyJson> {
    return this.must(path, { method: 'PUT', body });
  }

  merge(path: string, body: unknown): Promise<AnyJson> {
    return this.must(path, { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' }, body });
  }

  delete(path: string, body?: unknown): Promise<AnyJson> {
    return this.must(path, { method: 'DELETE', body });
  }

  /** Opens a watch. */
  async watch(path: string, headers: RequestInit['headers'] = {}): Promise<WatchReader> {
    const message = await open(this.endpoint, path, { headers });
    if (message.statusCode !== 200) throw new Error(`${path}: ${String(message.statusCode)}`);
    return new WatchReader(message);
  }

  /** A separate namespace for one case. */
  async namespace(): Promise<string> {
    const name = `conformance-${randomBytes(5).toString('hex')}`;
    await this.post('/api/v1/namespaces', { metadata: { name } });
    this.namespaces.push(name);
    return name;
  }

  /** The path of the secrets in a new namespace, in which only the specs create secrets. */
  async secrets(): Promise<string> {
    return `/api/v1/namespaces/${await this.namespace()}/secrets`;
  }

  async close(): Promise<void> {
    if (this.embedded !== undefined) return this.embedded.close();
    const answers = await Promise.all(this.namespaces.map((name) => this.request(`/api/v1/namespaces/${name}`, { method: 'DELETE' })));
    // A spec may have deleted its own.
    const failed = answers.find(({ code }) => code >= 300 && code !== 404 && code !== 409);
    if (failed !== undefined) throw new Error(`Expected the namespaces of the specs to be deleted, got ${failed.text}`);
  }
}

async function clusterEndpoint(): Promise<Endpoint> {
  if (process.env['KUBECONFIG'] === undefined) throw new Error('Expected KUBECONFIG to name the cluster, since CONFORMANCE=cluster');
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromFile(process.env['KUBECONFIG']);
  return { url: config.getCurrentCluster()?.server ?? '', secure: async (options) => config.applyToHTTPSOptions(options) };
}

/** Opens the server under test. Options count for the embedded one only. */
export async function openTarget(options?: ApiServerOptions): Promise<Target> {
  if (againstCluster) return new Target(await clusterEndpoint());
  const server = await startApiServer({ clock: patientClock(speed), ...options });
  return new Target({ url: server.url }, server);
}

/** The expected Status of an answer. */
export function status(code: number, reason: string, message: unknown, rest: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, ...(reason !== '' && { reason }), message, ...rest };
}
