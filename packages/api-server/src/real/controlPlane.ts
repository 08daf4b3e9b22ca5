import { request } from 'node:https';
import type { CertificateAuthority, KeyedCertificate } from '../auth/certificateAuthority.js';
import type { Binaries } from './findBinaries.js';
import { Program } from './program.js';
import type { RealApiServerOptions } from './realApiServerOptions.js';

/** The programs of a control plane, not started yet. */
export interface ControlPlane {
  readonly etcd: Program;
  readonly apiServer: Program;
  readonly controllerManager: Program | undefined;
}

/** The credentials of an administrator. */
export interface AdministratorAccess {
  readonly authority: CertificateAuthority;
  readonly administrator: KeyedCertificate;
}

const defaultStartTimeoutMs = 60_000;

async function etcdIsHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    async (answer) => answer.ok && (await answer.text()).includes('true'),
    () => false,
  );
}

/** Whether an API server reports that it is ready, including its caches and its first objects. */
function apiServerIsReady(port: number, { authority, administrator: { cert, key } }: AdministratorAccess): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path: '/readyz', ca: authority.cert, cert, key, agent: false, timeout: 2_000 };
    const sent = request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.once('timeout', () => sent.destroy());
    sent.once('error', () => resolve(false));
    sent.end();
  });
}

function etcdArgs(folder: string, url: string, peerUrl: string): readonly string[] {
  return [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ];
}

function apiServerArgs(folder: string, etcdUrl: string, port: number): readonly string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    // Since 1.37 a server refuses to create endpoints for a loopback address; they are not needed.
    '--endpoint-reconciler-type=none',
    `--secure-port=${String(port)}`,
    `--cert-dir=${folder}`,
    `--tls-cert-file=${folder}/server.crt`,
    `--tls-private-key-file=${folder}/server.key`,
    `--client-ca-file=${folder}/ca.crt`,
    `--service-account-issuer=https://127.0.0.1:${String(port)}`,
    `--service-account-key-file=${folder}/service-account.key`,
    `--service-account-signing-key-file=${folder}/service-account.key`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--authorization-mode=RBAC',
    '--allow-privileged=true',
    // Without kube-controller-manager, the service account that pods require would not exist.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

function controllerManagerArgs(folder: string, port: number, controllers: RealApiServerOptions['controllerManager']): readonly string[] {
  return [
    `--kubeconfig=${folder}/kubeconfig`,
    '--bind-address=127.0.0.1',
    `--secure-port=${String(port)}`,
    `--cert-dir=${folder}/controller-manager`,
    '--leader-elect=false',
    '--use-service-account-credentials=false',
    `--service-account-private-key-file=${folder}/service-account.key`,
    `--root-ca-file=${folder}/ca.crt`,
    ...(Array.isArray(controllers) ? [`--controllers=${controllers.join(',')}`] : []),
  ];
}

/**
 * Configures the programs of a control plane: they listen on the loopback interface only, and keep all files in the folder.
 *
 * @param ports - those of etcd, of etcd's peers, of the API server and of the controller manager.
 */
export function createControlPlane(
  binaries: Binaries,
  folder: string,
  [etcdPort = 0, peerPort = 0, port = 0, controllerManagerPort = 0]: readonly number[],
  access: AdministratorAccess,
  options: RealApiServerOptions,
): ControlPlane {
  const { startTimeoutMs = defaultStartTimeoutMs, controllerManager: controllers = false } = options;
  const etcdUrl = `http://127.0.0.1:${String(etcdPort)}`;
  const peerUrl = `http://127.0.0.1:${String(peerPort)}`;
  const controllerManager = binaries['kube-controller-manager'];
  return {
    etcd: new Program({
      path: binaries.etcd,
      args: [...etcdArgs(folder, etcdUrl, peerUrl), ...(options.etcdArgs ?? [])],
      isReady: () => etcdIsHealthy(etcdUrl),
      startTimeoutMs,
    }),
    apiServer: new Program({
      path: binaries['kube-apiserver'],
      args: [...apiServerArgs(folder, etcdUrl, port), ...(options.apiServerArgs ?? [])],
      isReady: () => apiServerIsReady(port, access),
      startTimeoutMs,
    }),
    controllerManager:
      controllers !== false && controllerManager !== undefined
        ? new Program({
            path: controllerManager,
            args: controllerManagerArgs(folder, controllerManagerPort, controllers),
            isReady: () => Promise.resolve(true),
            startTimeoutMs,
          })
        : undefined,
  };
}
