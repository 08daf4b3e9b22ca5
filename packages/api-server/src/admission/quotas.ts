import type { Cluster } from '../cluster.js';
import { asJsonObject, asString, listAt, valueAt, type JsonObject } from '../json.js';
import { amountsOf, shownAmount, sumOf } from '../kinds/limitRanges.js';
import { inScope, usageOf } from '../kinds/quotaUsage.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { objectsIn } from '../store/bucket.js';
import type { StoredContent } from '../store/storedObject.js';

const quotas = '/resourcequotas';

/** The usage of a quota: the sum over all objects of a namespace that it counts. */
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

/** The increase of the usage by an object, compared with its former state. */
function askedFor(resource: ServedResource, content: StoredContent, before: StoredContent | undefined): Map<string, bigint> {
  const asked = usageOf(resource, content);
  if (before === undefined) return asked;
  const known = usageOf(resource, before);
  const more = [...asked].map(([name, amount]) => [name, amount - (known.get(name) ?? 0n)] as const);
  return new Map(more.filter(([, amount]) => amount > 0n));
}

/** Kinds whose updates are checked as well as their creation. */
const growing: ReadonlySet<string> = new Set(['/services', '/persistentvolumeclaims']);

/**
 * The refusal of a new object, or of a change, by the quotas of its namespace. The usage in a quota's status counts; if it is missing
 * there, the objects are counted.
 */
export function quotaRefusal(
  cluster: Cluster,
  resource: ServedResource,
  content: StoredContent,
  before?: StoredContent,
): string | undefined {
  if (before !== undefined && !growing.has(resource.bucketId)) return undefined;
  const { store } = cluster;
  const { namespace = '' } = content.metadata;
  for (const { name, content: quota } of objectsIn(store.bucket(quotas), namespace)) {
    const spec = asJsonObject(quota['spec']);
    const hard = { ...asJsonObject(spec['hard']), ...asJsonObject(valueAt(quota, 'status', 'hard')) };
    const asked = askedFor(resource, content, before);
    const limited = Object.keys(hard)
      .filter((one) => asked.has(one))
      .sort();
    const compute = resource.bucketId === '/pods' && inScope(spec, content);
    const missing = compute
      ? Object.keys(hard)
          .filter((one) => /^(requests\.|limits\.)?(cpu|memory)$/.test(one))
          .map((one) => [one, lacking(content, one)] as const)
          .filter(([, containers]) => containers !== '')
          .sort(([a], [b]) => (a < b ? -1 : 1))
      : [];
    if (missing.length > 0)
      return `failed quota: ${name}: must specify ${missing.map(([one, containers]) => `${one} for: ${containers}`).join('; ')}`;
    if (limited.length === 0 || !inScope(spec, content)) continue;
    const reported = amountsOf(valueAt(quota, 'status', 'used'));
    const counted = limited.every((one) => reported.has(one)) ? reported : new Map([...usedIn(cluster, namespace, spec), ...reported]);
    const limits = amountsOf(hard);
    const over = limited.filter((one) => (asked.get(one) ?? 0n) + (counted.get(one) ?? 0n) > (limits.get(one) ?? 0n));
    if (over.length === 0) continue;
    return `exceeded quota: ${name}, requested: ${shown(asked, over, hard)}, used: ${shown(counted, over, hard)}, limited: ${shown(limits, over, hard)}`;
  }
  return undefined;
}

/** The containers without a request or limit for a resource that a quota limits. */
function lacking(content: StoredContent, limited: string): string {
  const part = limited.startsWith('limits.') ? 'limits' : 'requests';
  const measure = limited.replace(/^(requests|limits)\./, '');
  const containers = ['containers', 'initContainers'].flatMap((list) => listAt(content, 'spec', list));
  const silent = containers.filter((container) => valueAt(container, 'resources', part, measure) === undefined);
  return silent
    .map((container) => asString(valueAt(container, 'name')))
    .sort()
    .join(',');
}

/** Counts a new object in the quotas of its namespace that have a status. */
export function countInQuotas({ store }: Cluster, resource: ServedResource, content: StoredContent): void {
  for (const { content: quota } of [...objectsIn(store.bucket(quotas), content.metadata.namespace ?? '')]) {
    const used = asJsonObject(valueAt(quota, 'status', 'used'));
    const spec = asJsonObject(quota['spec']);
    const asked = usageOf(resource, content);
    const counted = Object.keys(used).filter((name) => asked.has(name));
    if (counted.length === 0 || !inScope(spec, content)) continue;
    const known = amountsOf(used);
    // A usage of zero has no unit: use that of the limit.
    const like = (name: string): string => asString((known.get(name) ?? 0n) === 0n ? valueAt(spec, 'hard', name) : used[name]);
    const sums = counted.map((name) => [name, shownAmount((known.get(name) ?? 0n) + (asked.get(name) ?? 0n), like(name))]);
    const status = { ...asJsonObject(quota['status']), used: { ...used, ...(Object.fromEntries(sums) as JsonObject) } };
    store.commit(quotas, 'MODIFIED', { ...quota, status });
  }
}
