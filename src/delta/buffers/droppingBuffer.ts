import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { takesRoom } from './boundedBuffer.js';
import type { EventBuffer } from './eventBuffer.js';
import { createFifo } from './fifo.js';
import { storeDifference } from '../share/storeDifference.js';
import type { StoreContent } from '../share/storeContent.js';

/**
 * The buffer that drops everything when there is no room, and then hands out the difference between what its consumer knows and the store.
 *
 * It remembers what it has handed out (references to objects), so that what comes after an overflow fits what came before.
 */
export class DroppingBuffer<T> implements EventBuffer<T> {
  private readonly capacity: number;
  private readonly store: StoreContent<T>;
  private readonly queue = createFifo<ResourceEvent<T>>();
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
