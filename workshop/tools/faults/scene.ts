import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { serverControl, type RemoteFaultInit, type RemoteFault, type ServerControl } from '../../../spec/e2e/serverControl.js';
import { startServerProcess, type ServerProcess } from '../../../spec/e2e/serverProcess.js';
import { ApiError, createClient, type KubeClient, resources } from 'rx-informer';

const configMaps = resources.core.v1.configmaps;
const token = 'of-the-program';

/** A server of a case: in memory, with its objects on disk, or over HTTPS, as credentials of a kubeconfig need it. */
export type OwnServer = 'memory' | 'data' | 'tls';

/** The environment of a fault: a server, a namespace, and a client that writes there. */
export class Scene {
  readonly namespace: string;
  readonly userAgent: string;
  /** The number of successful writes. */
  writes = 0;
  /** Values that a case keeps from its start to its end. */
  readonly notes: Map<string, string> = new Map<string, string>();
  /** The folder for files of the case. */
  readonly folder: string;
  private process: ServerProcess;
  private readonly isOwn: boolean;
  /** A client that reads the server's real state. */
  private readonly truth: KubeClient;

  private constructor(id: string, folder: string, process: ServerProcess, isOwn: boolean) {
    this.namespace = id.toLowerCase();
    this.userAgent = `informer-${id}`;
    this.folder = folder;
    this.process = process;
    this.isOwn = isOwn;
    const isTls = process.url.startsWith('https:');
    // The control endpoint is reached by `fetch`.
    if (isTls) env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    this.truth = createClient({ server: process.url, token, userAgent: 'writer', ...(isTls && { insecureSkipTlsVerify: true }) });
  }

  static startServer(args: readonly string[]): Promise<ServerProcess> {
    return startServerProcess('--control', '--token', token, ...args);
  }

  /** Opens a scene on a shared server, or on a new one. */
  static async open(id: string, server: ServerProcess | OwnServer): Promise<Scene> {
    const folder = mkdtempSync(join(tmpdir(), 'rx-informer-faults-'));
    const isOwn = typeof server === 'string';
    const flags = { memory: [], data: ['--data', join(folder, 'data')], tls: ['--tls'] };
    const started = isOwn ? await Scene.startServer(flags[server]) : server;
    const scene = new Scene(id, folder, started, isOwn);
    await scene.truth.create(resources.core.v1.namespaces, { metadata: { name: scene.namespace } });
    for (const name of ['a', 'b', 'c']) await scene.create(name);
    return scene;
  }

  get url(): string {
    return this.process.url;
  }

  get token(): string {
    return token;
  }

  get control(): ServerControl {
    return serverControl(this.url, token);
  }

  /** Injects a fault that affects this informer only. */
  inject(fault: RemoteFaultInit): Promise<RemoteFault> {
    return this.control.inject({ ...fault, userAgent: this.userAgent });
  }

  /** Ends the informer's watch normally. */
  endWatch(): Promise<unknown> {
    return this.inject({ type: 'endWatch', atOnce: true, count: 1 });
  }

  signal(signal: NodeJS.Signals): void {
    this.process.child.kill(signal);
  }

  kill(): Promise<void> {
    return this.process.end('SIGKILL');
  }

  /** Starts the server again on its port, with its data on disk. */
  async startAgain(): Promise<void> {
    this.process = await Scene.startServer(['--data', join(this.folder, 'data'), '--port', String(this.process.port)]);
  }

  async create(name: string): Promise<void> {
    await this.write(() => this.truth.create(configMaps, { metadata: { name, namespace: this.namespace }, data: {} }));
  }

  async patch(name: string, value: string): Promise<void> {
    await this.write(() => this.truth.patch(configMaps, name, 'merge', { data: { value } }, { namespace: this.namespace }));
  }

  async delete(name: string): Promise<void> {
    await this.write(() => this.truth.delete(configMaps, name, { namespace: this.namespace }));
  }

  /** The resourceVersion of everything, by key. */
  async state(): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.truth.list(configMaps, { namespace: this.namespace });
    return new Map(items.map(({ metadata }) => [`${this.namespace}/${metadata?.name ?? ''}`, metadata?.resourceVersion ?? '']));
  }

  async close(): Promise<void> {
    this.truth.close();
    if (this.isOwn) await this.process.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Cut connections affect the writer as well: it retries, and may find that the first attempt succeeded. */
  private async write(send: () => Promise<unknown>): Promise<void> {
    await send()
      .catch(send)
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || (error.code !== 409 && error.code !== 404)) throw error;
      });
    this.writes += 1;
  }
}
