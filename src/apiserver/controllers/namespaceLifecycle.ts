import type { Cluster } from '../cluster.js';
import { asJsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { valuesBetween } from '../store/orderedMap.js';
import type { StoredObject } from '../store/storedObject.js';
import { deleteObject } from '../write/deleteObject.js';
import type { DeleteOptions } from '../write/deleteOptions.js';
import { isDue } from '../write/updateObject.js';
import { yieldNow } from '../read/yieldNow.js';

const namespaces = '/namespaces';
const options: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagationPolicy: 'Background',
  accepted: false,
  uid: '',
  resourceVersion: '',
};

/** The objects inside a namespace, by bucket. */
function* contentsOf({ store }: Cluster, namespace: string): Generator<readonly [bucketId: string, object: StoredObject]> {
  for (const bucket of [...store.allBuckets()]) {
    if (bucket.id === namespaces) continue;
    for (const object of valuesBetween(bucket.root, `${namespace}/`, `${namespace}0`)) {
      if (object.namespace === namespace) yield [bucket.id, object];
    }
  }
}

function tryToDelete(cluster: Cluster, resource: ServedResource, object: StoredObject): void {
  try {
    deleteObject(cluster, resource, object, options);
  } catch {
    // An object that cannot be deleted blocks its namespace, as in a cluster.
  }
}

/** Deletes the objects in a namespace; returns whether none is left. */
function drain(cluster: Cluster, namespace: string): boolean {
  for (const [bucketId, object] of [...contentsOf(cluster, namespace)]) {
    const resource = cluster.kinds.ofBucket(bucketId);
    const current = cluster.store.bucket(bucketId).get(object.key);
    if (resource !== undefined && current !== undefined && current.head.deletionTimestamp === undefined) {
      tryToDelete(cluster, resource, current);
    }
  }
  return contentsOf(cluster, namespace).next().done === true;
}

function finish({ store }: Cluster, name: string): void {
  const current = store.bucket(namespaces).get(name);
  if (current?.head.deletionTimestamp === undefined) return;
  const content = { ...current.content, spec: { ...asJsonObject(current.content['spec']), finalizers: [] } };
  store.commit(namespaces, isDue(content, true) ? 'DELETED' : 'MODIFIED', content);
}

/**
 * Drains namespaces that are being deleted, then removes them: simulates Kubernetes' namespace controller.
 */
export function drainNamespaces(cluster: Cluster): void {
  const { store } = cluster;
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
    if (object.head.deletionTimestamp === undefined || !held) return;
    dying.add(object.name);
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
