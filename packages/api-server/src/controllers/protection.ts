import type { Cluster } from '../cluster.js';
import { asString, listAt, textAt, valueAt } from '../json.js';
import { objectsIn } from '../store/bucket.js';
import { valuesBetween } from '../store/orderedMap.js';
import { storageKey, type StoredObject } from '../store/storedObject.js';
import { orderedMeta } from '../write/objectMeta.js';
import { isDue } from '../write/updateObject.js';

const claims = '/persistentvolumeclaims';
const volumes = '/persistentvolumes';
const classes = 'storage.k8s.io/volumeattributesclasses';
const pods = '/pods';

/** The finalizer that keeps a claim, a volume or a class of attributes while it is in use. */
const protections: Readonly<Record<string, string>> = {
  [claims]: 'kubernetes.io/pvc-protection',
  [volumes]: 'kubernetes.io/pv-protection',
  [classes]: 'kubernetes.io/vac-protection',
};

/** The class of attributes of a claim or volume. */
function classOf({ content }: StoredObject): string {
  return asString(valueAt(content, 'spec', 'volumeAttributesClassName'));
}

/** The names of the claims that a pod uses. */
function claimsOf({ content }: StoredObject): readonly string[] {
  return listAt(content, 'spec', 'volumes').map((volume) => textAt(volume, 'persistentVolumeClaim', 'claimName'));
}

function isUsed({ store }: Cluster, id: string, { namespace, name, content }: StoredObject): boolean {
  if (id === volumes) return valueAt(content, 'status', 'phase') === 'Bound';
  if (id === classes)
    return [claims, volumes].some((user) => [...valuesBetween(store.bucket(user).root)].some((one) => classOf(one) === name));
  for (const pod of objectsIn(store.bucket(pods), namespace)) {
    const phase = valueAt(pod.content, 'status', 'phase');
    if (phase !== 'Succeeded' && phase !== 'Failed' && claimsOf(pod).includes(name)) return true;
  }
  return false;
}

/**
 * Removes the protection finalizer from claims, volumes and classes that are being deleted and no longer in use: simulates the protection
 * controllers of a cluster.
 */
export function endProtection(cluster: Cluster): void {
  const { store } = cluster;
  const check = (id: string, key: string): void => {
    const object = store.bucket(id).get(key);
    const finalizer = protections[id] ?? '';
    const { finalizers = [], deletionTimestamp } = object?.content.metadata ?? {};
    if (object === undefined || deletionTimestamp === undefined || !finalizers.includes(finalizer) || isUsed(cluster, id, object)) return;
    const metadata = orderedMeta(object.content.metadata, { finalizers: finalizers.filter((one) => one !== finalizer) });
    const content = { ...object.content, metadata };
    store.commit(id, isDue(content, false) ? 'DELETED' : 'MODIFIED', content);
  };
  const checkAll = (): void => {
    for (const id of Object.keys(protections)) for (const { key } of [...valuesBetween(store.bucket(id).root)]) check(id, key);
  };
  store.onReplace(checkAll);
  store.onChange(({ id }, { type, object }) => {
    const dying = id in protections && type !== 'DELETED' && object.head.deletionTimestamp !== undefined;
    // Runs after the current write has been answered.
    if (dying) setImmediate(check, id, object.key);
    if ((id === claims || id === volumes) && type !== 'ADDED' && classOf(object) !== '') setImmediate(check, classes, classOf(object));
    if (id !== pods || type === 'ADDED') return;
    for (const name of claimsOf(object)) setImmediate(check, claims, storageKey(object.namespace, name));
  });
}
