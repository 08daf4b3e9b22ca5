import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestApiServer } from '@rx-informer/api-server';

/** Node health would depend on the leases of kubelets, which nobody renews here. */
const controllers = '*,-node-lifecycle-controller,-node-ipam-controller';

/** Runs Kubernetes' own controllers and scheduler on an embedded server. Returns a function that ends them. */
export function startControllers(programs: string, server: TestApiServer): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rx-informer-controllers-'));
  const authority = join(folder, 'ca.crt');
  writeFileSync(authority, server.credentials.ca ?? '');
  const common = [
    `--kubeconfig=${server.kubeconfigPath}`,
    `--authentication-kubeconfig=${server.kubeconfigPath}`,
    `--authorization-kubeconfig=${server.kubeconfigPath}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    '--leader-elect=false',
  ];
  const own = [`--root-ca-file=${authority}`, `--controllers=${controllers}`, '--use-service-account-credentials=false'];
  const start = (name: string, args: readonly string[]): ChildProcess => spawn(join(programs, name), args, { stdio: 'ignore' });
  const running = [start('kube-controller-manager', [...common, ...own]), start('kube-scheduler', common)];
  return async () => {
    const ended = running.map((program) => new Promise((resolve) => program.once('close', resolve)));
    for (const program of running) program.kill();
    await Promise.all(ended);
    rmSync(folder, { recursive: true });
  };
}
