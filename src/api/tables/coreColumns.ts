import { entriesAt, fieldAt, labelText, listAt, numberAt, textAt } from './fieldAt.js';
import { ageColumn, ageOf, column, createdAtColumn, nameColumn, wideColumn, type TableColumn } from './tableColumn.js';
import { containersColumn, imagesColumn } from './workloadColumns.js';

function terminatedReason(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal !== 0 ? `Signal:${String(signal)}` : `ExitCode:${String(numberAt(terminated, 'exitCode'))}`;
}

/** The status of the first init container that has not succeeded, if any. */
function initStatus(pod: unknown): string | undefined {
  const statuses = listAt(pod, 'status', 'initContainerStatuses');
  for (const [position, status] of statuses.entries()) {
    const terminated = fieldAt(status, 'state', 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (terminated !== undefined) return `Init:${terminatedReason(terminated)}`;
    const waiting = textAt(status, 'state', 'waiting', 'reason');
    if (waiting !== '' && waiting !== 'PodInitializing') return `Init:${waiting}`;
    return `Init:${String(position)}/${String(listAt(pod, 'spec', 'initContainers').length)}`;
  }
  return undefined;
}

function containerStatus(pod: unknown, phase: string): string {
  let status = phase;
  let running = false;
  for (const container of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
    const waiting = textAt(container, 'state', 'waiting', 'reason');
    const terminated = fieldAt(container, 'state', 'terminated');
    if (waiting !== '') status = waiting;
    else if (terminated !== undefined) status = terminatedReason(terminated);
    else if (fieldAt(container, 'ready') === true && fieldAt(container, 'state', 'running') !== undefined) running = true;
  }
  if (status !== 'Completed' || !running) return status;
  const ready = listAt(pod, 'status', 'conditions').some(
    (condition) => textAt(condition, 'type') === 'Ready' && textAt(condition, 'status') === 'True',
  );
  return ready ? 'Running' : 'NotReady';
}

/**
 * The status of a pod as kubectl shows it: its phase, or what prevents its containers from running.
 */
function podStatus(pod: unknown): string {
  const phase = textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
  const status = initStatus(pod) ?? containerStatus(pod, phase);
  if (fieldAt(pod, 'metadata', 'deletionTimestamp') === undefined) return status;
  return textAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

/** The access modes in short words, in a fixed order. */
function accessModes(modes: readonly unknown[]): string {
  const shown = Object.entries(shortModes).filter(([mode]) => modes.includes(mode));
  return shown.map(([, short]) => short).join(',');
}

const none = '<none>';

function restarts(pod: unknown): number {
  return listAt(pod, 'status', 'containerStatuses').reduce<number>((sum, status) => sum + numberAt(status, 'restartCount'), 0);
}

function readyContainers(pod: unknown): string {
  const ready = listAt(pod, 'status', 'containerStatuses').filter((status) => fieldAt(status, 'ready') === true).length;
  return `${String(ready)}/${String(listAt(pod, 'spec', 'containers').length)}`;
}

function readinessGates(pod: unknown): string {
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  if (gates.length === 0) return none;
  const conditions = listAt(pod, 'status', 'conditions');
  const passed = gates.filter((gate) =>
    conditions.some((condition) => textAt(condition, 'type') === gate && textAt(condition, 'status') === 'True'),
  );
  return `${String(passed.length)}/${String(gates.length)}`;
}

function externalIp(service: unknown): string {
  const type = textAt(service, 'spec', 'type');
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName') || none;
  if (type !== 'LoadBalancer') return external.join(',') || none;
  const ingress = listAt(service, 'status', 'loadBalancer', 'ingress').map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'));
  return [...ingress, ...external].join(',') || '<pending>';
}

function servicePorts(service: unknown): string {
  const ports = listAt(service, 'spec', 'ports').map((port) => {
    const nodePort = numberAt(port, 'nodePort');
    return `${textAt(port, 'port')}${nodePort > 0 ? `:${String(nodePort)}` : ''}/${textAt(port, 'protocol') || 'TCP'}`;
  });
  return ports.join(',') || none;
}

function endpoints(object: unknown): string {
  const all = listAt(object, 'subsets').flatMap((subset) => {
    const ports = listAt(subset, 'ports').map((port) => `:${textAt(port, 'port')}`);
    return listAt(subset, 'addresses').flatMap((address) =>
      (ports.length === 0 ? [''] : ports).map((port) => textAt(address, 'ip') + port),
    );
  });
  if (all.length === 0) return none;
  return all.length > 3 ? `${all.slice(0, 3).join(',')} + ${String(all.length - 3)} more...` : all.join(',');
}

function nodeStatus(node: unknown): string {
  const ready = listAt(node, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  const word = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return fieldAt(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles(node: unknown): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = entriesAt(node, 'metadata', 'labels')
    .filter(([key]) => key.startsWith(prefix) && key.length > prefix.length)
    .map(([key]) => key.slice(prefix.length));
  return roles.sort().join(',') || none;
}

function nodeAddress(node: unknown, type: string): string {
  const address = listAt(node, 'status', 'addresses').find((entry) => textAt(entry, 'type') === type);
  return textAt(address, 'address') || none;
}

const eventTime = (event: unknown): string =>
  textAt(event, 'lastTimestamp') || textAt(event, 'eventTime') || textAt(event, 'metadata', 'creationTimestamp');
const firstTime = (event: unknown): string => textAt(event, 'firstTimestamp') || eventTime(event);
const dataCount = (object: unknown): number => entriesAt(object, 'data').length + entriesAt(object, 'binaryData').length;

/** What a quota grants, and how much of it is used. */
function quotaText(quota: unknown, isShown: (name: string) => boolean): string {
  const granted = entriesAt(quota, 'status', 'hard').filter(([name]) => isShown(name));
  const texts = granted.map(([name, hard]) => `${name}: ${textAt(quota, 'status', 'used', name) || '0'}/${String(hard)}`);
  return texts.sort().join(', ');
}

/**
 * The columns of the core group's kinds, by plural.
 */
export const coreColumns: Readonly<Record<string, readonly TableColumn[]>> = {
  pods: [
    nameColumn,
    column('Ready', readyContainers, 'How many of its containers are ready.'),
    column('Status', podStatus, 'What its containers are doing, taken together.'),
    column('Restarts', (pod) => String(restarts(pod)), 'How often its containers were started again.'),
    ageColumn,
    wideColumn('IP', (pod) => textAt(pod, 'status', 'podIP') || none),
    wideColumn('Node', (pod) => textAt(pod, 'spec', 'nodeName') || none),
    wideColumn('Nominated Node', (pod) => textAt(pod, 'status', 'nominatedNodeName') || none),
    wideColumn('Readiness Gates', readinessGates),
  ],
  services: [
    nameColumn,
    column('Type', (service) => textAt(service, 'spec', 'type') || 'ClusterIP'),
    column('Cluster-IP', (service) => textAt(service, 'spec', 'clusterIP') || none),
    column('External-IP', externalIp),
    column('Port(s)', servicePorts),
    ageColumn,
    wideColumn('Selector', (service) => labelText(service, 'spec', 'selector')),
  ],
  namespaces: [nameColumn, column('Status', (namespace) => textAt(namespace, 'status', 'phase')), ageColumn],
  nodes: [
    nameColumn,
    column('Status', nodeStatus),
    column('Roles', nodeRoles),
    ageColumn,
    column('Version', (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
    wideColumn('Internal-IP', (node) => nodeAddress(node, 'InternalIP')),
    wideColumn('External-IP', (node) => nodeAddress(node, 'ExternalIP')),
    wideColumn('OS-Image', (node) => textAt(node, 'status', 'nodeInfo', 'osImage') || '<unknown>'),
    wideColumn('Kernel-Version', (node) => textAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>'),
    wideColumn('Container-Runtime', (node) => textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>'),
  ],
  events: [
    column('Last Seen', (event, now) => ageOf(eventTime(event), now), 'When it happened last.'),
    column('Type', (event) => textAt(event, 'type')),
    column('Reason', (event) => textAt(event, 'reason')),
    column('Object', (event) => `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`),
    wideColumn('Subobject', (event) => textAt(event, 'involvedObject', 'fieldPath')),
    wideColumn('Source', (event) =>
      [textAt(event, 'source', 'component'), textAt(event, 'source', 'host')].filter((part) => part !== '').join(', '),
    ),
    column('Message', (event) => textAt(event, 'message').trim()),
    wideColumn('First Seen', (event, now) => ageOf(firstTime(event), now)),
    wideColumn('Count', (event) => numberAt(event, 'count') || 1),
    { ...nameColumn, priority: 1 },
  ],
  secrets: [
    nameColumn,
    column('Type', (secret) => textAt(secret, 'type')),
    column('Data', dataCount, 'How many entries it has.', 'string'),
    ageColumn,
  ],
  configmaps: [nameColumn, column('Data', dataCount, 'How many entries it has.', 'string'), ageColumn],
  endpoints: [nameColumn, column('Endpoints', endpoints), ageColumn],
  serviceaccounts: [nameColumn, ageColumn],
  persistentvolumeclaims: [
    nameColumn,
    column('Status', (claim) => textAt(claim, 'status', 'phase')),
    column('Volume', (claim) => textAt(claim, 'spec', 'volumeName')),
    column('Capacity', (claim) => textAt(claim, 'status', 'capacity', 'storage')),
    column('Access Modes', (claim) => accessModes(listAt(claim, 'status', 'accessModes'))),
    column('StorageClass', (claim) => textAt(claim, 'spec', 'storageClassName')),
    column('VolumeAttributesClass', (claim) => textAt(claim, 'spec', 'volumeAttributesClassName') || '<unset>'),
    ageColumn,
    wideColumn('VolumeMode', (claim) => textAt(claim, 'spec', 'volumeMode') || '<unset>'),
  ],
  persistentvolumes: [
    nameColumn,
    column('Capacity', (volume) => textAt(volume, 'spec', 'capacity', 'storage')),
    column('Access Modes', (volume) => accessModes(listAt(volume, 'spec', 'accessModes'))),
    column('Reclaim Policy', (volume) => textAt(volume, 'spec', 'persistentVolumeReclaimPolicy')),
    column('Status', (volume) => textAt(volume, 'status', 'phase')),
    column('Claim', (volume) => {
      const claim = fieldAt(volume, 'spec', 'claimRef');
      return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
    }),
    column('StorageClass', (volume) => textAt(volume, 'spec', 'storageClassName')),
    column('VolumeAttributesClass', (volume) => textAt(volume, 'spec', 'volumeAttributesClassName') || '<unset>'),
    column('Reason', (volume) => textAt(volume, 'status', 'reason')),
    ageColumn,
    wideColumn('VolumeMode', (volume) => textAt(volume, 'spec', 'volumeMode') || '<unset>'),
  ],
  replicationcontrollers: [
    nameColumn,
    column('Desired', (controller) => numberAt(controller, 'spec', 'replicas'), '', 'integer'),
    column('Current', (controller) => numberAt(controller, 'status', 'replicas'), '', 'integer'),
    column('Ready', (controller) => numberAt(controller, 'status', 'readyReplicas'), '', 'integer'),
    ageColumn,
    containersColumn,
    imagesColumn,
    wideColumn('Selector', (controller) => labelText(controller, 'spec', 'selector')),
  ],
  resourcequotas: [
    nameColumn,
    column('Request', (quota) => quotaText(quota, (name) => !name.startsWith('limits.'))),
    column('Limit', (quota) => quotaText(quota, (name) => name.startsWith('limits.'))),
    ageColumn,
  ],
  limitranges: [nameColumn, createdAtColumn],
};
