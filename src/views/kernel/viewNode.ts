import { Observable, type Subscriber, Subscription } from 'rxjs';
import { deepFreeze } from '../../api/deepFreeze.js';
import { InformerError } from '../../api/errors/informerError.js';
import { messageOf } from '../../api/errors/messageOf.js';
import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import { inProduction } from '../../api/inProduction.js';
import { readGuard } from '../../cache/store/readGuard.js';
import type { StagedContent } from '../../cache/store/stagedContent.js';
import { isOtherObject } from '../../delta/index/identity.js';
import { type Collection, collectionPort } from '../../informer/collection.js';
import { isEqualJson } from '../../operators/folds/isEqualJson.js';
import { Trampoline } from '../../rx/trampoline.js';
import type { View, ViewCounters, ViewExplanation, ViewInput } from '../view.js';
import type { ViewOptions } from '../viewOptions.js';
import { asyncError, AsyncFunctionError, isPromise } from './checks.js';
import { type Cause, Computations } from './computations.js';
import { InputLink, inSteps, type LinkOwner } from './reads/inputLink.js';
import { ViewBase } from './viewBase.js';
import { type LabelsOf, raiseAll, viewPort, type ViewPort, viewPortOf, wayTo } from './viewPort.js';

/** How long a stretch of a first fill takes, in milliseconds; it is looked at after so many keys. */
const sliceMs = 8;
const lookEvery = 16;

/** The longest default name: that of a view of views of views says no more. */
const longestName = 80;

function defaultName(kind: string, inputs: readonly Collection<never>[]): string {
  const names = inputs.slice(0, 5).map(({ name }) => name);
  const text = `${kind}(${[...names, ...(inputs.length > 5 ? [`${inputs.length - 5} others`] : [])].join(', ')})`;
  return text.length > longestName ? `${text.slice(0, longestName - 3)}...` : text;
}

/**
 * A view in the graph: connected to its inputs while anybody is subscribed, told which keys are to be computed again, and settled once in each turn.
 *
 * Subclasses compute. A turn settles in three steps: `compute` for each key of an input that is dirty, `collect` for what several of them make together, and
 * the difference of `results` to the store, which becomes one change. A first fill is done in stretches, and shown as a whole.
 */
export abstract class ViewNode<T> extends ViewBase<T> implements ViewPort, LinkOwner, Omit<View<T>, typeof collectionPort> {
  readonly labels: LabelsOf<unknown> | undefined;
  readonly dependents: Set<ViewPort> = new Set<ViewPort>();
  /** Its name, where functions must not read caches by themselves. */
  readonly guardedName: string | undefined;
  /** What it was made of: that was there before it, and cannot be made of it. */
  private readonly fixed: ReadonlySet<Collection<never>>;
  /** What it is made of in any case, whatever functions read. */
  protected inputs: ReadonlySet<Collection<never>>;
  protected readonly links: Map<Collection<never>, InputLink<never>> = new Map<Collection<never>, InputLink<never>>();
  /** The new values of keys; undefined where there is none any more. */
  protected readonly results: Map<string, T | undefined> = new Map<string, T | undefined>();
  /** Keys that cannot be computed before another input is complete. */
  protected readonly waiting: Set<string> = new Set<string>();
  protected readonly computations: Computations = new Computations();
  /** Whether each object of the inputs is computed by itself. */
  protected readonly byObject: boolean = true;
  /** Whether nothing has been emitted yet. */
  protected filling = true;
  /** Whether an input has been met for the first time: it may have to settle before. */
  protected discovered = false;
  /** Whether an input may have lost its last reader. */
  protected exchanged = false;
  protected readonly freezes: boolean;
  private readonly equals: (before: T, after: T) => boolean;
  private readonly sliceSize: number;
  private readonly dirty = new Map<string, Cause | undefined>();
  /** The links that are not complete, and those of them that the first content waits for. */
  private readonly behind = new Set<InputLink<never>>();
  private readonly awaited = new Set<Collection<never>>();
  /** The first content in the making, and whether that takes several stretches. */
  private isLarge = false;
  private staged: StagedContent<T> | undefined;
  private subscriber: Subscriber<ResourceChange<T>> | undefined;
  /** Whether the session is about to fail: it emits nothing any more. */
  private doomed = false;
  private scheduled = false;
  private connecting = false;
  private slice: Subscription | undefined;
  private readonly lowestLevel: number;

  constructor(kind: string, inputs: readonly Collection<never>[], options: ViewOptions<T>) {
    const name = options.name ?? defaultName(kind, inputs);
    super({ ...options, name }, inputs[0]?.[collectionPort].trampoline ?? new Trampoline());
    const { equals = isEqualJson, freeze = !inProduction(), sliceSize = 5000, labels } = options;
    this.guardedName = inProduction() ? undefined : name;
    this.fixed = new Set(inputs);
    this.inputs = this.fixed;
    this.equals = this.guarded(equals);
    this.freezes = freeze;
    this.sliceSize = sliceSize;
    this.labels = labels === undefined ? undefined : this.labelsBy(labels as LabelsOf<unknown>);
    this.lowestLevel = inputs.reduce((highest, input) => Math.max(highest, input[collectionPort].level + 1), 1);
    this.level = this.lowestLevel;
    Object.defineProperty(this, viewPort, { value: this });
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
    const computation = this.computations.of(key) ?? (error && { cause: undefined, computedAt: 0, durationMs: 0 });
    if (computation === undefined) return undefined;
    return { key, inputs: this.madeOf(key), ...computation, ...(error !== undefined && { error }) };
  }

  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R {
    const { guardedName, name } = this;
    const checked = (...args: A): R => {
      const value = work(...args);
      if (isPromise(value)) throw asyncError(`the view ${name}`);
      return value;
    };
    return guardedName === undefined ? checked : (...args) => readGuard.run(guardedName, () => checked(...args));
  }

  raise(level: number): boolean {
    if (this.level >= level) return false;
    this.level = level;
    return true;
  }

  *upstream(): Iterable<Collection<never>> {
    yield* this.inputs;
    yield* this.links.keys();
  }

  isConnected(): boolean {
    return this.subscriber !== undefined && !this.connecting;
  }

  mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void {
    if (!this.dirty.has(key)) this.dirty.set(key, this.computations.causeOf(link, change));
    this.schedule();
  }

  changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void {
    if (whole) this.awaited.delete(link.collection);
    if (link.synced) this.behind.delete(link);
    else this.behind.add(link);
    if (this.byObject && (whole || change.cause !== 'resync') && this.inputs.has(link.collection)) {
      if (whole) for (const key of link.reader.listKeys()) this.mark(key, link, change);
      else for (const { key } of change.events) this.mark(key, link, change);
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

  /** Connects what it is made of in any case. The subscription ends with the session. */
  protected connectInputs(session: Subscription): void {
    for (const input of this.inputs) if (!session.closed) this.link(input);
  }

  /** Whether everything that it is made of in any case has been complete. */
  protected isReady(): boolean {
    return this.awaited.size === 0;
  }

  /** Connects an input. @throws TypeError when the view is made of itself. */
  link(collection: Collection<never>): InputLink<never> {
    const known = this.links.get(collection);
    if (known !== undefined) return known;
    const port = viewPortOf(collection);
    const way = this.fixed.has(collection) ? undefined : wayTo(this, collection);
    if (way !== undefined) throw new TypeError(`A view cannot be made of itself: ${[this.name, ...way].join(' reads ')}`);
    const link = new InputLink<never>(collection, this);
    this.links.set(collection, link);
    this.behind.add(link);
    if (this.inputs.has(collection)) this.awaited.add(collection);
    else this.exchanged = true;
    this.discovered = true;
    const { trampoline, level } = collection[collectionPort];
    this.turns.join(trampoline);
    port?.dependents.add(this);
    raiseAll(this, level + 1);
    this.status.watch(collection);
    inSteps(() => link.connect());
    return link;
  }

  protected unlink(link: InputLink<never>): void {
    const { collection } = link;
    this.links.delete(collection);
    this.behind.delete(link);
    this.awaited.delete(collection);
    viewPortOf(collection)?.dependents.delete(this);
    this.status.unwatch(collection);
    link.disconnect();
  }

  protected session(): Observable<ResourceChange<T>> {
    return new Observable((subscriber) => {
      this.subscriber = subscriber;
      this.filling = true;
      this.isLarge = false;
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
      if (!subscriber.closed) this.schedule();
    });
  }

  /** A computation has failed. Its last value stays. */
  protected fail(key: string, cause: unknown): void {
    if (cause instanceof AsyncFunctionError) {
      this.failed(cause);
      return;
    }
    this.computations.counted.failed += 1;
    this.status.degraded.set(key, this.failure(key, cause));
    this.status.touch();
  }

  protected succeed(key: string): void {
    if (this.status.degraded.size > 0 && this.status.degraded.delete(key)) this.status.touch();
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

  /** Reports a failure of a function that is called for a value. */
  protected failure(key: string, cause: unknown, what: string = 'function'): InformerError {
    const message = `The ${what} of the view ${this.name} failed for ${key}: ${messageOf(cause)}`;
    const error = new InformerError({ code: 'ERR_VIEW', message, cause, resource: this.name, key });
    this.report(error);
    return error;
  }

  private labelsBy(labels: LabelsOf<unknown>): LabelsOf<unknown> {
    const guarded = this.guarded(labels);
    return (value) => {
      try {
        return guarded(value);
      } catch (error) {
        // Those who select see no labels.
        this.failure('a value', error, 'option `labels`');
        return undefined;
      }
    };
  }

  private isAlive(subscriber: Subscriber<ResourceChange<T>> | undefined): boolean {
    return this.subscriber === subscriber && !this.doomed;
  }

  private settle(): void {
    if (this.filling && !this.isReady()) return;
    const isOver = this.filling ? this.stretch() : () => false;
    for (const [key, cause] of this.dirty) {
      if (isOver()) {
        this.continueLater();
        return;
      }
      if (!this.computeKey(key, cause)) return;
    }
    if (this.filling && this.waiting.size > 0) return;
    this.collect();
    if (!this.isAlive(this.subscriber)) return;
    if (!this.filling) {
      this.publish();
      return;
    }
    for (const [key, value] of this.results) {
      if (isOver()) {
        this.continueLater();
        return;
      }
      this.stage(key, value);
      this.results.delete(key);
    }
    this.publishFirst();
  }

  /** Says when a stretch of a first fill is over: one that fits into a stretch is done in one, whatever time it takes. */
  private stretch(): () => boolean {
    const { scheduler, sliceSize } = this;
    this.isLarge ||= this.dirty.size > sliceSize;
    if (!this.isLarge) return () => false;
    const until = scheduler.now() + sliceMs;
    let count = 0;
    return () => {
      count += 1;
      return count > sliceSize || (count % lookEvery === 0 && scheduler.now() >= until);
    };
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

  private firstContent(): StagedContent<T> {
    return (this.staged ??= this.store.stage?.() as StagedContent<T>);
  }

  /** Puts a value into the first content. */
  private stage(key: string, value: T | undefined): void {
    const { store } = this;
    const staged = this.firstContent();
    if (value === undefined || value === null) {
      this.computations.forget(key);
      staged.remove(key);
      return;
    }
    const before = store.getByKey(key);
    const isKept = before !== undefined && this.isEqual(key, before, value);
    if (isKept) this.computations.counted.unchanged += 1;
    staged.put(isKept ? before : this.freezes ? deepFreeze(value) : value, key);
  }

  /** Shows the first content, as the difference to what there was before. */
  private publishFirst(): void {
    const { store } = this;
    const staged = this.firstContent();
    const deleted: ObjectEvent<T>[] = [];
    const others: ObjectEvent<T>[] = [];
    for (const key of store.listKeys()) {
      if (!staged.objects.has(key))
        deleted.push({ type: 'deleted', key, object: store.getByKey(key) as T, finalStateUnknown: false, inferred: false });
    }
    for (const [key, value] of staged.objects) {
      const before = store.getByKey(key);
      if (before !== value) this.describe(key, before, value, deleted, others);
    }
    this.staged = undefined;
    staged.publish('');
    this.emit(deleted.concat(others));
  }

  private publish(): void {
    const { store, writes, results, computations } = this;
    const deleted: ObjectEvent<T>[] = [];
    const others: ObjectEvent<T>[] = [];
    for (const [key, result] of results) {
      const value = result ?? undefined;
      const before = store.getByKey(key);
      if (value === undefined) {
        computations.forget(key);
        if (this.status.conflicts.size > 0 && this.status.conflicts.delete(key)) this.status.touch();
        if (before === undefined) continue;
        writes.delete(key);
      } else {
        if (before !== undefined && this.isEqual(key, before, value)) {
          computations.counted.unchanged += 1;
          continue;
        }
        writes.update(key, this.freezes ? deepFreeze(value) : value);
      }
      this.describe(key, before, value, deleted, others);
    }
    results.clear();
    this.emit(deleted.length === 0 ? others : deleted.concat(others));
  }

  /** Adds the events of one key. */
  private describe(key: string, before: T | undefined, value: T | undefined, deleted: ObjectEvent<T>[], others: ObjectEvent<T>[]): void {
    const isReplaced = before !== undefined && value !== undefined && isOtherObject(before, value);
    if (before !== undefined && (value === undefined || isReplaced))
      deleted.push({ type: 'deleted', key, object: before, finalStateUnknown: false, inferred: false });
    if (value === undefined) return;
    if (before === undefined || isReplaced) others.push({ type: 'added', key, object: value, initial: this.filling, inferred: false });
    else others.push({ type: 'updated', key, object: value, oldObject: before, resync: false, inferred: false });
  }

  private emit(events: readonly ObjectEvent<T>[]): void {
    const { filling } = this;
    this.unlinkUnread();
    const synced = this.isSynced();
    const wasSynced = this.hasSynced();
    this.filling = false;
    if (synced !== wasSynced) this.setSynced(synced);
    if (events.length === 0 && !filling && synced === wasSynced) return;
    this.computations.counted.changes += 1;
    this.subscriber?.next({ cause: filling ? 'list' : 'view', events, synced });
    if (filling) this.completed();
  }

  private isEqual(key: string, before: T, after: T): boolean {
    const { conflicts } = this.status;
    if (conflicts.size > 0 && conflicts.get(key)?.cause !== undefined && conflicts.delete(key)) this.status.touch();
    try {
      return before === after || this.equals(before, after);
    } catch (error) {
      if (error instanceof AsyncFunctionError) this.failed(error);
      conflicts.set(key, this.failure(key, error, 'option `equals`'));
      this.status.touch();
      return false;
    }
  }

  private isSynced(): boolean {
    return this.behind.size === 0 && !(this.filling && this.waiting.size > 0);
  }

  /** Disconnects inputs that no function reads any more: what is not read need not be complete. */
  private unlinkUnread(): void {
    if (!this.exchanged) return;
    this.exchanged = false;
    for (const [collection, link] of this.links) if (!this.inputs.has(collection) && !link.isRead()) this.unlink(link);
  }

  private close(): void {
    this.subscriber = undefined;
    this.scheduled = false;
    this.slice?.unsubscribe();
    this.slice = undefined;
    this.staged = undefined;
    this.status.end('idle');
    for (const link of [...this.links.values()]) this.unlink(link);
    this.level = this.lowestLevel;
    this.dirty.clear();
    this.waiting.clear();
    this.results.clear();
    this.computations.clear();
    this.reset();
  }
}
