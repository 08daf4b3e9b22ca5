import type { Delta, Deltas } from '../../api/events.js';
import { appendDelta, type DeltaCompression } from './compressDeltas.js';
import { Fifo } from '../../rx/trampoline.js';
import type { KnownObjects } from './deltaProcessor.js';

/** An item of a queue, as it is handed out: the deltas of one key, oldest first. */
export interface QueuedItem<T> {
  readonly key: string;
  readonly deltas: Deltas<T>;
}

interface DeltaQueueOptions<T> {
  readonly compress: DeltaCompression;
  readonly knownObjects: KnownObjects<T> | undefined;
  /** Told of a known object that could not be read. */
  readonly onUnreadable: (key: string, error: unknown) => void;
}

/** What waits for one key, and its place: lower ones are handed out first. */
interface Entry<T> {
  readonly place: number;
  readonly deltas: Delta<T>[];
}

/**
 * Deltas that wait, by key: a key has one place in the queue, taken by its first delta. Several items may be at work, but only one of a key.
 *
 * What is at work counts as on its way to the known objects: an item may have been taken and not have arrived there yet.
 */
export class DeltaQueue<T> {
  /** In the order of their places. Each key is in one more of the places below. */
  private readonly waiting = new Map<string, Entry<T>>();
  private readonly arrivals = new Fifo<string>();
  /** The first of the arrivals, while it cannot be taken. */
  private head: string | undefined;
  /** Keys that were passed over because they are at work. */
  private readonly passedOver = new Set<string>();
  /** Keys that were passed over and can be taken now, in the order of their places. */
  private readonly released: string[] = [];
  /** The newest delta of each item that was taken and is not done. */
  private readonly atWork = new Map<string, Delta<T>>();
  private readonly options: DeltaQueueOptions<T>;
  private places = 0;

  constructor(options: DeltaQueueOptions<T>) {
    this.options = options;
  }

  /** The place of the next key that comes into the queue. */
  get nextPlace(): number {
    return this.places;
  }

  get size(): number {
    return this.waiting.size;
  }

  /** The keys that wait, in the order in which they are handed out. */
  keys(): string[] {
    return [...this.waiting.keys()];
  }

  get(key: string): Deltas<T> | undefined {
    return this.waiting.get(key)?.deltas.slice();
  }

  push(delta: Delta<T>): void {
    const entry = this.waiting.get(delta.key);
    if (entry === undefined) this.insert(delta.key, [delta]);
    else appendDelta(entry.deltas, delta, this.options.compress);
  }

  /** Queues a deletion, unless the object is neither queued, nor being processed, nor known. */
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
    for (const key of this.knownKeys()) {
      const object = this.newest(key) === undefined ? this.known(key) : undefined;
      if (object !== undefined) this.push({ type: 'Sync', key, object });
    }
  }

  /** Puts an item that was taken back at the end; false when something newer waits for its key. */
  putBack({ key, deltas }: QueuedItem<T>): boolean {
    if (this.waiting.has(key)) return false;
    this.insert(key, [...deltas]);
    return true;
  }

  /** Takes the oldest item whose key is not at work, of those with places lower than `before`; `done` must follow. */
  take(before: number = Infinity): QueuedItem<T> | undefined {
    const key = this.nextKey();
    const entry = key === undefined ? undefined : this.waiting.get(key);
    if (key === undefined || entry === undefined || entry.place >= before) return undefined;
    const newest = entry.deltas.at(-1);
    if (key === this.head) this.head = undefined;
    else this.released.shift();
    this.waiting.delete(key);
    if (newest !== undefined) this.atWork.set(key, newest);
    return { key, deltas: entry.deltas };
  }

  done(key: string): void {
    this.atWork.delete(key);
    if (!this.passedOver.delete(key)) return;
    let at = this.released.length;
    while (at > 0 && this.placeOf(this.released[at - 1]) > this.placeOf(key)) at -= 1;
    this.released.splice(at, 0, key);
  }

  /** The keys that the known objects will have when everything queued has been processed: those about which there is news come first. */
  presentKeys(): string[] {
    const keys: string[] = [];
    for (const key of new Set([...this.waiting.keys(), ...this.atWork.keys()])) if (this.newest(key)?.type !== 'Deleted') keys.push(key);
    for (const key of this.knownKeys()) if (this.newest(key) === undefined) keys.push(key);
    return keys;
  }

  private insert(key: string, deltas: Delta<T>[]): void {
    this.waiting.set(key, { place: this.places, deltas });
    this.arrivals.push(key);
    this.places += 1;
  }

  private placeOf(key: string | undefined): number {
    return (key === undefined ? undefined : this.waiting.get(key)?.place) ?? Infinity;
  }

  private nextKey(): string | undefined {
    this.head ??= this.arrivals.shift();
    while (this.head !== undefined && this.atWork.has(this.head)) {
      this.passedOver.add(this.head);
      this.head = this.arrivals.shift();
    }
    const [released] = this.released;
    return this.placeOf(released) < this.placeOf(this.head) ? released : this.head;
  }

  private newest(key: string): Delta<T> | undefined {
    return this.waiting.get(key)?.deltas.at(-1) ?? this.atWork.get(key);
  }

  private knownKeys(): readonly string[] {
    return this.options.knownObjects?.listKeys() ?? [];
  }

  private known(key: string): T | undefined {
    try {
      return this.options.knownObjects?.getByKey(key);
    } catch (error) {
      this.options.onUnreadable(key, error);
      return undefined;
    }
  }

  private isKnown(key: string): boolean {
    try {
      return this.options.knownObjects?.getByKey(key) !== undefined;
    } catch {
      return true;
    }
  }
}
