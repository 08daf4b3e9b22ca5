import { Observable, type Subscriber, Subscription } from 'rxjs';
import { InformerError } from '../../api/errors/informerError.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import { messageOf } from '../../api/errors/messageOf.js';
import type { Collection, collectionPort } from '../../informer/collection.js';
import type { View } from '../view.js';
import type { ViewCounters } from '../viewCounters.js';
import type { ViewExplanation, ViewInput } from '../viewExplanation.js';
import type { ViewOptions } from '../viewOptions.js';
import { type Cause, type Computation, Computations } from './computations.js';
import { LinkedView } from './linkedView.js';
import type { InputLink } from './reads/inputLink.js';
import { ViewContent } from './viewContent.js';

/** What has failed from the start. */
const neverComputed: Computation = { cause: undefined, computedAt: 0, durationMs: 0 };

/**
 * A view in the graph: connected to its inputs while anybody is subscribed, told which keys are to be computed again, and settled once in each turn.
 *
 * Subclasses compute. A turn settles in three steps: `compute` for each key of an input that is dirty, `collect` for what several of them make together, and
 * the difference of `results` to the store, which becomes one change.
 */
export abstract class ViewNode<T> extends LinkedView<T> implements Omit<View<T>, typeof collectionPort> {
  /** The new values of keys; undefined where there is none any more. */
  protected readonly results: Map<string, T | undefined> = new Map<string, T | undefined>();
  /** Keys that cannot be computed before another input is complete. */
  protected readonly waiting: Set<string> = new Set<string>();
  /** Whether each object of the inputs is computed by itself. */
  protected readonly byObject: boolean = true;
  /** Whether nothing has been emitted yet. */
  protected filling = true;
  private readonly dirty = new Map<string, Cause | undefined>();
  protected readonly computations: Computations = new Computations();
  private readonly content: ViewContent<T>;
  private readonly sliceSize: number;
  private subscriber: Subscriber<ResourceChange<T>> | undefined;
  /** Whether the session is about to fail: it emits nothing any more. */
  private doomed = false;
  private scheduled = false;
  private connecting = false;
  private slice: Subscription | undefined;

  constructor(kind: string, inputs: readonly Collection<never>[], options: ViewOptions<T>) {
    super(kind, inputs, options);
    this.content = new ViewContent({ store: this.store, writes: this.writes }, this.computations, options, (key, error) =>
      this.fail(key, error),
    );
    this.sliceSize = options.sliceSize ?? 5000;
  }

  /** The view, as users see it. */
  asView(): View<T> {
    return this as unknown as View<T>;
  }

  counters(): ViewCounters {
    return { ...this.computations.counted };
  }

  explain(key: string): ViewExplanation | undefined {
    if (this.subscriber === undefined) return undefined;
    const error = this.status.degraded.get(this.inputKeyOf(key)) ?? this.status.conflicts.get(key);
    const computation = this.computations.of(key) ?? (error === undefined ? undefined : neverComputed);
    if (computation === undefined) return undefined;
    return { key, inputs: this.madeOf(key), ...computation, ...(error !== undefined && { error }) };
  }

  mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void {
    if (!this.dirty.has(key)) this.dirty.set(key, this.computations.causeOf(link, change));
    this.schedule();
  }

  changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void {
    if (this.inputs.includes(link.collection)) {
      const keys = whole ? [...link.reader.listKeys(), ...this.inputKeys()] : change.events.map(({ key }) => key);
      if (this.byObject && (whole || change.cause !== 'resync')) for (const key of keys) this.mark(key, link, change);
    }
    if (whole || this.isSynced() !== this.hasSynced()) this.schedule();
  }

  failed(error: unknown): void {
    const { subscriber } = this;
    this.doomed = true;
    this.turns.after(() => subscriber?.error(error));
  }

  completed(): void {
    const links = [...this.links.values()];
    const isOver = links.every(({ ended }) => ended) && !this.filling;
    const isHopeless = links.some(({ ended, ready }) => ended && !ready);
    if (isOver || isHopeless) this.turns.after(() => void this.stop());
  }

  /** The keys of the inputs that have been computed. */
  protected abstract inputKeys(): Iterable<string>;
  /** Computes what is made of the objects under a key of an input. */
  protected abstract compute(key: string): void;
  /** Forgets everything: a session is over. */
  protected abstract reset(): void;
  /** What a value was made of. */
  protected abstract madeOf(key: string): readonly ViewInput[];

  /** Puts into `results` what is made of several computations. */
  protected collect(): void {
    // Nothing, where each makes a value of its own.
  }

  /** The key of an input whose failure concerns a value. */
  protected inputKeyOf(key: string): string {
    return key;
  }

  protected session(): Observable<ResourceChange<T>> {
    return new Observable((subscriber) => {
      this.subscriber = subscriber;
      this.filling = true;
      this.doomed = false;
      subscriber.add(() => this.close());
      this.status.begin();
      this.connecting = true;
      try {
        this.connectInputs(subscriber);
      } catch (error) {
        subscriber.error(error);
      }
      this.connecting = false;
      this.turns.after(() => this.status.refresh());
      if (!subscriber.closed) this.schedule();
    });
  }

  /** A computation has failed. Its last value stays. */
  protected fail(key: string, cause: unknown): void {
    const message = `The function of the view ${this.name} failed for ${key}: ${messageOf(cause)}`;
    const error = new InformerError({ code: 'ERR_VIEW', message, cause, resource: this.name, key });
    this.computations.counted.failed += 1;
    this.status.degraded.set(key, error);
    this.report(error);
  }

  protected succeed(key: string): void {
    this.status.degraded.delete(key);
  }

  private isAlive(subscriber: Subscriber<ResourceChange<T>> | undefined): boolean {
    return this.subscriber === subscriber && !this.doomed;
  }

  protected schedule(): void {
    const { level, subscriber } = this;
    if (this.scheduled || this.connecting || this.slice !== undefined || subscriber === undefined) return;
    this.scheduled = true;
    this.turns.settle(level, () => {
      if (!this.isAlive(subscriber)) return;
      this.scheduled = false;
      if (level < this.level) this.schedule();
      else this.settle();
    });
  }

  private settle(): void {
    if (this.filling && !this.isReady()) return;
    let left = this.filling ? this.sliceSize : Infinity;
    for (const [key, cause] of this.dirty) {
      if (left === 0) {
        this.continueLater();
        return;
      }
      left -= 1;
      if (!this.computeKey(key, cause)) return;
    }
    if (this.filling && this.waiting.size > 0) return;
    this.collect();
    if (this.isAlive(this.subscriber)) this.publish();
  }

  /** A method, since an input may be met while the key is computed. */
  private hasDiscovered(): boolean {
    return this.discovered;
  }

  /** Returns whether to go on. */
  private computeKey(key: string, cause: Cause | undefined): boolean {
    const { subscriber } = this;
    this.discovered = false;
    this.waiting.delete(key);
    this.computations.begin(cause, this.scheduler.now());
    this.compute(key);
    if (!this.isAlive(subscriber)) return false;
    if (this.hasDiscovered()) {
      this.schedule();
      return false;
    }
    this.dirty.delete(key);
    this.computations.end(this.scheduler.now());
    return !this.filling || !this.waiting.has(key);
  }

  private continueLater(): void {
    const slice = new Subscription();
    this.slice = slice;
    slice.add(
      this.scheduler.schedule(() => {
        this.slice = undefined;
        this.schedule();
      }),
    );
  }

  private publish(): void {
    const { results, store, filling } = this;
    if (filling) for (const key of store.listKeys()) if (!results.has(key)) results.set(key, undefined);
    const events = this.content.write(results, filling);
    results.clear();
    // What is not read any more need not be complete.
    this.unlinkUnread();
    const synced = this.isSynced();
    const wasSynced = this.hasSynced();
    this.filling = false;
    if (synced !== wasSynced) this.setSynced(synced);
    else if (this.status.isStale()) this.turns.after(() => this.status.refresh());
    if (events.length === 0 && !filling && synced === wasSynced) return;
    this.computations.counted.changes += 1;
    this.subscriber?.next({ cause: filling ? 'list' : 'view', events, synced });
    if (filling) this.completed();
  }

  private isSynced(): boolean {
    if (this.filling && this.waiting.size > 0) return false;
    for (const { synced } of this.links.values()) if (!synced) return false;
    return true;
  }

  private close(): void {
    this.subscriber = undefined;
    this.scheduled = false;
    this.slice?.unsubscribe();
    this.slice = undefined;
    this.unlinkAll();
    this.dirty.clear();
    this.waiting.clear();
    this.results.clear();
    this.computations.clear();
    this.reset();
    this.status.end('idle');
  }
}
