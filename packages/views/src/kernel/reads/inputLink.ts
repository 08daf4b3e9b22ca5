import type { Subscription } from 'rxjs';
import type { Collection, IndexReader, ResourceChange } from 'rx-informer';
import { collectionPort } from 'rx-informer/internal';
import { type Dependency, LinkReads } from './linkReads.js';

/** The view that owns a link. */
export interface LinkOwner {
  /** Wraps a user's function, which must not read caches directly. */
  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R;
  /** Marks a value to be computed again. */
  mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void;
  /** Called for a change of the input; with `whole`, all of it is new, since the input has just become complete. */
  changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void;
  /** The session cannot continue; with `link`, because that input has failed. */
  failed(error: unknown, link?: InputLink<never>): void;
  completed(): void;
}

/** Queued connections and disconnections, instead of recursion: graphs may be deeper than the call stack. */
const steps: (() => void)[] = [];
let stepping = false;

/** Runs a step now, or after the current one. */
export function inSteps(step: () => void): void {
  steps.push(step);
  if (stepping) return;
  stepping = true;
  const failures: unknown[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    try {
      (steps[at] as () => void)();
    } catch (error) {
      failures.push(error);
    }
  }
  steps.length = 0;
  stepping = false;
  if (failures.length > 0) throw failures[0];
}

/**
 * The connection of one view to one of its inputs.
 */
export class InputLink<T> {
  readonly collection: Collection<T>;
  readonly reader: IndexReader<T>;
  /** Whether the input has ever been complete. */
  ready = false;
  /** Whether it was complete after its last change. */
  synced = false;
  /** Whether the input has completed, with its last content. */
  ended = false;
  private readonly owner: LinkOwner;
  /** The reads of the input by functions; undefined before the first, as for unions and groups. */
  private known: LinkReads<T> | undefined;
  private subscription: Subscription | undefined;
  private closed = false;

  constructor(collection: Collection<T>, owner: LinkOwner) {
    this.collection = collection;
    this.reader = collection.indexer;
    this.owner = owner;
  }

  /** The reads of the input by functions. */
  get reads(): LinkReads<T> {
    return (this.known ??= new LinkReads(this));
  }

  /** Subscribes to the input, which may emit a change synchronously. */
  connect(): void {
    if (this.closed) return;
    const subscription = this.collection[collectionPort].settled$.subscribe({
      next: (change) => this.take(change),
      error: (error: unknown) => this.owner.failed(error, this as unknown as InputLink<never>),
      complete: () => {
        this.ended = true;
        this.owner.completed();
      },
    });
    // What the subscription emitted may have closed the link.
    if (this.isClosed()) inSteps(() => subscription.unsubscribe());
    else this.subscription = subscription;
  }

  /** The needs of these values have changed, but the values have not: what was computed from them is computed again. */
  renew(change: ResourceChange<T>, isWhole: boolean): void {
    if (!this.ready) return;
    this.take(change);
    if (isWhole) this.known?.markAll(change);
  }

  disconnect(): void {
    this.closed = true;
    const { subscription } = this;
    if (subscription !== undefined) inSteps(() => subscription.unsubscribe());
    this.known?.clear();
  }

  /** Whether any function has read it. */
  isRead(): boolean {
    return this.known?.isRead() === true;
  }

  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    return this.owner.guarded(work);
  }

  /** Marks the values of all readers to be computed again. */
  mark({ readers }: Dependency, change: ResourceChange<T>): void {
    for (const key of readers) this.owner.mark(key, this as unknown as InputLink<never>, change);
  }

  private isClosed(): boolean {
    return this.closed;
  }

  private take(change: ResourceChange<T>): void {
    this.synced = change.synced;
    const isFirst = !this.ready;
    if (isFirst && !change.synced) return;
    this.ready = true;
    if (isFirst || change.cause !== 'resync') this.known?.take(change, isFirst);
    this.owner.changed(this as unknown as InputLink<never>, change, isFirst);
  }
}
