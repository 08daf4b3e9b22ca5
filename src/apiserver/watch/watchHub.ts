import type { Bucket } from '../store/bucket.js';
import type { Store } from '../store/store.js';
import { SharedFrames } from './sharedFrames.js';

/** An open watch, as the hub sees it. */
export interface OpenWatch {
  readonly bucket: Bucket;
  /** Sends the changes since the last call. */
  pump(shared?: SharedFrames): void;
  /** Ends it in good order. */
  end(): void;
}

/** While writes follow each other, their events are gathered this long: every send is a system call for each watch. */
const gatherMs = 2;
/** The same while more than `few` events are gathered in that time. */
const gatherManyMs = 6;
const few = 4;

/**
 * Knows all open watches and moves them on after writes: in the same turn of the event loop after a quiet time, otherwise in batches.
 */
export class WatchHub {
  private readonly watches = new Map<Bucket, Set<OpenWatch>>();
  private readonly due = new Set<Bucket>();
  private pumpedAt = 0;
  /** The number of changes since the last pump, and before it. */
  private gathered = 0;
  private lately = 0;

  constructor(store: Store) {
    store.onChange((bucket) => {
      if (!this.watches.has(bucket)) return;
      this.gathered += 1;
      this.wake(bucket);
    });
    store.onReplace(() => this.endAll());
  }

  add(watch: OpenWatch): void {
    const known = this.watches.get(watch.bucket) ?? new Set<OpenWatch>();
    this.watches.set(watch.bucket, known.add(watch));
  }

  remove(watch: OpenWatch): void {
    const known = this.watches.get(watch.bucket);
    known?.delete(watch);
    if (known?.size === 0) this.watches.delete(watch.bucket);
  }

  /** How many watches are open. */
  get size(): number {
    return [...this.watches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Ends the watches of one resource, or all, in good order. */
  endAll(bucket?: Bucket): void {
    const ended = bucket === undefined ? [...this.watches.values()] : [this.watches.get(bucket) ?? new Set<OpenWatch>()];
    for (const watch of ended.flatMap((known) => [...known])) watch.end();
  }

  /** Moves the watches of a resource on, soon. */
  wake(bucket: Bucket): void {
    if (this.due.has(bucket)) return;
    this.due.add(bucket);
    const pump = (): void => {
      this.due.delete(bucket);
      this.lately = this.gathered;
      this.gathered = 0;
      const watches = [...(this.watches.get(bucket) ?? [])];
      const shared = new SharedFrames();
      for (const watch of watches) watch.pump(shared);
      this.pumpedAt = performance.now();
    };
    if (performance.now() - this.pumpedAt > gatherMs) setImmediate(pump);
    else setTimeout(pump, this.lately > few ? gatherManyMs : gatherMs);
  }
}
