import type { Delta, Deltas } from '../api/delta.js';
import { appendDelta, type DeltaCompression } from './compressDeltas.js';
import type { KnownObjects } from './knownObjects.js';

/**
 * An item of a queue, as it is handed out: the deltas of one key, oldest first.
 */
export interface QueuedItem<T> {
  readonly key: string;
  readonly deltas: Deltas<T>;
}

/**
 * What a queue has to know of its surroundings.
 */
export interface DeltaQueueOptions<T> {
  readonly compress: DeltaCompression;
  readonly knownObjects: KnownObjects<T> | undefined;
  /** Told of a known object that could not be read. */
  readonly onUnreadable: (key: string, error: unknown) => void;
}

/**
 * Deltas that wait, by key: a key has one place in the queue, taken by its first delta. Several items may be at work, but only one of a key.
 *
 * What is at work counts as on its way to the known objects: an item may have been taken and not have arrived there yet.
 */
export class DeltaQueue<T> {
  private readonly waiting = new Map<string, Delta<T>[]>();
  /** The newest delta of each item that was taken and is not done. */
  private readonly atWork = new Map<string, Delta<T>>();
  private readonly compress: DeltaCompression;
  private readonly knownObjects: KnownObjects<T> | undefined;
  private readonly onUnreadable: (key: string, error: unknown) => void;

  constructor({ compress, knownObjects, onUnreadable }: DeltaQueueOptions<T>) {
    this.compress = compress;
    this.knownObjects = knownObjects;
    this.onUnreadable = onUnreadable;
  }

  /** How many keys wait. */
  get size(): number {
    return this.waiting.size;
  }

  /** The keys that wait, in the order in which they are handed out. */
  keys(): string[] {
    return [...this.waiting.keys()];
  }

  /** A copy of what waits for a key. */
  get(key: string): Deltas<T> | undefined {
    return this.waiting.get(key)?.slice();
  }

  push(delta: Delta<T>): void {
    const deltas = this.waiting.get(delta.key);
    if (deltas === undefined) this.waiting.set(delta.key, [delta]);
    else appendDelta(deltas, delta, this.compress);
  }

  /** Queues a deletion, unless nobody has or will have the object. */
  pushDeletion(delta: Extract<Delta<T>, { readonly type: 'Deleted' }>): void {
    const { key } = delta;
    if (!this.waiting.has(key)) {
      const busy = this.atWork.get(key);
      if (busy === undefined ? !this.isKnown(key) : busy.type === 'Deleted') return;
    }
    this.push(delta);
  }

  /** Queues the deletion of an object that a list has shown to be gone. */
  pushVanished(key: string): void {
    const newest = this.newest(key);
    const object = newest === undefined ? this.known(key) : newest.object;
    this.push({ type: 'Deleted', key, object, finalStateUnknown: true });
  }

  /** Queues every known object anew. One about which there is news already is left out: the news would be followed by the older state. */
  pushKnown(): void {
    for (const key of this.knownObjects?.listKeys() ?? []) {
      const object = this.newest(key) === undefined ? this.known(key) : undefined;
      if (object !== undefined) this.push({ type: 'Sync', key, object });
    }
  }

  /** Puts an item that was taken back at the end; false when something newer waits for its key. */
  putBack({ key, deltas }: QueuedItem<T>): boolean {
    if (this.waiting.has(key)) return false;
    this.waiting.set(key, [...deltas]);
    return true;
  }

  /**
   * Takes the oldest item whose key is not at work; `done` must follow.
   *
   * @param limit - how many keys from the head may be taken.
   */
  take(limit: number = Infinity): QueuedItem<T> | undefined {
    let looked = 0;
    for (const [key, deltas] of this.waiting) {
      looked += 1;
      if (looked > limit) return undefined;
      const newest = deltas.at(-1);
      if (newest === undefined || this.atWork.has(key)) continue;
      this.waiting.delete(key);
      this.atWork.set(key, newest);
      return { key, deltas };
    }
    return undefined;
  }

  done(key: string): void {
    this.atWork.delete(key);
  }

  /** The keys that the known objects will have when everything queued has been processed: those about which there is news come first. */
  presentKeys(): string[] {
    const keys: string[] = [];
    for (const key of new Set([...this.waiting.keys(), ...this.atWork.keys()])) if (this.newest(key)?.type !== 'Deleted') keys.push(key);
    for (const key of this.knownObjects?.listKeys() ?? []) if (this.newest(key) === undefined) keys.push(key);
    return keys;
  }

  private newest(key: string): Delta<T> | undefined {
    return this.waiting.get(key)?.at(-1) ?? this.atWork.get(key);
  }

  private known(key: string): T | undefined {
    try {
      return this.knownObjects?.getByKey(key);
    } catch (error) {
      this.onUnreadable(key, error);
      return undefined;
    }
  }

  private isKnown(key: string): boolean {
    try {
      return this.knownObjects?.getByKey(key) !== undefined;
    } catch {
      return true;
    }
  }
}
