import { asJsonObject, hasCondition, listAt, numberAt, textAt, valueAt } from '../json.js';
import { selectorText } from '../write/scale.js';
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

/** The first of them, and how many more there are. */
const shortened = (items: readonly string[], most = 3, between = ','): string =>
  items.slice(0, most).join(between) + (items.length > most ? ` + ${String(items.length - most)} more...` : '');

const joined = (between: string, ...parts: readonly string[]): string => parts.filter((part) => part !== '').join(between);

function terminatedReason(terminated: unknown): string {
  const reason = textAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = numberAt(terminated, 'signal');
  return signal !== 0 ? `Signal:${String(signal)}` : `ExitCode:${String(numberAt(terminated, 'exitCode'))}`;
}

/** What kubectl shows of a pod: its ready containers, its phase or what prevents its containers from running, and what was restarted. */
function summaryOf(pod: unknown): { readonly ready: string; readonly status: string; readonly restarted: readonly unknown[] } {
  const initContainers = listAt(pod, 'spec', 'initContainers');
  const sidecars = new Set(initContainers.flatMap((one) => (valueAt(one, 'restartPolicy') === 'Always' ? [valueAt(one, 'name')] : [])));
  const phase = textAt(pod, 'status', 'phase');
  const gated = listAt(pod, 'status', 'conditions').some((one) => textAt(one, 'reason') === 'SchedulingGated');
  let status = gated ? 'SchedulingGated' : textAt(pod, 'status', 'reason') || phase;
  let restarted: unknown[] = [];
  let ready = 0;
  let initializes = false;
  for (const [position, container] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    restarted.push(container);
    const terminated = valueAt(container, 'state', 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (sidecars.has(valueAt(container, 'name')) && valueAt(container, 'started') === true) {
      ready += Number(valueAt(container, 'ready') === true);
      continue;
    }
    const waiting = textAt(container, 'state', 'waiting', 'reason').replace('PodInitializing', '');
    const reached = `${String(position)}/${String(initContainers.length)}`;
    status = `Init:${terminated === undefined ? waiting || reached : terminatedReason(terminated)}`;
    initializes = true;
    break;
  }
  if (!initializes || hasCondition(pod, 'Initialized')) {
    restarted = restarted.filter((container) => sidecars.has(valueAt(container, 'name')));
    let error = '';
    let runs = false;
    for (const container of [...listAt(pod, 'status', 'containerStatuses')].reverse()) {
      restarted.push(container);
      const terminated = valueAt(container, 'state', 'terminated');
      const reason = textAt(container, 'state', 'waiting', 'reason') || (terminated === undefined ? '' : terminatedReason(terminated));
      if (numberAt(terminated, 'exitCode') !== 0) error = reason;
      const isReady = reason === '' && valueAt(container, 'ready') === true && valueAt(container, 'state', 'running') !== undefined;
      status = reason || status;
      runs ||= isReady;
      ready += Number(isReady);
    }
    if (status === 'Completed') status = runs && hasCondition(pod, 'Ready') ? 'Running' : error || (runs ? 'NotReady' : status);
  }
  if (valueAt(pod, 'metadata', 'deletionTimestamp') !== undefined) {
    if (textAt(pod, 'status', 'reason') === 'NodeLost') status = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') status = 'Terminating';
  }
  return { ready: `${String(ready)}/${String(listAt(pod, 'spec', 'containers').length + sidecars.size)}`, status, restarted };
}

function restarts(pod: unknown, now: number): string {
  const { restarted } = summaryOf(pod);
  const count = restarted.reduce<number>((sum, one) => sum + numberAt(one, 'restartCount'), 0);
  const [last = ''] = restarted
    .map((one) => textAt(one, 'lastState', 'terminated', 'finishedAt'))
    .sort()
    .reverse();
  return count === 0 || last === '' ? String(count) : `${String(count)} (${ageOf(last, now)} ago)`;
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
  const subsets = listAt(object, 'subsets');
  const all = subsets.flatMap((subset) => {
    const ports = listAt(subset, 'ports').map((port) => `:${textAt(port, 'port')}`);
    return (ports.length === 0 ? [''] : ports).flatMap((port) => listAt(subset, 'addresses').map((one) => textAt(one, 'ip') + port));
  });
  return subsets.length === 0 ? none : shortened(all);
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

const eventBegin = (event: unknown): string => textAt(event, 'firstTimestamp') || textAt(event, 'eventTime');

function eventSource(event: unknown): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent');
  return joined(', ', component, textAt(event, 'source', 'host') || textAt(event, 'reportingInstance'));
}

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
  const currents = listAt(autoscaler, 'status', 'currentMetrics');
  const targets = listAt(autoscaler, 'spec', 'metrics').map((metric, at) => {
    const field = textAt(metric, 'type').replace(/^./, (first) => first.toLowerCase());
    const target = valueAt(metric, field, 'target');
    const [name, average, share] = [textAt(metric, field, 'name'), textAt(target, 'averageValue'), textAt(target, 'averageUtilization')];
    const measure = average !== '' ? 'averageValue' : name !== '' ? 'averageUtilization' : 'value';
    const measured = textAt(currents[at], field, 'current', measure);
    const unit = measure === 'averageUtilization' ? '%' : '';
    const wanted = average || (name === '' ? textAt(target, 'value') : share && `${share}%`) || '<auto>';
    const isAverage = average !== '' && (field === 'external' || field === 'object');
    return `${name && `${name}: `}${measured ? measured + unit : '<unknown>'}/${wanted}${isAverage ? ' (avg)' : ''}`;
  });
  return shortened(targets, 2, ', ') || none;
}

function subjects(binding: unknown, kind: string): string {
  const found = listAt(binding, 'subjects').filter((subject) => textAt(subject, 'kind') === kind);
  const prefix = (subject: unknown): string => (kind === 'ServiceAccount' ? `${textAt(subject, 'namespace')}/` : '');
  return found.map((subject) => `${prefix(subject)}${textAt(subject, 'name')}`).join(', ');
}

const sliceEndpoints = (slice: unknown): string =>
  shortened(listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String))) || '<unset>';

function defaultName(object: unknown): string {
  const annotations = entriesAt(object, 'metadata', 'annotations');
  const isDefault = annotations.some(([key, value]) => key.endsWith('.kubernetes.io/is-default-class') && value === 'true');
  return `${textAt(object, 'metadata', 'name')}${isDefault ? ' (default)' : ''}`;
}

function ingressParameters(ingressClass: unknown): string {
  const parameters = valueAt(ingressClass, 'spec', 'parameters');
  const kind = joined('.', textAt(parameters, 'kind'), textAt(parameters, 'apiGroup'));
  return joined('/', kind, textAt(parameters, 'name')) || none;
}

function availability(service: unknown): string {
  const condition = listAt(service, 'status', 'conditions').find((one) => textAt(one, 'type') === 'Available');
  const [status, reason] = [textAt(condition, 'status') || 'Unknown', textAt(condition, 'reason')];
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
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
  return `${joined('.', textAt(owner, 'kind').toLowerCase(), version === undefined ? '' : group)}/${textAt(owner, 'name')}`;
}

function parentName(address: unknown): string {
  const parent = valueAt(address, 'spec', 'parentRef');
  const resource = joined('.', textAt(parent, 'resource'), textAt(parent, 'group')).toLowerCase();
  return joined('/', resource, textAt(parent, 'namespace'), textAt(parent, 'name')) || none;
}

function claimState(claim: unknown): string {
  const isAllocated = valueAt(claim, 'status', 'allocation') !== undefined;
  return [
    ...(textAt(claim, 'metadata', 'deletionTimestamp') === '' ? [] : ['deleted']),
    isAllocated ? 'allocated' : 'pending',
    ...(isAllocated && listAt(claim, 'status', 'reservedFor').length > 0 ? ['reserved'] : []),
  ].join(',');
}

const selectorAt = (object: unknown, ...path: readonly string[]): string => selectorText(valueAt(object, ...path)) || none;

/** The cells that are more than the value at a path, by the name that the tables call them. */
export const cells: Readonly<Record<string, TableColumn['cell']>> = {
  ...{ restarts, readinessGates, externalIp, servicePorts, endpoints, nodeStatus, nodeRoles, claimRef, replicas, suspended, completions },
  ...{ jobDuration, jobStatus, lastSchedule, ingressHosts, hpaTargets, sliceEndpoints, defaultName, paramKind, paramName },
  ...{ requestState, requestedDuration, controllerName, parentName, claimState, ingressParameters, availability, eventSource },
  readyContainers: (pod) => summaryOf(pod).ready,
  podStatus: (pod) => summaryOf(pod).status,
  readyReplicas: (object) => `${String(numberAt(object, 'status', 'readyReplicas'))}/${String(replicas(object))}`,
  lastSeen: (event, now) => ageOf(textAt(event, 'series', 'lastObservedTime') || textAt(event, 'lastTimestamp') || eventBegin(event), now),
  firstSeen: (event, now) => ageOf(eventBegin(event), now),
  eventObject: (event) => joined('/', textAt(event, 'involvedObject', 'kind').toLowerCase(), textAt(event, 'involvedObject', 'name')),
  eventCount: (event) => numberAt(event, 'series', 'count') || numberAt(event, 'count') || 1,
  eventMessage: (event) => textAt(event, 'message').trim(),
  dataCount: (object) => entriesAt(object, 'data').length + entriesAt(object, 'binaryData').length,
  claimModes: (claim) => shortModes(listAt(claim, 'status', 'accessModes')),
  volumeModes: (volume) => shortModes(listAt(volume, 'spec', 'accessModes')),
  requestQuota: (quota) => quotaText(quota, false),
  limitQuota: (quota) => quotaText(quota, true),
  ingressAddress: (ingress) => ingressAddresses(ingress).join(','),
  ingressPorts: (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80'),
  slicePorts: (slice) => shortened(listAt(slice, 'ports').map((port) => textAt(port, 'port') || textAt(port, 'name') || '*')) || '<unset>',
  componentStatus: ({ conditions }) => (listAt(conditions).some((one) => textAt(one, 'status') === 'True') ? 'Healthy' : 'Unhealthy'),
  apiService: (service) =>
    joined('/', textAt(service, 'spec', 'service', 'namespace'), textAt(service, 'spec', 'service', 'name')) || 'Local',
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
