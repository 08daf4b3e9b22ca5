import type { Operator } from './operator.js';

const labels = { app: 'sample' };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'sample' },
  spec: {
    replicas: 2,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'x' }] } },
  },
};
/** Written before the program starts, and after: a list and a watch. */
const config = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
const configMaps = '/api/v1/namespaces/default/configmaps';

/** The metrics show what is there, and follow what changes. */
export const kubeStateMetrics: Operator = {
  name: 'kube-state-metrics',
  module: 'k8s.io/kube-state-metrics/v2@v2.18.0',
  programs: { metrics: '.' },
  ports: ['metrics', 'telemetry'],
  async reach(run, { metrics = '' }) {
    await run.create(configMaps, config('before'));
    run.program(metrics, [
      `--kubeconfig=${run.server.kubeconfigPath}`,
      '--host=127.0.0.1',
      `--port=${String(run.portOf('metrics'))}`,
      '--telemetry-host=127.0.0.1',
      `--telemetry-port=${String(run.portOf('telemetry'))}`,
    ]);
    const url = `http://127.0.0.1:${String(run.portOf('metrics'))}/metrics`;
    await run.untilShown(url, 'kube_configmap_info{namespace="default",configmap="before"} 1', 'kube_node_info{node="node-1"');
    await run.create(configMaps, config('after'));
    await run.create('/apis/apps/v1/namespaces/default/deployments', deployment);
    await run.untilShown(
      url,
      'kube_configmap_info{namespace="default",configmap="after"} 1',
      'kube_deployment_status_replicas_available{namespace="default",deployment="sample"} 2',
      'phase="Running"} 1',
    );
  },
};
