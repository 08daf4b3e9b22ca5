import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './operator.js';
import { hasCondition, type OperatorRun } from './operatorRun.js';

const namespace = 'jobset-system';
/** Where the program looks for its certificate; a kubelet would mount the secret there. */
const mounted = '/tmp/k8s-webhook-server/serving-certs';

/** What kustomize does with the module's manifests. */
function named(text: string): string {
  return text
    .replaceAll(/\b(webhook-service|webhook-server-cert|(?:mutat|validat)ing-webhook-configuration)\b/g, 'jobset-$1')
    .replaceAll('namespace: system', `namespace: ${namespace}`)
    .replaceAll(
      /^ {2}name: [mv]pod\.kb\.io$/gm,
      '$&\n  objectSelector: { matchExpressions: [{ key: jobset.sigs.k8s.io/jobset-name, operator: Exists }] }',
    );
}

function mountSecret(run: OperatorRun): boolean {
  const { data = {} } = run.get('v1', 'Secret', namespace, 'jobset-webhook-server-cert') ?? {};
  mkdirSync(mounted, { recursive: true });
  for (const [name, value] of Object.entries(data)) writeFileSync(join(mounted, name), value, 'base64');
  return Object.keys(data).length > 0;
}

function configurationOf(run: OperatorRun): string {
  return JSON.stringify({
    apiVersion: 'config.jobset.x-k8s.io/v1alpha1',
    kind: 'Configuration',
    leaderElection: { leaderElect: false },
    internalCertManagement: { enable: true },
    webhook: { port: run.portOf('jobset-webhook-service') },
  });
}

const sample = {
  apiVersion: 'jobset.x-k8s.io/v1alpha2',
  kind: 'JobSet',
  metadata: { name: 'sample' },
  spec: {
    replicatedJobs: ['driver', 'workers'].map((name, at) => ({
      name,
      replicas: at + 1,
      template: {
        spec: { parallelism: 2, completions: 2, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] } } },
      },
    })),
  },
};

/** Its webhooks fill in a JobSet, with a certificate that it makes; the jobs end, and with them the JobSet. */
export const jobSet: Operator = {
  name: 'JobSet',
  module: 'sigs.k8s.io/jobset@v0.10.1',
  programs: { manager: '.' },
  ports: ['jobset-webhook-service', 'probes'],
  async reach(run, { manager = '' }) {
    const manifests = ['crd/bases/jobset.x-k8s.io_jobsets', 'webhook/manifests', 'webhook/service', 'internalcert/secret'];
    run.server.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    for (const name of manifests) run.server.objects.put(named(readFileSync(join(run.sources, `config/components/${name}.yaml`), 'utf8')));
    const configuration = join(run.files, 'configuration.yaml');
    writeFileSync(configuration, configurationOf(run));
    const probes = `127.0.0.1:${String(run.portOf('probes'))}`;
    run.program(manager, [`--config=${configuration}`, '--metrics-bind-address=0', `--health-probe-bind-address=${probes}`]);
    await run.until('it makes a certificate', () => mountSecret(run));
    await run.untilShown(`http://${probes}/readyz`);
    await run.create('/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets', sample);
    await run.until('the JobSet is completed', () =>
      hasCondition(run.get('jobset.x-k8s.io/v1alpha2', 'JobSet', 'default', 'sample'), 'Completed'),
    );
  },
};
