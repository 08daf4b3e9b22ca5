import { asJsonObject, asString, listAt, objectsAt, valueAt, type JsonObject } from '../json.js';
import { isFilled } from '../validation/fieldChecks.js';
import { qosClassOf } from './completePod.js';
import { amountsOf, podAmounts, type Amounts } from './limitRanges.js';

const one = 1_000_000_000n;
const named = new Set('configmaps persistentvolumeclaims pods replicationcontrollers resourcequotas secrets services'.split(' '));

/** The resource, as `plural.group`, whose objects count for this name in a quota; undefined for an unknown name. */
export function usersOf(name: string): string | undefined {
  if (name.startsWith('count/')) return name.slice('count/'.length);
  if (named.has(name)) return name;
  if (name === 'requests.storage' || name.includes('.storageclass.storage.k8s.io/')) return 'persistentvolumeclaims';
  if (name.startsWith('services.')) return 'services';
  return /^(requests\.|limits\.|hugepages-|(cpu|memory|ephemeral-storage)$)/.test(name) ? 'pods' : undefined;
}

function prefixed(amounts: Amounts, prefix: string): readonly (readonly [string, bigint])[] {
  return [...amounts].map(([name, amount]) => [`${prefix}${name}`, amount]);
}

function* podUsage(pod: JsonObject): Generator<readonly [string, bigint], void, undefined> {
  const phase = valueAt(pod, 'status', 'phase');
  if (phase === 'Succeeded' || phase === 'Failed') return;
  const requests = podAmounts(pod, 'requests');
  yield* [...prefixed(requests, 'requests.'), ...prefixed(podAmounts(pod, 'limits'), 'limits.')];
  for (const [name, amount] of requests) if (usersOf(name) === 'pods') yield [name, amount];
  yield ['pods', one];
}

function* claimUsage(claim: JsonObject): Generator<readonly [string, bigint], void, undefined> {
  const asked = amountsOf(valueAt(claim, 'spec', 'resources', 'requests')).get('storage') ?? 0n;
  const of = `${asString(valueAt(claim, 'spec', 'storageClassName'))}.storageclass.storage.k8s.io`;
  yield ['requests.storage', asked];
  yield ['persistentvolumeclaims', one];
  if (of.startsWith('.')) return;
  yield [`${of}/requests.storage`, asked];
  yield [`${of}/persistentvolumeclaims`, one];
}

function* serviceUsage(service: JsonObject): Generator<readonly [string, bigint], void, undefined> {
  const { type, ports, allocateLoadBalancerNodePorts } = asJsonObject(service['spec']);
  const all = listAt(ports);
  const open = allocateLoadBalancerNodePorts === false ? all.filter((port) => valueAt(port, 'nodePort')) : all;
  const nodePorts = type === 'NodePort' ? all.length : type === 'LoadBalancer' ? open.length : 0;
  yield ['services', one];
  if (type === 'LoadBalancer') yield ['services.loadbalancers', one];
  if (nodePorts > 0) yield ['services.nodeports', one * BigInt(nodePorts)];
}

/** The usage of an object, by the names in quotas. */
export function usageOf({ group, plural }: { readonly group: string; readonly plural: string }, content: JsonObject): Map<string, bigint> {
  const usage = new Map([[group === '' ? `count/${plural}` : `count/${plural}.${group}`, one]]);
  if (group !== '' || !named.has(plural)) return usage;
  const own = { pods: podUsage, persistentvolumeclaims: claimUsage, services: serviceUsage }[plural];
  return new Map([...usage, ...(own?.(content) ?? [[plural, one] as const])]);
}

/** Whether the affinity of a pod refers to pods of other namespaces. */
function crossesNamespaces(pod: JsonObject): boolean {
  const of = ['podAffinity', 'podAntiAffinity'].map((kind) => asJsonObject(valueAt(pod, 'spec', 'affinity', kind)));
  return of.some((affinity) => {
    const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred } =
      affinity;
    const terms = [...listAt(required), ...listAt(preferred).map((each) => valueAt(each, 'podAffinityTerm'))];
    return terms.some((term) => isFilled(valueAt(term, 'namespaces')) || valueAt(term, 'namespaceSelector') !== undefined);
  });
}

/** Whether an object matches the scopes of a quota. Scopes apply to pods only. */
export function inScope(spec: JsonObject, content: JsonObject): boolean {
  const listed = listAt(spec, 'scopes').map((scope) => ({ scopeName: scope, operator: 'Exists' }));
  const expressions = valueAt(spec, 'scopeSelector', 'matchExpressions');
  return [...listed, ...objectsAt(expressions)].every((scope: JsonObject) => {
    const { scopeName, operator, values } = scope;
    const bounded = valueAt(content, 'spec', 'activeDeadlineSeconds') !== undefined;
    if (scopeName === 'Terminating') return bounded;
    if (scopeName === 'NotTerminating') return !bounded;
    if (scopeName === 'BestEffort') return qosClassOf(content) === 'BestEffort';
    if (scopeName === 'NotBestEffort') return qosClassOf(content) !== 'BestEffort';
    if (scopeName === 'CrossNamespacePodAffinity') return crossesNamespaces(content);
    const name = asString(valueAt(content, 'spec', 'priorityClassName'));
    const among = listAt(values).includes(name);
    return operator === 'Exists' ? name !== '' : operator === 'DoesNotExist' ? name === '' : operator === 'NotIn' ? !among : among;
  });
}
