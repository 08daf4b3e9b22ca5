import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../client/createClient.js';
import type { KubeClient } from '../client/kubeClient.js';
import type { ActivityLog } from './server/activityLog.js';
import type { ApiServerOptions } from './server/apiServerOptions.js';
import type { ApiServerFaults } from './server/faults/faults.js';
import type { ObjectAccess } from './server/objectAccess.js';
import type { StoreSnapshot } from './server/store/store.js';

/**
 * An embedded API server, as tests and demos use it.
 */
export interface TestApiServer {
  /** For example `http://127.0.0.1:37017`. */
  readonly url: string;
  readonly port: number;
  /** A client of this server, made when it is first asked for, and closed with the server. */
  readonly client: KubeClient;
  /** A kubeconfig for this server, as YAML. */
  readonly kubeconfig: string;
  /** A file that holds it, for kubectl; removed by `close()`. */
  readonly kubeconfigPath: string;
  /** What can be made to go wrong. */
  readonly faults: ApiServerFaults;
  /** Reads and writes without HTTP: puts objects or YAML manifests in place, status included. */
  readonly objects: ObjectAccess;
  /** The requests and writes so far. */
  readonly activity: ActivityLog;
  /** The state of now. Takes no time, and can be restored as often as wanted. */
  snapshot(): StoreSnapshot;
  /** Goes back to a state, its resourceVersion included, as after restoring a backup of etcd: watches end, histories are lost. */
  restore(snapshot: StoreSnapshot): void;
  /** Goes back to the state of the start, under new resourceVersions: watches end, and what clients know is expired. */
  reset(): void;
  /** Ends all watches, cuts all connections and stops listening. */
  close(): Promise<void>;
}

function kubeconfigOf(url: string): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    'current-context: rx-informer',
    'clusters:',
    `  - name: rx-informer\n    cluster: { server: "${url}" }`,
    'contexts:',
    '  - name: rx-informer\n    context: { cluster: rx-informer, user: rx-informer, namespace: default }',
    'users:',
    '  - name: rx-informer\n    user: {}',
    '',
  ].join('\n');
}

async function writeKubeconfig(kubeconfig: string): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-'));
  const path = join(folder, 'kubeconfig');
  await writeFile(path, kubeconfig, { mode: 0o600 });
  await chmod(path, 0o600);
  const removeAtExit = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  const remove = async (): Promise<void> => {
    process.off('exit', removeAtExit);
    await rm(folder, { recursive: true, force: true });
  };
  return { path, remove };
}

/**
 * Starts an embedded Kubernetes API server on the loopback interface: every built-in kind and custom resources, over real HTTP.
 *
 * Servers are independent of each other, so each test can have one of its own; starting one takes a few milliseconds.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { startApiServer } from 'rx-informer/testing';
 *
 * const server = await startApiServer();
 * server.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } });
 * const { items } = await server.client.list(resources.core.v1.configmaps, { namespace: 'default' });
 * await server.close();
 * ```
 *
 * @throws TypeError for a wrong option, and Error when the port is taken or the file cannot be read.
 *
 * @see the envtest package of controller-runtime, which runs the real API server
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<TestApiServer> {
  const { createApiServer } = await import('./server/createApiServer.js');
  const server = await createApiServer(options);
  const kubeconfig = kubeconfigOf(server.url);
  const file = await writeKubeconfig(kubeconfig);
  let client: KubeClient | undefined;
  return {
    url: server.url,
    port: server.port,
    get client() {
      client ??= createClient({ server: server.url });
      return client;
    },
    kubeconfig,
    kubeconfigPath: file.path,
    faults: server.faults,
    objects: server.objects,
    activity: server.activity,
    snapshot: () => server.snapshot(),
    restore: (snapshot) => server.restore(snapshot),
    reset: () => server.reset(),
    close: async () => {
      client?.close();
      await Promise.all([server.close(), file.remove()]);
    },
  };
}
