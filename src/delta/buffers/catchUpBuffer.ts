import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { takesRoom } from './boundedBuffer.js';
import type { EventBuffer, StoreContent } from './eventBuffer.js';
import { Fifo } from './fifo.js';
import { isOtherObject, missedDeletion } from '../index/identity.js';

/** The events that lead from what somebody knows to what a store holds: deletes first. `initial` is the flag of what is added. */
function storeDifference<T>(known: ReadonlyMap<string, T>, store: StoreContent<T>, initial: boolean): ResourceEvent<T>[] {
  const deleted: ResourceEvent<T>[] = [];
  const upserted: ResourceEvent<T>[] = [];
  for (const [key, object] of known) if (store.getByKey(key) === undefined) deleted.push(missedDeletion(key, object));
  for (const key of store.listKeys()) {
    const object = store.getByKey(key);
    if (object === undefined) continue;
    const before = known.get(key);
    if (before === object) continue;
    const recreated = before !== undefined && isOtherObject(before, object);
    if (before !== undefined && recreated) deleted.push(missedDeletion(key, before));
    if (before === undefined || recreated) upserted.push({ type: 'added', key, object, initial, inferred: true });
    else upserted.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred: true });
  }
  return deleted.concat(upserted);
}

/**
 * The buffer that drops everything when there is no room, and then hands out the difference between what its consumer knows and the store.
 *
 * It remembers what it has handed out (references to objects), so that what comes after an overflow fits what came before.
 */
export class CatchUpBuffer<T> implements EventBuffer<T> {
  private readonly capacity: number;
  private readonly store: StoreContent<T>;
  private readonly queue = new Fifo<ResourceEvent<T>>();
  private readonly known = new Map<string, T>();
  private taken = 0;
  overflown = false;
  /** Whether the store has been complete: only then, the difference makes its consumer synced. */
  private synced = false;
  private toldVersion = '';

  constructor(capacity: number, store: StoreContent<T>) {
    this.capacity = capacity;
    this.store = store;
  }

  isEmpty(): boolean {
    return this.queue.size === 0 && !this.overflown;
  }

  /** What the difference will hold is not known before it is taken. */
  size(): number {
    return this.overflown ? 1 : this.queue.size;
  }

  clear(): void {
    this.queue.clear();
    this.taken = 0;
    this.overflown = false;
  }

  push(event: ResourceEvent<T>): boolean {
    if (event.type === 'synced') this.synced = true;
    if (this.overflown) return true;
    if (!takesRoom(event)) {
      this.queue.push(event);
    } else if (this.taken < this.capacity) {
      this.taken += 1;
      this.queue.push(event);
    } else {
      this.clear();
      this.overflown = true;
    }
    return true;
  }

  shift(): ResourceEvent<T> | undefined {
    if (this.overflown) this.recover();
    const event = this.queue.shift();
    if (event === undefined) return undefined;
    // Those of a difference have taken no room.
    if (takesRoom(event) && this.taken > 0) this.taken -= 1;
    if (event.type === 'synced') this.toldVersion = event.resourceVersion;
    else if (event.type === 'deleted') this.known.delete(event.key);
    else this.known.set(event.key, event.object);
    return event;
  }

  private recover(): void {
    const { store, toldVersion } = this;
    this.overflown = false;
    for (const event of storeDifference(this.known, store, toldVersion === '')) this.queue.push(event);
    if (!this.synced) return;
    this.queue.push({ type: 'synced', resourceVersion: store.lastStoreSyncResourceVersion(), previousResourceVersion: toldVersion });
  }
}
