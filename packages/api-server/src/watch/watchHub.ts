import type { Bucket } from '../store/bucket.js';
import type { Store } from '../store/store.js';
import { SharedFrames } from './sharedFrames.js';

/** An open watch, as the hub sees it. */
export interface OpenWatch {
  readonly bucket: Bucket;
  /** Sends the changes since the last call. */
  pump(shared?: SharedFrames): void;
  /** Ends it normally. */
  end(): void;
}

/** During a series of writes, events are batched for this long, in milliseconds: every send is a system call for each watch. */
const gatherMs = 2;
/** The batching time if the last batch had more than `few` events. */
const gatherManyMs = 6;
const few = 4;

/** Tracks all open watches, and sends them the changes after writes: at once after a quiet period, otherwise in batches. */
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

  /** The number of open watches. */
  get size(): number {
    return [...this.watches.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Ends the watches of one resource, or all watches, normally. */
  endAll(bucket?: Bucket): void {
    const ended = bucket === undefined ? [...this.watches.values()] : [this.watches.get(bucket) ?? new Set<OpenWatch>()];
    for (const watch of ended.flatMap((known) => [...known])) watch.end();
  }

  /** Schedules a pump of the watches of a resource. */
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
