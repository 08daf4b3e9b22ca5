import type { Bucket } from '../store/bucket.js';
import type { Store } from '../store/store.js';

/** An open watch, as the hub sees it. */
export interface OpenWatch {
  readonly bucket: Bucket;
  /** Sends what has happened since the last time. */
  pump(): void;
  /** Ends it in good order. */
  end(): void;
}

/**
 * Knows all open watches and moves them on after writes.
 *
 * Watches of a bucket are moved once per turn of the event loop, however many writes came in that turn: events are sent in batches.
 */
export class WatchHub {
  private readonly watchs = new Map<Bucket, Set<OpenWatch>>();
  private readonly due = new Set<Bucket>();

  constructor(store: Store) {
    store.onChange((bucket) => this.wake(bucket));
    store.onReplace(() => this.endAll());
  }

  add(watch: OpenWatch): void {
    const known = this.watchs.get(watch.bucket) ?? new Set<OpenWatch>();
    this.watchs.set(watch.bucket, known.add(watch));
  }

  remove(watch: OpenWatch): void {
    const known = this.watchs.get(watch.bucket);
    known?.delete(watch);
    if (known?.size === 0) this.watchs.delete(watch.bucket);
  }

  /** How many watches are open. */
  get size(): number {
    return [...this.watchs.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Ends the watches of one resource, or all, in good order. */
  endAll(bucket?: Bucket): void {
    const ended = bucket === undefined ? [...this.watchs.values()] : [this.watchs.get(bucket) ?? new Set<OpenWatch>()];
    for (const watch of ended.flatMap((watchs) => [...watchs])) watch.end();
  }

  private wake(bucket: Bucket): void {
    if (!this.watchs.has(bucket) || this.due.has(bucket)) return;
    this.due.add(bucket);
    setImmediate(() => {
      this.due.delete(bucket);
      for (const watch of [...(this.watchs.get(bucket) ?? [])]) watch.pump();
    });
  }
}
