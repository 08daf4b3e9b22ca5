import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type KubeClient } from 'rx-informer';
import { kubeconfigOf, type ServerCredentials } from '../kubeconfigOf.js';
import type { RunningApiServer } from '../runningApiServer.js';
import { CertificateAuthority } from '../auth/certificateAuthority.js';
import { administrator } from '../auth/user.js';
import { createControlPlane, type ControlPlane } from './controlPlane.js';
import { findBinaries } from './findBinaries.js';
import { freePorts } from './freePorts.js';
import type { RealApiServerOptions } from './realApiServerOptions.js';
import { checkOptions, type OptionRules, rules } from 'rx-informer/internal';

/** A kube-apiserver with its etcd, for tests. */
export interface RealApiServer extends RunningApiServer {
  /** The version that the server reports, for example `v1.36.3`. */
  readonly version: string;
  /** The process id of the API server, for sending signals to it; undefined while it does not run. */
  readonly pid: number | undefined;
  /** The last output of the programs, for reports of failed tests. */
  readonly logs: Readonly<Record<'etcd' | 'apiServer' | 'controllerManager', string>>;
  /** Makes etcd delete all versions except the newest. The API server's watch cache keeps older ones until it is restarted. */
  compact(): Promise<void>;
  /** Ends the API server with a signal and starts it again on the same port and data: connections break, and its watch cache is empty. */
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const serverRules: OptionRules<RealApiServerOptions> = {
  assets: rules.nonEmptyString,
  controllerManager: rules.either(rules.boolean, rules.listOf(rules.nonEmptyString, 'names of controllers')),
  apiServerArgs: rules.listOf(rules.nonEmptyString, 'arguments'),
  etcdArgs: rules.listOf(rules.nonEmptyString, 'arguments'),
  startTimeoutMs: rules.durationMs,
};

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all(Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content, { mode: 0o600 })));
}

function serviceAccountKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
}

/** Calls a method of etcd's JSON gateway. */
async function askEtcd(url: string, method: string, body: object): Promise<unknown> {
  const answer = await fetch(`${url}/v3/kv/${method}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd answered ${method} with ${String(answer.status)}: ${await answer.text()}`);
  return answer.json();
}

async function compactEtcd(url: string): Promise<void> {
  const { header } = (await askEtcd(url, 'range', { key: 'AA==' })) as { readonly header: { readonly revision: string } };
  await askEtcd(url, 'compaction', { revision: header.revision, physical: true });
}

async function startAll({ etcd, apiServer, controllerManager }: ControlPlane): Promise<void> {
  await etcd.start();
  await apiServer.start();
  await controllerManager?.start();
}

async function endAll({ etcd, apiServer, controllerManager }: ControlPlane): Promise<void> {
  await controllerManager?.end('SIGKILL');
  // After SIGTERM, an API server would wait a minute for its watches.
  await apiServer.end('SIGKILL');
  await etcd.end('SIGKILL');
}

/** Creates the certificates and files of a control plane. */
async function layOut(options: RealApiServerOptions) {
  const binaries = findBinaries(options.assets);
  if ((options.controllerManager ?? false) !== false && binaries['kube-controller-manager'] === undefined) {
    throw new Error('Expected the program kube-controller-manager beside kube-apiserver, since `controllerManager` asks for it');
  }
  const folder = await mkdtemp(join(tmpdir(), 'rx-informer-real-'));
  const ports = await freePorts(4);
  const [etcdPort = 0, , port = 0] = ports;
  const authority = new CertificateAuthority(Date.now());
  const server = authority.issueServer();
  const { cert: clientCert, key: clientKey } = authority.issueClient(administrator);
  const credentials: ServerCredentials = { ca: authority.cert, clientCert, clientKey };
  const url = `https://127.0.0.1:${String(port)}`;
  const kubeconfig = kubeconfigOf(url, credentials);
  await writeFiles(folder, {
    'ca.crt': authority.cert,
    'server.crt': server.cert,
    'server.key': server.key,
    'service-account.key': serviceAccountKey(),
    kubeconfig,
  });
  const plane = createControlPlane(binaries, folder, ports, { authority, administrator: { cert: clientCert, key: clientKey } }, options);
  return { url, port, etcdPort, kubeconfig, folder, authority, credentials, plane };
}

/**
 * Starts a real Kubernetes API server with its own etcd, like controller-runtime's envtest: on free ports of the loopback interface, with generated
 * certificates, and with its data in a temporary folder. It ends with `close()`, or with this process.
 *
 * The programs etcd and kube-apiserver must exist on this machine: in `assets`, in the folder of `KUBEBUILDER_ASSETS`, or on the `PATH`.
 *
 * @example
 * ```ts
 * import { resources } from 'rx-informer';
 * import { startRealApiServer } from '@rx-informer/api-server';
 *
 * const server = await startRealApiServer();
 * const { items } = await server.client.list(resources.core.v1.namespaces);
 * console.log(server.version, items.length);
 * await server.close();
 * ```
 *
 * @throws TypeError for a wrong option, and Error when a program is missing or does not become ready; the message contains its last output.
 *
 * @see startApiServer for an embedded one, which can simulate failures
 */
export async function startRealApiServer(options: RealApiServerOptions = {}): Promise<RealApiServer> {
  checkOptions('startRealApiServer', options, serverRules);
  const { url, port, etcdPort, kubeconfig, folder, authority, credentials, plane } = await layOut(options);
  const clear = async (): Promise<void> => {
    await endAll(plane);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  let client: KubeClient | undefined;
  const clientOfServer = (): KubeClient => (client ??= createClient({ server: url, ...credentials }));
  let version: string;
  try {
    await startAll(plane);
    version = ((await clientOfServer().getPath('/version')) as { readonly gitVersion: string }).gitVersion;
  } catch (error) {
    client?.close();
    await clear();
    throw error;
  }
  return {
    url,
    port,
    version,
    kubeconfig,
    kubeconfigPath: join(folder, 'kubeconfig'),
    credentials,
    get client() {
      return clientOfServer();
    },
    get pid() {
      return plane.apiServer.pid;
    },
    get logs() {
      const { etcd, apiServer, controllerManager } = plane;
      return { etcd: etcd.log, apiServer: apiServer.log, controllerManager: controllerManager?.log ?? '' };
    },
    issueCertificate: (user, validUntil) => authority.issueClient(user, validUntil),
    compact: () => compactEtcd(`http://127.0.0.1:${String(etcdPort)}`),
    restart: async (signal = 'SIGTERM') => {
      await plane.apiServer.end(signal);
      await plane.apiServer.start();
    },
    close: async () => {
      client?.close();
      await clear();
    },
  };
}
