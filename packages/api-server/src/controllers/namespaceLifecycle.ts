import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { asJsonObject, isEqualJson, objectsAt } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';
import { deleteObject } from '../write/deleteObject.js';
import { inBackground } from '../write/deleteOptions.js';
import { isDue } from '../write/updateObject.js';
import { yieldNow } from '../read/yieldNow.js';

const namespaces = '/namespaces';
const pods = '/pods';
/**
 * The namespace controller of a cluster first looks at a namespace 5 s after its deletion. This server deletes the contents at once, and
 * reports remaining objects after the same 5 s.
 */
const reportAfterMs = 5_000;

/** A condition of a namespace without its time; false where there is no status. */
type Finding = readonly [type: string, reason: string, message: string, status?: 'True'];

/** The objects in a namespace: its pods, or everything else. */
function* contentsOf(
  { store, kinds }: Cluster,
  namespace: string,
  which: 'others' | 'pods',
): Generator<readonly [ServedResource, StoredObject]> {
  for (const bucket of [...store.allBuckets()]) {
    const resource = kinds.ofBucket(bucket.id);
    if (resource === undefined || bucket.id === namespaces || (bucket.id === pods) !== (which === 'pods')) continue;
    for (const object of valuesBetween(bucket.root, `${namespace}/`, `${namespace}0`)) {
      if (object.namespace === namespace) yield [resource, object];
    }
  }
}

/** Deletes objects in a namespace; returns those that are still there. */
function remove(cluster: Cluster, namespace: string, which: 'others' | 'pods'): readonly (readonly [ServedResource, StoredObject])[] {
  for (const [resource, object] of [...contentsOf(cluster, namespace, which)]) {
    const current = cluster.store.bucket(resource.bucketId).get(object.key);
    if (current !== undefined && current.head.deletionTimestamp === undefined) deleteObject(cluster, resource, current, inBackground);
  }
  return [...contentsOf(cluster, namespace, which)];
}

/** Counts equal names: `NAME WORDS n resource instances` for each, sorted. */
function counted(names: readonly string[], words: string): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([name, count]) => `${name} ${words} ${String(count)} resource instances`)
    .sort()
    .join(', ');
}

/** The conditions of a terminating namespace, by its remaining objects. While pods remain, only pods are reported. */
function conditionsOf(remaining: readonly (readonly [ServedResource, StoredObject])[]): readonly Finding[] {
  const finalizers = remaining.flatMap(([, { content }]) => content.metadata.finalizers ?? []);
  const resources = remaining.map(([{ plural, group }]) => `${plural}.${group}`);
  const held = 'Some content in the namespace has finalizers remaining';
  return [
    ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    resources.length === 0
      ? ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed']
      : ['NamespaceContentRemaining', 'SomeResourcesRemain', `Some resources are remaining: ${counted(resources, 'has')}`, 'True'],
    finalizers.length === 0
      ? ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished']
      : ['NamespaceFinalizersRemaining', 'SomeFinalizersRemain', `${held}: ${counted(finalizers, 'in')}`, 'True'],
  ];
}

/** Writes conditions into the status of a namespace if they have changed. */
function report({ store, clock }: Cluster, name: string, findings: readonly Finding[]): void {
  const current = store.bucket(namespaces).get(name);
  if (current?.head.deletionTimestamp === undefined) return;
  const status = asJsonObject(current.content['status']);
  const before = objectsAt(status, 'conditions');
  const conditions = findings.map(([type, reason, message, status = 'False']) => {
    const old = before.find((condition) => condition['type'] === type);
    const lastTransitionTime = old?.['status'] === status ? old['lastTransitionTime'] : timestamp(clock.now());
    return { type, status, lastTransitionTime, reason, message };
  });
  const others = before.filter(({ type }) => !findings.some(([known]) => known === type));
  const changed = { ...current.content, status: { ...status, conditions: [...others, ...conditions] } };
  if (!isEqualJson(changed, current.content)) store.commit(namespaces, 'MODIFIED', changed);
}

/** Deletes the pods of a namespace and, when they are gone, everything else. Returns whether nothing is left. */
function drain(cluster: Cluster, namespace: string): boolean {
  const waitsForPods = remove(cluster, namespace, 'pods').length > 0;
  const remaining = waitsForPods ? [] : remove(cluster, namespace, 'others');
  const deletedAt = Date.parse(cluster.store.bucket(namespaces).get(namespace)?.head.deletionTimestamp ?? '');
  if (cluster.clock.now() - deletedAt >= reportAfterMs) report(cluster, namespace, conditionsOf(remaining));
  return !waitsForPods && remaining.length === 0;
}

function finish({ store }: Cluster, name: string): void {
  const current = store.bucket(namespaces).get(name);
  if (current?.head.deletionTimestamp === undefined) return;
  const content = { ...current.content, spec: { ...asJsonObject(current.content['spec']), finalizers: [] } };
  store.commit(namespaces, isDue(content, true) ? 'DELETED' : 'MODIFIED', content);
}

/**
 * Drains namespaces that are being deleted, pods first, then removes them: simulates Kubernetes' namespace controller.
 */
export function drainNamespaces(cluster: Cluster): void {
  const { store, clock } = cluster;
  const dying = new Set<string>();
  const scheduled = new Set<string>();
  const work = async (name: string): Promise<void> => {
    if (scheduled.has(name)) return;
    scheduled.add(name);
    await yieldNow();
    scheduled.delete(name);
    if (!dying.has(name) || !drain(cluster, name)) return;
    dying.delete(name);
    finish(cluster, name);
  };
  const begin = (object: StoredObject): void => {
    const finalizers = asJsonObject(object.content['spec'])['finalizers'];
    const held = Array.isArray(finalizers) && finalizers.length > 0;
    if (object.head.deletionTimestamp === undefined || !held || dying.has(object.name)) return;
    dying.add(object.name);
    clock.schedule(() => void work(object.name), reportAfterMs + 1_000);
    void work(object.name);
  };
  const beginAll = (): void => {
    dying.clear();
    for (const object of valuesBetween(store.bucket(namespaces).root)) begin(object);
  };
  beginAll();
  store.onReplace(beginAll);
  store.onChange(({ id }, { type, object }) => {
    if (id === namespaces) {
      if (type === 'DELETED') dying.delete(object.name);
      else begin(object);
    } else if (type === 'DELETED' && dying.has(object.namespace)) void work(object.namespace);
  });
}
