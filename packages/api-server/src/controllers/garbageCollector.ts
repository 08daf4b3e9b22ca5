import { timestamp } from '../clock.js';
import type { Cluster } from '../cluster.js';
import { isEqualJson } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { sliceMs, yieldNow } from '../read/yieldNow.js';
import { valuesBetween } from '../store/orderedMap.js';
import { storageKey, type ObjectHead, type StoredMeta, type StoredObject, type StoredOwnerReference } from '../store/storedObject.js';
import { createObject } from '../write/createObject.js';
import { deleteObject } from '../write/deleteObject.js';
import { inBackground } from '../write/deleteOptions.js';
import { orderedMeta } from '../write/objectMeta.js';
import { isDue } from '../write/updateObject.js';

interface Place {
  readonly bucketId: string;
  readonly key: string;
}

const rememberedOwners = 10_000;

/** Whether an object is being deleted in the foreground: it is deleted after its dependents. */
function isLeavingLast({ deletionTimestamp, finalizers = [] }: ObjectHead): boolean {
  return deletionTimestamp !== undefined && finalizers.includes('foregroundDeletion');
}

/**
 * Deletes the dependents of deleted objects: in the background after the owner, in the foreground before it, or not at all, as orphans.
 *
 * An owner that never existed counts as deleted: no object has the kind, namespace, name and uid of the reference.
 */
export class GarbageCollector {
  private readonly cluster: Cluster;
  /** The dependents of each owner: by the owner's uid, then by their own uid. */
  private readonly dependents = new Map<string, Map<string, Place>>();
  private readonly goneOwners = new Set<string>();
  private readonly queue = new Map<string, () => void>();
  /** Owners whose foreground deletion waits for dependents. */
  private readonly waitingOwners = new Map<string, Place>();
  private working = false;

  constructor(cluster: Cluster) {
    this.cluster = cluster;
    const { store } = cluster;
    this.indexAll();
    store.onReplace(() => this.indexAll());
    store.onChange(({ id }, { type, object, previous }) => {
      this.unindex(previous?.head);
      if (type === 'DELETED') this.ownerGone(object.head.uid);
      else {
        this.index(id, object);
        this.ownerLeaving(id, object);
      }
      if (type === 'DELETED') this.dependentGone(object);
    });
  }

  private indexAll(): void {
    this.dependents.clear();
    this.goneOwners.clear();
    this.waitingOwners.clear();
    this.queue.clear();
    for (const bucket of this.cluster.store.allBuckets()) {
      for (const object of valuesBetween(bucket.root)) {
        this.index(bucket.id, object);
        this.ownerLeaving(bucket.id, object);
      }
    }
  }

  private index(bucketId: string, { key, head, namespace }: StoredObject): void {
    const owners = head.ownerReferences ?? [];
    for (const { uid } of owners) {
      const known = this.dependents.get(uid) ?? new Map<string, Place>();
      this.dependents.set(uid, known.set(head.uid, { bucketId, key }));
      if (owners.some((owner) => this.isGone(owner, namespace))) this.later(`collect ${head.uid}`, () => this.collect({ bucketId, key }));
    }
  }

  /** Whether an owner is missing: no object has that kind, name and uid. */
  private isGone({ apiVersion, kind, name, uid }: StoredOwnerReference, namespace: string): boolean {
    if (this.goneOwners.has(uid)) return true;
    const { kinds, store } = this.cluster;
    const resource = kinds.findKind(apiVersion, kind);
    // Owners of unserved kinds are unknown; a cluster-scoped object cannot have a namespaced owner.
    if (resource === undefined || (resource.namespaced && namespace === '')) return false;
    return store.bucket(resource.bucketId).get(storageKey(resource.namespaced ? namespace : '', name))?.head.uid !== uid;
  }

  /** Whether an owner exists and is not being deleted in the foreground. */
  private isSolid(owner: StoredOwnerReference, namespace: string): boolean {
    if (this.isGone(owner, namespace)) return false;
    const resource = this.cluster.kinds.findKind(owner.apiVersion, owner.kind);
    if (resource === undefined) return true;
    const key = storageKey(resource.namespaced ? namespace : '', owner.name);
    const head = this.cluster.store.bucket(resource.bucketId).get(key)?.head;
    return head === undefined || !isLeavingLast(head);
  }

  private unindex(metadata: ObjectHead | undefined): void {
    for (const { uid } of metadata?.ownerReferences ?? []) {
      const known = this.dependents.get(uid);
      known?.delete(metadata?.uid ?? '');
      if (known?.size === 0) this.dependents.delete(uid);
    }
  }

  private ownerGone(uid: string): void {
    this.goneOwners.add(uid);
    const [oldest] = this.goneOwners;
    if (this.goneOwners.size > rememberedOwners && oldest !== undefined) this.goneOwners.delete(oldest);
    for (const [dependent, place] of this.dependents.get(uid) ?? []) this.later(`collect ${dependent}`, () => this.collect(place));
  }

  /** Handles an owner whose deletion waits for the collector's finalizers. */
  private ownerLeaving(bucketId: string, { key, head }: StoredObject): void {
    if (head.deletionTimestamp === undefined) return;
    const { finalizers = [], uid } = head;
    if (finalizers.includes('orphan')) this.later(`orphan ${uid}`, () => this.orphan({ bucketId, key }));
    else if (finalizers.includes('foregroundDeletion')) this.later(`foreground ${uid}`, () => this.foreground({ bucketId, key }));
  }

  /** Continues foreground deletions when a dependent has been deleted. */
  private dependentGone({ head }: StoredObject): void {
    for (const { uid } of head.ownerReferences ?? []) {
      const waiting = this.waitingOwners.get(uid);
      if (waiting !== undefined) this.later(`foreground ${uid}`, () => this.foreground(waiting));
    }
  }

  private later(id: string, work: () => void): void {
    this.queue.set(id, work);
    if (this.working) return;
    this.working = true;
    void this.drain();
  }

  private async drain(): Promise<void> {
    await yieldNow();
    let sliceEnd = performance.now() + sliceMs;
    for (const [id, work] of this.queue) {
      this.queue.delete(id);
      try {
        work();
      } catch {
        // An object that cannot be deleted stays, as in a cluster.
      }
      // Deletions add further work, so limit the time instead of the amount.
      if (performance.now() < sliceEnd) continue;
      await yieldNow();
      sliceEnd = performance.now() + sliceMs;
    }
    this.working = false;
  }

  private at({ bucketId, key }: Place): { readonly resource: ServedResource; readonly object: StoredObject } | undefined {
    const object = this.cluster.store.bucket(bucketId).get(key);
    const resource = this.cluster.kinds.ofBucket(bucketId);
    return object === undefined || resource === undefined ? undefined : { resource, object };
  }

  /** Deletes a dependent if all its owners are gone; otherwise removes the references to owners that are gone. */
  private collect(place: Place): void {
    const found = this.at(place);
    if (found === undefined) return;
    const { resource, object } = found;
    const owners = object.head.ownerReferences ?? [];
    const left = owners.filter((owner) => !this.isGone(owner, object.namespace));
    for (const owner of owners) if (!left.includes(owner) && this.isElsewhere(owner)) this.warnOfNamespace(resource, object, owner);
    if (left.length === owners.length) return;
    if (left.length > 0) this.write(place, object, { ownerReferences: left });
    else if (object.head.deletionTimestamp === undefined) deleteObject(this.cluster, resource, object, inBackground);
  }

  /** Whether an owner exists in another namespace, from where it cannot own the dependent. */
  private isElsewhere({ apiVersion, kind, name, uid }: StoredOwnerReference): boolean {
    const resource = this.goneOwners.has(uid) ? undefined : this.cluster.kinds.findKind(apiVersion, kind);
    if (resource?.namespaced !== true) return false;
    for (const other of valuesBetween(this.cluster.store.bucket(resource.bucketId).root))
      if (other.name === name && other.head.uid === uid) return true;
    return false;
  }

  /** Emits an event that explains why an object is collected although an owner of that name exists. */
  private warnOfNamespace(
    { kind, groupVersion }: ServedResource,
    { name, namespace, head }: StoredObject,
    owner: StoredOwnerReference,
  ): void {
    const events = this.cluster.kinds.find('v1', 'events');
    if (events === undefined) return;
    const where = namespace === '' ? 'default' : namespace;
    const now = timestamp(this.cluster.clock.now());
    const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const event = {
      metadata: { name: `${name}.${head.uid.slice(0, 8)}${owner.uid.slice(0, 8)}`, namespace: where },
      involvedObject: { kind, apiVersion: groupVersion, name, namespace, uid: head.uid },
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${reference} does not exist in namespace ${JSON.stringify(namespace)}`,
      source: { component: 'garbage-collector-controller' },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    };
    createObject(this.cluster, events, where, event, { dryRun: false });
  }

  private orphan(place: Place): void {
    const found = this.at(place);
    if (found === undefined) return;
    const { uid, finalizers = [] } = found.object.head;
    for (const dependent of [...(this.dependents.get(uid)?.values() ?? [])]) {
      const object = this.at(dependent)?.object;
      const owners: readonly StoredOwnerReference[] = object?.head.ownerReferences ?? [];
      if (object !== undefined) this.write(dependent, object, { ownerReferences: owners.filter((owner) => owner.uid !== uid) });
    }
    this.write(place, found.object, { finalizers: finalizers.filter((finalizer) => finalizer !== 'orphan') });
  }

  private foreground(place: Place): void {
    const found = this.at(place);
    if (found === undefined) return;
    const { uid, finalizers = [] } = found.object.head;
    if (!finalizers.includes('foregroundDeletion')) return;
    let blocked = false;
    for (const dependentPlace of [...(this.dependents.get(uid)?.values() ?? [])]) {
      const dependent = this.at(dependentPlace);
      if (dependent === undefined) continue;
      const { deletionTimestamp, ownerReferences = [] } = dependent.object.head;
      const solid = ownerReferences.filter((owner) => this.isSolid(owner, dependent.object.namespace));
      if (solid.length > 0) {
        this.write(dependentPlace, dependent.object, { ownerReferences: solid });
        continue;
      }
      if (deletionTimestamp === undefined) {
        deleteObject(this.cluster, dependent.resource, dependent.object, {
          ...inBackground,
          propagationPolicy: this.hasDependents(dependent.object) ? 'Foreground' : 'Background',
        });
      }
      const blocks = ownerReferences.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
      if (blocks && !this.isInCircle(dependent.object) && this.at(dependentPlace)?.object.head.uid === dependent.object.head.uid)
        blocked = true;
    }
    if (blocked) {
      this.waitingOwners.set(uid, place);
      return;
    }
    this.waitingOwners.delete(uid);
    const current = this.at(place)?.object;
    if (current !== undefined)
      this.write(place, current, { finalizers: finalizers.filter((finalizer) => finalizer !== 'foregroundDeletion') });
  }

  /** Whether a dependent is itself an owner of one of its waiting owners: in such a cycle, foreground deletion would wait forever. */
  private isInCircle({ head }: StoredObject): boolean {
    return [...(this.dependents.get(head.uid)?.values() ?? [])].some((place) => {
      const owner = this.at(place)?.object.head;
      return owner !== undefined && isLeavingLast(owner);
    });
  }

  private hasDependents({ head }: StoredObject): boolean {
    return this.dependents.has(head.uid);
  }

  private write({ bucketId }: Place, object: StoredObject, change: Partial<Pick<StoredMeta, 'finalizers' | 'ownerReferences'>>): void {
    const content = { ...object.content, metadata: orderedMeta(object.content.metadata, change) };
    if (isEqualJson(content, object.content)) return;
    this.cluster.store.commit(bucketId, isDue(content, bucketId === '/namespaces') ? 'DELETED' : 'MODIFIED', content);
  }
}
