import type { Delta, Deltas } from '../../api/events.js';
import { appendDelta, type DeltaCompression } from './compressDeltas.js';
import { Fifo } from '../../rx/trampoline.js';
import type { KnownObjects } from './deltaProcessor.js';

/** An item of a queue: the deltas of one key, oldest first. */
export interface QueuedItem<T> {
  readonly key: string;
  readonly deltas: Deltas<T>;
}

interface DeltaQueueOptions<T, M> {
  readonly compress: DeltaCompression;
  readonly knownObjects: KnownObjects<T> | undefined;
  /** Called for a known object that cannot be read. */
  readonly onUnreadable: (key: string, error: unknown) => void;
  /** The maximum number of items processed at once. */
  readonly concurrency: () => number;
  /** Begins to process an item. The callee must call `ended` when it is done; the same holds for `mark`. */
  readonly item: (item: QueuedItem<T>) => void;
  /** Called when everything queued before the mark has been processed. The next item begins after the mark. */
  readonly mark: (mark: M) => void;
  /** Called when nothing is queued and nothing is being processed. */
  readonly idle: () => void;
}

/** The deltas of one key, and its position in the queue: lower positions are taken first. */
interface Entry<T> extends QueuedItem<T> {
  readonly deltas: Delta<T>[];
  readonly place: number;
}

/** A place in the queue, before which everything must have been processed. */
interface Mark<M> {
  readonly mark: M;
}

/**
 * Queued deltas by key: a key has one position in the queue, that of its first delta. Several items may be processed at once, but only one per key.
 *
 * An item being processed counts as known: it has been taken, but may not have arrived in the known objects yet.
 *
 * Items begin in order. A mark begins when everything queued before it has been processed. All work begins in one loop, so work that ends synchronously and
 * re-entrant pushes cause no recursion.
 */
export class DeltaQueue<T, M> {
  /** The entries in order of their positions. Each is also in exactly one of the collections below. */
  private readonly waiting = new Map<string, Entry<T>>();
  private readonly arrivals = new Fifo<Entry<T> | Mark<M>>();
  /** The first of the arrivals, if it cannot begin yet. */
  private head: Entry<T> | Mark<M> | undefined;
  /** Entries before the head that were skipped because their key is being processed. */
  private readonly skipped = new Map<string, Entry<T>>();
  /** Skipped entries whose key is free again, in order of their positions. */
  private readonly released: Entry<T>[] = [];
  /** The newest delta of each item being processed. */
  private readonly processing = new Map<string, Delta<T>>();
  private readonly options: DeltaQueueOptions<T, M>;
  private places = 0;
  private active = 0;
  private atMark = false;
  private running = false;

  constructor(options: DeltaQueueOptions<T, M>) {
    this.options = options;
  }

  /** The queued keys, in order. */
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
      const busy = this.processing.get(key);
      if (busy === undefined ? !this.isKnown(key) : busy.type === 'Deleted') return;
    }
    this.push(delta);
  }

  /** Queues the deletion of an object that is missing in a list. */
  pushVanished(key: string): void {
    const newest = this.newest(key);
    const object = newest === undefined ? this.known(key) : newest.object;
    this.push({ type: 'Deleted', key, object, finalStateUnknown: true });
  }

  /** Queues every known object as `Sync`, except those with queued deltas: otherwise an older state would follow a newer one. */
  pushKnown(): void {
    for (const key of this.knownKeys()) {
      const object = this.newest(key) === undefined ? this.known(key) : undefined;
      if (object !== undefined) this.push({ type: 'Sync', key, object });
    }
  }

  /** Appends an item that was taken; returns false when newer deltas are queued for its key. */
  putBack({ key, deltas }: QueuedItem<T>): boolean {
    if (this.waiting.has(key)) return false;
    this.insert(key, [...deltas]);
    return true;
  }

  /** Sets a mark behind everything queued. */
  mark(mark: M): void {
    this.arrivals.push({ mark });
  }

  /** Begins all items and marks that can begin. */
  run(): void {
    if (this.running) return;
    this.running = true;
    while (this.beginNext());
    this.running = false;
    if (this.active === 0 && this.waiting.size === 0) this.options.idle();
  }

  /** Takes the next item if fewer than `concurrency` are being processed; `done` and `ended` must follow. */
  take(concurrency: number): QueuedItem<T> | undefined {
    const next = this.active < concurrency ? this.next() : undefined;
    if (next === undefined || 'mark' in next) return undefined;
    const newest = next.deltas.at(-1);
    if (next === this.head) this.head = undefined;
    else this.released.shift();
    this.waiting.delete(next.key);
    if (newest !== undefined) this.processing.set(next.key, newest);
    this.active += 1;
    return next;
  }

  /** An item or a mark has been processed. */
  ended(): void {
    this.active -= 1;
    this.atMark = false;
    this.run();
  }

  done(key: string): void {
    this.processing.delete(key);
    const entry = this.skipped.get(key);
    if (entry === undefined) return;
    this.skipped.delete(key);
    const before = this.released.findLastIndex(({ place }) => place < entry.place);
    this.released.splice(before + 1, 0, entry);
  }

  /** The keys of the known objects after everything queued has been processed. Keys with queued deltas come first. */
  presentKeys(): string[] {
    const keys: string[] = [];
    for (const key of new Set([...this.waiting.keys(), ...this.processing.keys()]))
      if (this.newest(key)?.type !== 'Deleted') keys.push(key);
    for (const key of this.knownKeys()) if (this.newest(key) === undefined) keys.push(key);
    return keys;
  }

  private beginNext(): boolean {
    const { options } = this;
    if (this.atMark) return false;
    const next = this.next();
    if (next === undefined || !('mark' in next)) {
      const item = this.take(options.concurrency());
      if (item !== undefined) options.item(item);
      return item !== undefined;
    }
    if (this.active > 0 || this.skipped.size > 0) return false;
    this.head = undefined;
    this.active += 1;
    this.atMark = true;
    options.mark(next.mark);
    return true;
  }

  private insert(key: string, deltas: Delta<T>[]): void {
    const entry = { key, deltas, place: this.places };
    this.waiting.set(key, entry);
    this.arrivals.push(entry);
    this.places += 1;
  }

  /** The oldest entry whose key is not being processed, or the mark before it. */
  private next(): Entry<T> | Mark<M> | undefined {
    if (this.released.length > 0) return this.released[0];
    this.head ??= this.arrivals.shift();
    while (this.head !== undefined && 'key' in this.head && this.processing.has(this.head.key)) {
      this.skipped.set(this.head.key, this.head);
      this.head = this.arrivals.shift();
    }
    return this.head;
  }

  private newest(key: string): Delta<T> | undefined {
    return this.waiting.get(key)?.deltas.at(-1) ?? this.processing.get(key);
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
