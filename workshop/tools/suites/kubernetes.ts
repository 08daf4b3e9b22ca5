import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startApiServer, startWorkload } from '@rx-informer/api-server';
import type { WorkloadOptions } from '@rx-informer/api-server/internal';
import { controlPlane } from '../real/controlPlane.js';
import { go, makeModule } from '../real/kubernetesModule.js';
import { startControllers } from './controllers.js';
import { conformanceGroups } from './conformanceCases.js';
import { countSpecs, type SuiteCount } from './suiteCount.js';
import { WebhookPods } from './webhookPods.js';

const version = '1.36.3';
const source = 'workshop/tools/suites/e2e_test.go';

/** Only machines are simulated; all controllers are Kubernetes' own. */
const kubeletOnly: WorkloadOptions = {
  deployments: false,
  replicaSets: false,
  jobs: false,
  podScheduler: false,
  endpoints: false,
  serviceAccounts: false,
  rootCertificates: false,
  disruptionBudgets: false,
  resourceQuotas: false,
};

/** The pods of these tests fail on purpose only; the tags are those of images that do not exist. */
const kubelet = { crashRate: 0, startMs: 200, stopMs: 200, canPull: (image: string) => !/:(404|non-existent)$/.test(image) };

/** Builds the end-to-end tests as a program; rebuilt if the list of packages has changed. */
function build(root: string, folder: string): string {
  const binary = join(folder, 'e2e.test');
  const webhooks = join(folder, 'webhooks/webhooks');
  const copy = join(folder, 'e2e_test.go');
  const isBuilt = existsSync(binary) && existsSync(webhooks);
  if (isBuilt && readFileSync(copy, 'utf8') === readFileSync(join(root, source), 'utf8')) return binary;
  makeModule(folder, version, join(root, source), 'e2e_test.go');
  mkdirSync(dirname(webhooks), { recursive: true });
  copyFileSync(join(root, 'workshop/tools/suites/webhooks/main.go'), join(folder, 'webhooks/main.go'));
  process.stderr.write(`building the webhooks of these tests\n`);
  go(folder, 'build', '-o', webhooks, './webhooks');
  process.stderr.write(`building the end-to-end tests of v${version}\n`);
  // Vetting would build everything once more.
  go(folder, 'test', '-c', '-vet=off', '-o', binary, '.');
  return binary;
}

interface Run {
  readonly binary: string;
  readonly only: string | undefined;
  readonly run: number;
}

async function runOnce(root: string, name: string, { binary, only, run }: Run): Promise<SuiteCount> {
  const group = conformanceGroups[name];
  if (group === undefined) throw new TypeError(`Expected a group of conformance cases, got ${name}`);
  const { sig, focus = '', life, leftOut } = group;
  const folder = dirname(binary);
  const webhooks = new WebhookPods(join(folder, 'webhooks/webhooks'));
  const server = await startApiServer({ tls: true, serviceAddress: webhooks.addressOf });
  webhooks.serve(server);
  const stopControllers = startControllers(controlPlane(root, version), server);
  const workload = await startWorkload(server.client, { ...kubeletOnly, kubelet: { ...kubelet, ...life } });
  // In a real cluster, kubelets renew their leases every ten seconds. Without any write, no version would expire.
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'node', namespace: 'kube-node-lease' } };
  const renewals = setInterval(() => {
    const renewed = { ...lease, spec: { renewTime: new Date().toISOString().replace('Z', '000Z') } };
    server.objects.put(renewed);
  }, 10_000);
  const report = join(folder, `report-${name}${only === undefined ? '' : '-part'}-${String(run)}.json`);
  rmSync(report, { force: true });
  const log = report.replace('.json', '.txt');
  const args = [
    `--kubeconfig=${server.kubeconfigPath}`,
    '--provider=skeleton',
    '--allowed-not-ready-nodes=-1',
    String.raw`--ginkgo.focus=\[sig-${sig}\].*(${only ?? focus}).*\[Conformance\]`,
    ...leftOut.map(({ cases }) => `--ginkgo.skip=${cases}`),
    `--ginkgo.json-report=${report}`,
    '--ginkgo.timeout=90m',
    '--ginkgo.v',
    '--ginkgo.no-color',
  ];
  // The server is in this process, so a synchronous wait for the tests would block it.
  await new Promise<void>((resolve) => {
    spawn(binary, args, { cwd: folder, stdio: ['ignore', openSync(log, 'w'), 'inherit'] }).once('close', () => resolve());
  });
  clearInterval(renewals);
  await workload.stop();
  await stopControllers();
  webhooks.stop();
  await server.close();
  return countSpecs(`Kubernetes, end-to-end, ${name}`, `v${version}`, readFileSync(report, 'utf8'));
}

/**
 * Runs the conformance cases of one group that need no container, against several embedded servers at once, each with Kubernetes' own
 * controllers and scheduler and a simulated kubelet. A case passes if it passes in all runs.
 */
export async function runKubernetes(root: string, name: string, only: string | undefined, times: number): Promise<SuiteCount> {
  const binary = build(root, join(root, `node_modules/.cache/real/e2e-${version}`));
  const counts = await Promise.all(Array.from({ length: times }, (_, run) => runOnce(root, name, { binary, only, run })));
  const [first] = counts;
  if (first === undefined) throw new TypeError(`Expected a number of runs of at least 1, got ${String(times)}`);
  const failed = [...new Set(counts.flatMap((count) => count.failed))];
  return { ...first, passed: first.passed + first.failed.length - failed.length, failed, ...(times > 1 && { runs: times }) };
}
