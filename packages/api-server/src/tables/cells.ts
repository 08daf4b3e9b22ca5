import { asJsonObject, hasCondition, listAt, numberAt, textAt, valueAt } from '../json.js';
import { humanDuration } from './humanDuration.js';
import { ageOf, type TableColumn } from './tableColumn.js';

const none = '<none>';

/** The entries of the map at a path; none where there is no map. */
const entriesAt = (value: unknown, ...path: readonly string[]): readonly (readonly [string, unknown])[] =>
  Object.entries(asJsonObject(valueAt(value, ...path)));

/** The labels at a path as one text. */
function labelText(value: unknown, ...path: readonly string[]): string {
  const labels = entriesAt(value, ...path).map(([name, label]) => `${name}=${String(label)}`);
  return labels.sort().join(',') || none;
}

/** The first three, and how many more there are. */
const shortened = (items: readonly string[]): string =>
  items.length > 3 ? `${items.slice(0, 3).join(',')} + ${String(items.length - 3)} more...` : items.join(',');

function terminatedReason(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal !== 0 ? `Signal:${String(signal)}` : `ExitCode:${String(numberAt(terminated, 'exitCode'))}`;
}

/** The status of the first init container that has not succeeded, if any. */
function initStatus(pod: unknown): string | undefined {
  for (const [position, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const terminated = valueAt(status, 'state', 'terminated');
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
    const terminated = valueAt(container, 'state', 'terminated');
    if (waiting !== '') status = waiting;
    else if (terminated !== undefined) status = terminatedReason(terminated);
    else if (valueAt(container, 'ready') === true && valueAt(container, 'state', 'running') !== undefined) running = true;
  }
  if (status !== 'Completed' || !running) return status;
  return hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
}

/** The status of a pod as kubectl shows it: its phase, or what prevents its containers from running. */
function podStatus(pod: unknown): string {
  const phase = textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase');
  const status = initStatus(pod) ?? containerStatus(pod, phase);
  if (valueAt(pod, 'metadata', 'deletionTimestamp') === undefined) return status;
  return textAt(pod, 'status', 'reason') === 'NodeLost' ? 'Unknown' : 'Terminating';
}

function readinessGates(pod: unknown): string {
  const gates = listAt(pod, 'spec', 'readinessGates').map((gate) => textAt(gate, 'conditionType'));
  return gates.length === 0 ? none : `${String(gates.filter((gate) => hasCondition(pod, gate)).length)}/${String(gates.length)}`;
}

const ingressAddresses = (object: unknown): string[] =>
  listAt(object, 'status', 'loadBalancer', 'ingress').map((entry) => textAt(entry, 'ip') || textAt(entry, 'hostname'));

function externalIp(service: unknown): string {
  const type = textAt(service, 'spec', 'type');
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  if (type === 'ExternalName') return textAt(service, 'spec', 'externalName') || none;
  if (type !== 'LoadBalancer') return external.join(',') || none;
  return [...ingressAddresses(service), ...external].join(',') || '<pending>';
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
  return shortened(all) || none;
}

function nodeStatus(node: unknown): string {
  const ready = listAt(node, 'status', 'conditions').find((condition) => textAt(condition, 'type') === 'Ready');
  const word = ready === undefined ? 'Unknown' : textAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return valueAt(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles(node: unknown): string {
  const roles = entriesAt(node, 'metadata', 'labels').flatMap(([key]) => /^node-role\.kubernetes\.io\/(.+)/.exec(key)?.[1] ?? []);
  return roles.sort().join(',') || none;
}

const eventTime = (event: unknown): string =>
  textAt(event, 'lastTimestamp') || textAt(event, 'eventTime') || textAt(event, 'metadata', 'creationTimestamp');

function quotaText(quota: unknown, ofLimits: boolean): string {
  const granted = entriesAt(quota, 'status', 'hard').filter(([name]) => name.startsWith('limits.') === ofLimits);
  const texts = granted.map(([name, hard]) => `${name}: ${textAt(quota, 'status', 'used', name) || '0'}/${String(hard)}`);
  return texts.sort().join(', ');
}

/** The access modes in short words, in a fixed order. */
function shortModes(modes: readonly unknown[]): string {
  const shown = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' };
  return Object.entries(shown)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

function claimRef(volume: unknown): string {
  const claim = valueAt(volume, 'spec', 'claimRef');
  return claim === undefined ? '' : `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}`;
}

const replicas = (object: unknown): number =>
  valueAt(object, 'spec', 'replicas') === undefined ? 1 : numberAt(object, 'spec', 'replicas');

function suspended(job: unknown): string {
  const value = valueAt(job, 'spec', 'suspend');
  return value === undefined ? '<unset>' : value === true ? 'True' : 'False';
}

function completions(job: unknown): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  if (valueAt(job, 'spec', 'completions') !== undefined) return `${String(succeeded)}/${String(numberAt(job, 'spec', 'completions'))}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${String(succeeded)}/1 of ${String(parallelism)}` : `${String(succeeded)}/1`;
}

function jobDuration(job: unknown, now: number): string {
  const start = Date.parse(textAt(job, 'status', 'startTime'));
  const end = Date.parse(textAt(job, 'status', 'completionTime'));
  return Number.isNaN(start) ? '' : humanDuration((Number.isNaN(end) ? now : end) - start);
}

function jobStatus(job: unknown): string {
  const found = ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(job, type));
  return found ?? (valueAt(job, 'metadata', 'deletionTimestamp') === undefined ? 'Running' : 'Terminating');
}

const lastSchedule = (job: unknown, now: number): string =>
  textAt(job, 'status', 'lastScheduleTime') === '' ? none : ageOf(textAt(job, 'status', 'lastScheduleTime'), now);

function ingressHosts(ingress: unknown): string {
  const hosts = listAt(ingress, 'spec', 'rules').map((rule) => textAt(rule, 'host'));
  return shortened(hosts.filter((host) => host !== '')) || '*';
}

function hpaTargets(autoscaler: unknown): string {
  const percent = (value: string): string => (value === '' ? '<unknown>' : `${value}%`);
  const targets = listAt(autoscaler, 'spec', 'metrics').map((metric) => {
    const name = textAt(metric, 'resource', 'name') || textAt(metric, 'type').toLowerCase();
    const current = listAt(autoscaler, 'status', 'currentMetrics').find((entry) => textAt(entry, 'resource', 'name') === name);
    const measured = textAt(current, 'resource', 'current', 'averageUtilization');
    return `${name}: ${percent(measured)}/${percent(textAt(metric, 'resource', 'target', 'averageUtilization'))}`;
  });
  return targets.join(', ') || none;
}

function subjects(binding: unknown, kind: string): string {
  const found = listAt(binding, 'subjects').filter((subject) => textAt(subject, 'kind') === kind);
  const prefix = (subject: unknown): string => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/` : '');
  return found.map((subject) => `${prefix(subject)}${textAt(subject, 'name')}`).join(', ');
}

const sliceEndpoints = (slice: unknown): string =>
  shortened(listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String))) || '<unset>';

function storageClassName(storageClass: unknown): string {
  const isDefault = valueAt(storageClass, 'metadata', 'annotations', 'storageclass.kubernetes.io/is-default-class') === 'true';
  return `${textAt(storageClass, 'metadata', 'name')}${isDefault ? ' (default)' : ''}`;
}

const paramKind = (policy: unknown): string =>
  valueAt(policy, 'spec', 'paramKind') === undefined
    ? '<unset>'
    : `${textAt(policy, 'spec', 'paramKind', 'apiVersion')}/${textAt(policy, 'spec', 'paramKind', 'kind')}`;

function paramName(binding: unknown): string {
  const name = textAt(binding, 'spec', 'paramRef', 'name');
  return name === '' ? '<unset>' : `${textAt(binding, 'spec', 'paramRef', 'namespace') || '*'}/${name}`;
}

function requestState(request: unknown): string {
  const types = new Set(listAt(request, 'status', 'conditions').map((condition) => textAt(condition, 'type')));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const issued = textAt(request, 'status', 'certificate') === '' ? '' : ',Issued';
  return `${decision}${types.has('Failed') ? ',Failed' : ''}${issued}`;
}

function requestedDuration(request: unknown): string {
  const seconds = valueAt(request, 'spec', 'expirationSeconds');
  return typeof seconds === 'number' ? humanDuration(seconds * 1_000) : none;
}

function controllerName(revision: unknown): string {
  const owner = listAt(revision, 'metadata', 'ownerReferences').find((one) => valueAt(one, 'controller') === true);
  if (owner === undefined) return none;
  const [group = '', version] = textAt(owner, 'apiVersion').split('/');
  return `${textAt(owner, 'kind').toLowerCase()}${version === undefined ? '' : `.${group}`}/${textAt(owner, 'name')}`;
}

function parentName(address: unknown): string {
  const parent = valueAt(address, 'spec', 'parentRef');
  if (parent === undefined) return none;
  const group = textAt(parent, 'group');
  const namespace = textAt(parent, 'namespace');
  const resource = `${textAt(parent, 'resource')}${group === '' ? '' : `.${group}`}`.toLowerCase();
  return [resource, ...(namespace === '' ? [] : [namespace]), textAt(parent, 'name')].join('/');
}

function claimState(claim: unknown): string {
  const isAllocated = valueAt(claim, 'status', 'allocation') !== undefined;
  return [
    ...(textAt(claim, 'metadata', 'deletionTimestamp') === '' ? [] : ['deleted']),
    isAllocated ? 'allocated' : 'pending',
    ...(isAllocated && listAt(claim, 'status', 'reservedFor').length > 0 ? ['reserved'] : []),
  ].join(',');
}

function selectorAt(object: unknown, ...path: readonly string[]): string {
  const labels = entriesAt(object, ...path, 'matchLabels').map(([key, value]) => `${key}=${String(value)}`);
  const expressions = listAt(object, ...path, 'matchExpressions').map(
    (expression) =>
      `${textAt(expression, 'key')} ${textAt(expression, 'operator').toLowerCase()} (${listAt(expression, 'values').map(String).join(',')})`,
  );
  return [...labels, ...expressions].join(',') || none;
}

/** The cells that are more than the value at a path, by the name that the tables call them. */
export const cells: Readonly<Record<string, TableColumn['cell']>> = {
  ...{ podStatus, readinessGates, externalIp, servicePorts, endpoints, nodeStatus, nodeRoles, claimRef, replicas, suspended, completions },
  ...{ jobDuration, jobStatus, lastSchedule, ingressHosts, hpaTargets, sliceEndpoints, storageClassName, paramKind, paramName },
  ...{ requestState, requestedDuration, controllerName, parentName, claimState },
  readyContainers: (pod) => {
    const ready = listAt(pod, 'status', 'containerStatuses').filter((status) => valueAt(status, 'ready') === true).length;
    return `${String(ready)}/${String(listAt(pod, 'spec', 'containers').length)}`;
  },
  restarts: (pod) =>
    String(listAt(pod, 'status', 'containerStatuses').reduce<number>((sum, status) => sum + numberAt(status, 'restartCount'), 0)),
  readyReplicas: (object) => `${String(numberAt(object, 'status', 'readyReplicas'))}/${String(replicas(object))}`,
  lastSeen: (event, now) => ageOf(eventTime(event), now),
  firstSeen: (event, now) => ageOf(textAt(event, 'firstTimestamp') || eventTime(event), now),
  eventObject: (event) => `${textAt(event, 'involvedObject', 'kind').toLowerCase()}/${textAt(event, 'involvedObject', 'name')}`,
  eventSource: (event) => [textAt(event, 'source', 'component'), textAt(event, 'source', 'host')].filter((part) => part !== '').join(', '),
  eventCount: (event) => numberAt(event, 'count') || 1,
  eventMessage: (event) => textAt(event, 'message').trim(),
  dataCount: (object) => entriesAt(object, 'data').length + entriesAt(object, 'binaryData').length,
  claimModes: (claim) => shortModes(listAt(claim, 'status', 'accessModes')),
  volumeModes: (volume) => shortModes(listAt(volume, 'spec', 'accessModes')),
  requestQuota: (quota) => quotaText(quota, false),
  limitQuota: (quota) => quotaText(quota, true),
  ingressAddress: (ingress) => ingressAddresses(ingress).join(','),
  ingressPorts: (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80'),
  slicePorts: (slice) =>
    listAt(slice, 'ports')
      .map((port) => textAt(port, 'port') || '*')
      .join(',') || '<unset>',
  scaleTarget: (scaler) => `${textAt(scaler, 'spec', 'scaleTargetRef', 'kind')}/${textAt(scaler, 'spec', 'scaleTargetRef', 'name')}`,
  role: (binding) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`,
  users: (binding) => subjects(binding, 'User'),
  groups: (binding) => subjects(binding, 'Group'),
  serviceAccounts: (binding) => subjects(binding, 'ServiceAccount'),
  labelSelector: (service) => labelText(service, 'spec', 'selector'),
  templateLabels: (template) => labelText(template, 'template', 'metadata', 'labels'),
  nodeSelector: (set) => labelText(set, 'spec', 'template', 'spec', 'nodeSelector'),
  selector: (object) => selectorAt(object, 'spec', 'selector'),
  podSelector: (policy) => selectorAt(policy, 'spec', 'podSelector'),
  jobSelector: (job) => selectorAt(job, 'spec', 'jobTemplate', 'spec', 'selector'),
};
