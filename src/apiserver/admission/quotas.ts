import type { Cluster } from '../cluster.js';
import { asJsonObject, asString, isJsonArray, valueAt, type JsonObject } from '../json.js';
import { amountsOf, podAmounts, shownAmount, sumOf, type Amounts } from '../kinds/limitRanges.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { objectsIn } from '../store/bucket.js';
import type { StoredContent } from '../store/storedObject.js';
import { qosClassOf } from '../kinds/completePod.js';

const quotas = '/resourcequotas';
const one = 1_000_000_000n;
const named = new Set('configmaps persistentvolumeclaims pods replicationcontrollers resourcequotas secrets services'.split(' '));

function prefixed(amounts: Amounts, prefix: string): readonly (readonly [string, bigint])[] {
  return [...amounts].map(([name, amount]) => [`${prefix}${name}`, amount]);
}

/** What an object uses, by the names that quotas have for it. */
function usageOf({ group, plural }: Pick<ServedResource, 'group' | 'plural'>, content: StoredContent): Map<string, bigint> {
  const usage = new Map([[group === '' ? `count/${plural}` : `count/${plural}.${group}`, one]]);
  if (group !== '') return usage;
  const add = (name: string, amount: bigint): void => {
    usage.set(name, amount);
  };
  if (plural === 'pods') {
    const phase = valueAt(content, 'status', 'phase');
    if (phase === 'Succeeded' || phase === 'Failed') return usage;
    const requests = podAmounts(content, 'requests');
    for (const [name, amount] of [...prefixed(requests, 'requests.'), ...prefixed(podAmounts(content, 'limits'), 'limits.')])
      add(name, amount);
    for (const name of ['cpu', 'memory', 'ephemeral-storage']) if (requests.has(name)) add(name, requests.get(name) ?? 0n);
  }
  if (plural === 'persistentvolumeclaims') {
    const asked = amountsOf(valueAt(content, 'spec', 'resources', 'requests')).get('storage') ?? 0n;
    const of = `${asString(valueAt(content, 'spec', 'storageClassName'))}.storageclass.storage.k8s.io`;
    add('requests.storage', asked);
    if (!of.startsWith('.')) add(`${of}/requests.storage`, asked);
    if (!of.startsWith('.')) add(`${of}/persistentvolumeclaims`, one);
  }
  if (plural === 'services') {
    const type = valueAt(content, 'spec', 'type');
    const ports = valueAt(content, 'spec', 'ports');
    const nodePorts = type === 'NodePort' || type === 'LoadBalancer' ? (isJsonArray(ports) ? ports.length : 0) : 0;
    if (type === 'LoadBalancer') add('services.loadbalancers', one);
    if (nodePorts > 0) add('services.nodeports', one * BigInt(nodePorts));
  }
  if (named.has(plural)) add(plural, one);
  return usage;
}

/** Whether a quota counts an object, by its scopes. They are those of pods. */
function inScope(spec: JsonObject, content: StoredContent): boolean {
  const listed = isJsonArray(spec['scopes']) ? spec['scopes'].map((scope) => ({ scopeName: scope, operator: 'Exists' })) : [];
  const expressions = valueAt(spec, 'scopeSelector', 'matchExpressions');
  return [...listed, ...(isJsonArray(expressions) ? expressions.map(asJsonObject) : [])].every((scope: JsonObject) => {
    const { scopeName, operator, values } = scope;
    const bounded = valueAt(content, 'spec', 'activeDeadlineSeconds') !== undefined;
    if (scopeName === 'Terminating') return bounded;
    if (scopeName === 'NotTerminating') return !bounded;
    if (scopeName === 'BestEffort') return qosClassOf(content) === 'BestEffort';
    if (scopeName === 'NotBestEffort') return qosClassOf(content) !== 'BestEffort';
    const name = asString(valueAt(content, 'spec', 'priorityClassName'));
    const among = isJsonArray(values) && values.includes(name);
    return operator === 'Exists' ? name !== '' : operator === 'DoesNotExist' ? name === '' : operator === 'NotIn' ? !among : among;
  });
}

/** What all objects of a namespace use that a quota counts. */
function usedIn({ store, kinds }: Cluster, namespace: string, spec: JsonObject): Map<string, bigint> {
  let used = new Map<string, bigint>();
  for (const bucket of store.allBuckets()) {
    const resource = kinds.ofBucket(bucket.id);
    if (resource?.namespaced !== true) continue;
    for (const { content } of objectsIn(bucket, namespace)) if (inScope(spec, content)) used = sumOf(used, usageOf(resource, content));
  }
  return used;
}

function shown(amounts: ReadonlyMap<string, bigint>, names: readonly string[], hard: JsonObject): string {
  return names.map((name) => `${name}=${shownAmount(amounts.get(name) ?? 0n, asString(hard[name]))}`).join(',');
}

/**
 * What the quotas of a namespace refuse about a new object. What a quota's status says is used counts; where it says nothing, the objects are counted.
 */
export function quotaRefusal(cluster: Cluster, resource: ServedResource, content: StoredContent): string | undefined {
  const { store } = cluster;
  const { namespace = '' } = content.metadata;
  for (const { name, content: quota } of objectsIn(store.bucket(quotas), namespace)) {
    const spec = asJsonObject(quota['spec']);
    const hard = { ...asJsonObject(spec['hard']), ...asJsonObject(valueAt(quota, 'status', 'hard')) };
    const asked = usageOf(resource, content);
    const limited = Object.keys(hard)
      .filter((one) => asked.has(one))
      .sort();
    const compute = resource.bucketId === '/pods' && inScope(spec, content);
    const missing = compute
      ? Object.keys(hard)
          .filter((one) => /^(requests\.|limits\.)?(cpu|memory)$/.test(one) && !asked.has(one))
          .sort()
      : [];
    if (missing.length > 0)
      return `failed quota: ${name}: must specify ${missing.map((one) => `${one} for: ${lacking(content, one)}`).join('; ')}`;
    if (limited.length === 0 || !inScope(spec, content)) continue;
    const told = amountsOf(valueAt(quota, 'status', 'used'));
    const counted = limited.every((one) => told.has(one)) ? told : new Map([...usedIn(cluster, namespace, spec), ...told]);
    const limits = amountsOf(hard);
    const over = limited.filter((one) => (asked.get(one) ?? 0n) + (counted.get(one) ?? 0n) > (limits.get(one) ?? 0n));
    if (over.length === 0) continue;
    return `exceeded quota: ${name}, requested: ${shown(asked, over, hard)}, used: ${shown(counted, over, hard)}, limited: ${shown(limits, over, hard)}`;
  }
  return undefined;
}

/** The containers that say nothing of a resource that a quota limits. */
function lacking(content: StoredContent, limited: string): string {
  const part = limited.startsWith('limits.') ? 'limits' : 'requests';
  const measure = limited.replace(/^(requests|limits)\./, '');
  const containers = valueAt(content, 'spec', 'containers');
  const silent = (isJsonArray(containers) ? containers : []).filter(
    (container) => valueAt(container, 'resources', part, measure) === undefined,
  );
  return silent.map((container) => asString(valueAt(container, 'name'))).join(',');
}

/** Counts a new object in the quotas of its namespace whose status says what is used. */
export function countInQuotas({ store }: Cluster, resource: ServedResource, content: StoredContent): void {
  for (const { content: quota } of [...objectsIn(store.bucket(quotas), content.metadata.namespace ?? '')]) {
    const used = asJsonObject(valueAt(quota, 'status', 'used'));
    const spec = asJsonObject(quota['spec']);
    const asked = usageOf(resource, content);
    const counted = Object.keys(used).filter((name) => asked.has(name));
    if (counted.length === 0 || !inScope(spec, content)) continue;
    const known = amountsOf(used);
    const sums = counted.map((name) => [name, shownAmount((known.get(name) ?? 0n) + (asked.get(name) ?? 0n), asString(used[name]))]);
    const status = { ...asJsonObject(quota['status']), used: { ...used, ...(Object.fromEntries(sums) as JsonObject) } };
    store.commit(quotas, 'MODIFIED', { ...quota, status });
  }
}
