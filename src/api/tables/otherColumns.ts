import { fieldAt, listAt, numberAt, textAt } from './fieldAt.js';
import { ageColumn, column, createdAtColumn, nameColumn, wideColumn, type TableColumn } from './tableColumn.js';
import { selectorText } from './workloadColumns.js';

const none = '<none>';

function ingressHosts(ingress: unknown): string {
  const hosts = listAt(ingress, 'spec', 'rules')
    .map((rule) => textAt(rule, 'host'))
    .filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  return hosts.length > 3 ? `${hosts.slice(0, 3).join(',')} + ${String(hosts.length - 3)} more...` : hosts.join(',');
}

/** The current and the target value of a metric. The current value is unknown here. */
function hpaTargets(autoscaler: unknown): string {
  const targets = listAt(autoscaler, 'spec', 'metrics').map((metric) => {
    const name = textAt(metric, 'resource', 'name') || textAt(metric, 'type').toLowerCase();
    const wanted = textAt(metric, 'resource', 'target', 'averageUtilization');
    const current = listAt(autoscaler, 'status', 'currentMetrics').find((entry) => textAt(entry, 'resource', 'name') === name);
    const measured = textAt(current, 'resource', 'current', 'averageUtilization');
    const percent = (value: string): string => (value === '' ? '<unknown>' : `${value}%`);
    return `${name}: ${percent(measured)}/${percent(wanted)}`;
  });
  return targets.join(', ') || none;
}

function subjects(kind: string, withNamespace: boolean): TableColumn['cell'] {
  return (binding) =>
    listAt(binding, 'subjects')
      .filter((subject) => textAt(subject, 'kind') === kind)
      .map((subject) => (withNamespace ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}` : textAt(subject, 'name')))
      .join(', ');
}

const bindingColumns: readonly TableColumn[] = [
  nameColumn,
  column('Role', (binding) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`),
  ageColumn,
  wideColumn('Users', subjects('User', false)),
  wideColumn('Groups', subjects('Group', false)),
  wideColumn('ServiceAccounts', subjects('ServiceAccount', true)),
];

const webhookColumns: readonly TableColumn[] = [
  nameColumn,
  column('Webhooks', (configuration) => listAt(configuration, 'webhooks').length, '', 'integer'),
  ageColumn,
];

function sliceEndpoints(slice: unknown): string {
  const addresses = listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String));
  if (addresses.length === 0) return '<unset>';
  return addresses.length > 3 ? `${addresses.slice(0, 3).join(',')} + ${String(addresses.length - 3)} more...` : addresses.join(',');
}

function storageClassName(storageClass: unknown): string {
  const isDefault = fieldAt(storageClass, 'metadata', 'annotations', 'storageclass.kubernetes.io/is-default-class') === 'true';
  return `${textAt(storageClass, 'metadata', 'name')}${isDefault ? ' (default)' : ''}`;
}

const flag =
  (...path: readonly string[]): TableColumn['cell'] =>
  (object) =>
    fieldAt(object, ...path) === true;

/**
 * The columns of the kinds outside the core group that run no pods, by `plural.group`.
 */
export const otherColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  'leases.coordination.k8s.io': [nameColumn, column('Holder', (lease) => textAt(lease, 'spec', 'holderIdentity')), ageColumn],
  'ingresses.networking.k8s.io': [
    nameColumn,
    column('Class', (ingress) => textAt(ingress, 'spec', 'ingressClassName') || none),
    column('Hosts', ingressHosts),
    column('Address', (ingress) =>
      listAt(ingress, 'status', 'loadBalancer', 'ingress')
        .map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'))
        .join(','),
    ),
    column('Ports', (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    ageColumn,
  ],
  'networkpolicies.networking.k8s.io': [
    nameColumn,
    column('Pod-Selector', (policy) => selectorText(policy, 'spec', 'podSelector')),
    ageColumn,
  ],
  'ingressclasses.networking.k8s.io': [
    nameColumn,
    column('Controller', (ingressClass) => textAt(ingressClass, 'spec', 'controller')),
    column('Parameters', (ingressClass) => textAt(ingressClass, 'spec', 'parameters', 'name') || none),
    ageColumn,
  ],
  'endpointslices.discovery.k8s.io': [
    nameColumn,
    column('AddressType', (slice) => textAt(slice, 'addressType')),
    column(
      'Ports',
      (slice) =>
        listAt(slice, 'ports')
          .map((port) => textAt(port, 'port') || '*')
          .join(',') || '<unset>',
    ),
    column('Endpoints', sliceEndpoints),
    ageColumn,
  ],
  'horizontalpodautoscalers.autoscaling': [
    nameColumn,
    column(
      'Reference',
      (scaler) => `${textAt(scaler, 'spec', 'scaleTargetRef', 'kind')}/${textAt(scaler, 'spec', 'scaleTargetRef', 'name')}`,
    ),
    column('Targets', hpaTargets),
    column('MinPods', (scaler) => textAt(scaler, 'spec', 'minReplicas') || '<unset>'),
    column('MaxPods', (scaler) => numberAt(scaler, 'spec', 'maxReplicas')),
    column('Replicas', (scaler) => numberAt(scaler, 'status', 'currentReplicas')),
    ageColumn,
  ],
  'poddisruptionbudgets.policy': [
    nameColumn,
    column('Min Available', (budget) => textAt(budget, 'spec', 'minAvailable') || 'N/A'),
    column('Max Unavailable', (budget) => textAt(budget, 'spec', 'maxUnavailable') || 'N/A'),
    column('Allowed Disruptions', (budget) => numberAt(budget, 'status', 'disruptionsAllowed'), '', 'integer'),
    ageColumn,
  ],
  'roles.rbac.authorization.k8s.io': [nameColumn, createdAtColumn],
  'clusterroles.rbac.authorization.k8s.io': [nameColumn, createdAtColumn],
  'rolebindings.rbac.authorization.k8s.io': bindingColumns,
  'clusterrolebindings.rbac.authorization.k8s.io': bindingColumns,
  'customresourcedefinitions.apiextensions.k8s.io': [nameColumn, createdAtColumn],
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookColumns,
  'storageclasses.storage.k8s.io': [
    { ...nameColumn, cell: storageClassName },
    column('Provisioner', (storageClass) => textAt(storageClass, 'provisioner')),
    column('ReclaimPolicy', (storageClass) => textAt(storageClass, 'reclaimPolicy') || 'Delete'),
    column('VolumeBindingMode', (storageClass) => textAt(storageClass, 'volumeBindingMode') || 'Immediate'),
    column('AllowVolumeExpansion', flag('allowVolumeExpansion')),
    ageColumn,
  ],
  'priorityclasses.scheduling.k8s.io': [
    nameColumn,
    column('Value', (priority) => numberAt(priority, 'value'), '', 'integer'),
    column('Global-Default', flag('globalDefault'), '', 'boolean'),
    ageColumn,
    column('PreemptionPolicy', (priority) => textAt(priority, 'preemptionPolicy')),
  ],
};
