import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startApiServer } from '../../src/testing/startApiServer.js';
import { startWorkload } from '../../src/testing/workload/startWorkload.js';
import { go, makeModule } from '../real/kubernetesModule.js';
import { countSpecs, type SuiteCount } from './suiteCount.js';

const version = '1.36.3';

/** What runs nothing in a container. */
const chosen = String.raw`\[sig-api-machinery\].*\[Conformance\]`;
/** Cases that run a program of their own in a pod. */
const needsContainers = 'AdmissionWebhook|CustomResourceConversionWebhook|Aggregator';

/** The end-to-end tests of Kubernetes that need no container, against an embedded server. */
export async function runKubernetes(root: string, focus: string = chosen): Promise<SuiteCount> {
  const folder = join(root, `node_modules/.cache/real/e2e-${version}`);
  const binary = join(folder, 'e2e.test');
  if (!existsSync(binary)) {
    makeModule(folder, version, join(root, 'tools/suites/e2e_test.go'), 'e2e_test.go');
    process.stderr.write(`building the end-to-end tests of v${version}\n`);
    go(folder, 'test', '-c', '-o', binary, '.');
  }
  const server = await startApiServer({ tls: true });
  const workload = await startWorkload(server.client, {
    kubelet: { crashRate: 0, startMs: 200, stopMs: 200 },
    rootCertificate: server.credentials.ca,
  });
  // No cluster is ever quiet: kubelets renew their leases every ten seconds. Without a write, no version grows old.
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'node', namespace: 'kube-node-lease' } };
  const renewals = setInterval(() => {
    const renewed = { ...lease, spec: { renewTime: new Date().toISOString().replace('Z', '000Z') } };
    server.objects.put(renewed);
  }, 10_000);
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const args = [
    `--kubeconfig=${server.kubeconfigPath}`,
    '--provider=skeleton',
    '--allowed-not-ready-nodes=-1',
    `--ginkgo.focus=${focus}`,
    `--ginkgo.skip=${needsContainers}`,
    `--ginkgo.json-report=${report}`,
    '--ginkgo.timeout=40m',
    '--ginkgo.succinct',
  ];
  // The server is in this process: whoever waited for the tests in here would keep it from answering.
  await new Promise<void>((resolve) => {
    spawn(binary, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }).once('close', () => resolve());
  });
  clearInterval(renewals);
  await workload.stop();
  await server.close();
  return countSpecs('Kubernetes, end-to-end, API machinery', `v${version}`, readFileSync(report, 'utf8'));
}
