import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operator } from './operator.js';
import { hasCondition } from './operatorRun.js';

const apiVersion = 'monitoring.coreos.com/v1';
const instances = [
  { kind: 'Prometheus', plural: 'prometheuses', spec: { replicas: 2, serviceMonitorSelector: {} } },
  { kind: 'Alertmanager', plural: 'alertmanagers', spec: { replicas: 1 } },
] as const;
const monitor = {
  apiVersion,
  kind: 'ServiceMonitor',
  metadata: { name: 'sample' },
  spec: { selector: { matchLabels: { app: 'sample' } }, endpoints: [{ port: 'web' }] },
};

/** A Prometheus and an Alertmanager become stateful sets with a configuration, and are available once their pods are ready. */
export const prometheusOperator: Operator = {
  name: 'prometheus-operator',
  module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  programs: { operator: './cmd/operator' },
  ports: ['web'],
  async reach(run, { operator = '' }) {
    const definitions = join(run.sources, 'example/prometheus-operator-crd-full');
    for (const name of readdirSync(definitions)) run.server.objects.put(readFileSync(join(definitions, name), 'utf8'));
    run.program(operator, [
      `--apiserver=${run.server.url}`,
      `--web.listen-address=127.0.0.1:${String(run.portOf('web'))}`,
      '--kubelet-service=kube-system/kubelet',
    ]);
    await run.untilShown(`http://127.0.0.1:${String(run.portOf('web'))}/healthz`);
    const path = `/apis/${apiVersion}/namespaces/default`;
    await run.create(`${path}/servicemonitors`, monitor);
    for (const { kind, plural, spec } of instances)
      await run.create(`${path}/${plural}`, { apiVersion, kind, metadata: { name: 'sample' }, spec });
    for (const { kind } of instances) {
      for (const condition of ['Reconciled', 'Available'])
        await run.until(`the ${kind} is ${condition}`, () => hasCondition(run.get(apiVersion, kind, 'default', 'sample'), condition));
    }
    await run.until(
      'its pods are those of the newest revision',
      () => run.get(apiVersion, 'Prometheus', 'default', 'sample')?.status?.['updatedReplicas'] === 2,
    );
    await run.until('the configuration is written', () => run.get('v1', 'Secret', 'default', 'prometheus-sample')?.data !== undefined);
    await run.until('the kubelets are listed', () => run.get('v1', 'Endpoints', 'kube-system', 'kubelet') !== undefined);
  },
};
