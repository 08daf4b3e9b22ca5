import { Observable, type Subscriber, Subscription } from 'rxjs';
import { deepFreeze } from '../../api/deepFreeze.js';
import { InformerError } from '../../api/errors/informerError.js';
import type { ObjectEvent, ResourceChange } from '../../api/events/resourceChange.js';
import { inProduction } from '../../api/inProduction.js';
import { messageOf } from '../../cache/keys/messageOf.js';
import { identityOf, isRecreated } from '../../delta/index/identity.js';
import { type Collection, collectionPort } from '../../informer/collection.js';
import { isEqualJson } from '../../operators/folds/isEqualJson.js';
import { Trampoline } from '../../rx/trampoline.js';
import type { View } from '../view.js';
import type { ViewCounters } from '../viewCounters.js';
import type { ViewExplanation, ViewInput } from '../viewExplanation.js';
import type { ViewOptions } from '../viewOptions.js';
import { InputLink, type LinkOwner } from './reads/inputLink.js';
import { ViewBase } from './viewBase.js';
import { type LabelsOf, viewPort, type ViewPort, viewPortOf } from './viewPort.js';

/** Why a key is computed. */
export type Cause = NonNullable<ViewExplanation['cause']>;

/** When a value was computed, and why. */
interface Computation {
  readonly cause: Cause | undefined;
  readonly computedAt: number;
  readonly durationMs: number;
}

/** What has failed from the start. */
const neverComputed: Computation = { cause: undefined, computedAt: 0, durationMs: 0 };

/** How many keys of a change an explanation names. */
const namedKeys = 10;

/**
 * A view in the graph: connected to its inputs while anybody is subscribed, told which keys are to be computed again, and settled once in each turn.
 *
 * Subclasses compute. A turn settles in three steps: `compute` for each key of an input that is dirty, `collect` for what several of them make together, and
 * the difference of `results` to the store, which becomes one change.
 */
export abstract class ViewNode<T> extends ViewBase<T> implements Omit<View<T>, typeof collectionPort>, ViewPort, LinkOwner {
  readonly labels: LabelsOf<unknown> | undefined;
  readonly dependents: Set<ViewPort> = new Set<ViewPort>();
  /** The new values of keys; undefined where there is none any more. */
  protected readonly results: Map<string, T | undefined> = new Map<string, T | undefined>();
  protected readonly links: Map<Collection<never>, InputLink<never>> = new Map<Collection<never>, InputLink<never>>();
  /** The keys whose values the computation under way makes. */
  protected readonly made: Set<string> = new Set<string>();
  /** Keys that cannot be computed before another input is complete. */
  protected readonly waiting: Set<string> = new Set<string>();
  /** Whether an input has been met for the first time: it may have to settle before. */
  protected discovered = false;
  /** Whether each object of the inputs is computed by itself. */
  protected readonly byObject: boolean = true;
  /** Whether nothing has been emitted yet. */
  protected filling = true;
  /** What it is made of in any case, whatever functions read. */
  protected inputs: readonly Collection<never>[];
  private readonly dirty = new Map<string, Cause | undefined>();
  private readonly computations = new Map<string, Computation>();
  private readonly equals: (before: T, after: T) => boolean;
  private readonly freeze: boolean;
  private readonly sliceSize: number;
  private readonly counted = { computed: 0, unchanged: 0, failed: 0, durationMs: 0, changes: 0 };
  private subscriber: Subscriber<ResourceChange<T>> | undefined;
  /** Whether the session is about to fail: it emits nothing any more. */
  private doomed = false;
  private scheduled = false;
  private connecting = false;
  private slice: Subscription | undefined;
  private lastCause: { readonly change: ResourceChange<unknown>; readonly cause: Cause } | undefined;

  constructor(kind: string, inputs: readonly Collection<never>[], options: ViewOptions<T>) {
    const name = options.name ?? `${kind}(${inputs.map((input) => input.name).join(', ')})`;
    super({ ...options, name }, inputs[0]?.[collectionPort].trampoline ?? new Trampoline());
    this.inputs = inputs;
    this.labels = options.labels as LabelsOf<unknown> | undefined;
    this.equals = options.equals ?? isEqualJson;
    this.freeze = options.freeze ?? !inProduction();
    this.sliceSize = options.sliceSize ?? 5000;
    this.level = 1;
    Object.defineProperty(this, viewPort, { value: this });
  }

  /** The view, as users see it. */
  asView(): View<T> {
    return this as unknown as View<T>;
  }

  counters(): ViewCounters {
    return { ...this.counted };
  }

  explain(key: string): ViewExplanation | undefined {
    if (this.subscriber === undefined) return undefined;
    const error = this.status.degraded.get(this.inputKeyOf(key)) ?? this.status.conflicts.get(key);
    const computation = this.computations.get(key) ?? (error === undefined ? undefined : neverComputed);
    if (computation === undefined) return undefined;
    return { key, inputs: this.madeOf(key), ...computation, ...(error !== undefined && { error }) };
  }

  raise(level: number): void {
    if (this.level >= level) return;
    this.level = level;
    for (const dependent of this.dependents) dependent.raise(level + 1);
  }

  wayTo(other: ViewPort): readonly string[] | undefined {
    if (other === this) return [this.name];
    for (const input of new Set([...this.inputs, ...this.links.keys()])) {
      const way = viewPortOf(input)?.wayTo(other);
      if (way !== undefined) return [this.name, ...way];
    }
    return undefined;
  }

  mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void {
    if (!this.dirty.has(key)) this.dirty.set(key, this.causeOf(link, change));
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

  /** Connects what it is made of in any case. The subscription ends with the session. */
  protected connectInputs(session: Subscription): void {
    for (const input of this.inputs) if (!session.closed) this.link(input);
  }

  /** Whether everything that it is made of in any case has been complete. */
  protected isReady(): boolean {
    return this.inputs.every((input) => this.links.get(input)?.ready === true);
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

  /** Connects an input. @throws TypeError when the view is made of itself. */
  protected link(collection: Collection<never>): InputLink<never> {
    const known = this.links.get(collection);
    if (known !== undefined) return known;
    const port = viewPortOf(collection);
    const way = port?.wayTo(this);
    if (way !== undefined) throw new TypeError(`A view cannot be made of itself: ${[this.name, ...way].join(' reads ')}`);
    const link = new InputLink<never>(collection, this);
    this.links.set(collection, link);
    this.discovered = true;
    const { trampoline } = collection[collectionPort];
    this.turns.join(trampoline);
    port?.dependents.add(this);
    this.raise(collection[collectionPort].level + 1);
    this.status.watch(collection);
    link.connect();
    return link;
  }

  /** A computation has failed. Its last value stays. */
  protected fail(key: string, cause: unknown): void {
    const message = `The function of the view ${this.name} failed for ${key}: ${messageOf(cause)}`;
    const error = new InformerError({ code: 'ERR_VIEW', message, cause, resource: this.name, key });
    this.counted.failed += 1;
    this.status.degraded.set(key, error);
    this.report(error);
  }

  protected succeed(key: string): void {
    this.status.degraded.delete(key);
  }

  /** Whether the session of a subscriber goes on. */
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
    this.made.clear();
    const startedAt = this.scheduler.now();
    this.compute(key);
    if (!this.isAlive(subscriber)) return false;
    if (this.hasDiscovered()) {
      this.schedule();
      return false;
    }
    this.dirty.delete(key);
    const durationMs = this.scheduler.now() - startedAt;
    this.counted.computed += 1;
    this.counted.durationMs += durationMs;
    const computation = { cause, computedAt: startedAt, durationMs };
    for (const made of this.made) this.computations.set(made, computation);
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
    const deleted: ObjectEvent<T>[] = [];
    const others: ObjectEvent<T>[] = [];
    for (const [key, value] of results) this.difference(key, value, deleted, others);
    results.clear();
    const synced = this.isSynced();
    const wasSynced = this.hasSynced();
    this.filling = false;
    this.dropUnread();
    if (synced !== wasSynced) this.setSynced(synced);
    else if (this.status.isStale()) this.turns.after(() => this.status.refresh());
    const events = deleted.length === 0 ? others : others.length === 0 ? deleted : deleted.concat(others);
    if (events.length === 0 && !filling && synced === wasSynced) return;
    this.counted.changes += 1;
    this.subscriber?.next({ cause: filling ? 'list' : 'view', events, synced });
    if (filling) this.completed();
  }

  private difference(key: string, value: T | undefined, deleted: ObjectEvent<T>[], others: ObjectEvent<T>[]): void {
    const { store, writes } = this;
    const before = store.getByKey(key);
    const isGone = value === undefined || value === null;
    if (isGone) this.computations.delete(key);
    if (isGone && before === undefined) return;
    if (!isGone && before !== undefined && (before === value || this.isEqual(key, before, value))) {
      this.counted.unchanged += 1;
      return;
    }
    if (isGone) writes.delete(key);
    else writes.update(key, this.freeze ? deepFreeze(value) : value);
    const isReplaced = !isGone && before !== undefined && isRecreated(identityOf(before), identityOf(value));
    if (before !== undefined && (isGone || isReplaced))
      deleted.push({ type: 'deleted', key, object: before, finalStateUnknown: false, inferred: false });
    if (isGone) return;
    if (before === undefined || isReplaced) others.push({ type: 'added', key, object: value, initial: this.filling, inferred: false });
    else others.push({ type: 'updated', key, object: value, oldObject: before, resync: false, inferred: false });
  }

  private isEqual(key: string, before: T, after: T): boolean {
    try {
      return this.equals(before, after);
    } catch (error) {
      this.fail(key, error);
      return false;
    }
  }

  private isSynced(): boolean {
    if (this.filling && this.waiting.size > 0) return false;
    for (const { synced } of this.links.values()) if (!synced) return false;
    return true;
  }

  /** Disconnects inputs that no function reads any more. */
  private dropUnread(): void {
    if (this.links.size === this.inputs.length) return;
    for (const [collection, link] of this.links) if (!this.inputs.includes(collection) && !link.isRead()) this.unlink(link);
  }

  protected unlink(link: InputLink<never>): void {
    const { collection } = link;
    this.links.delete(collection);
    viewPortOf(collection)?.dependents.delete(this);
    this.status.unwatch(collection);
    link.disconnect();
  }

  private close(): void {
    this.subscriber = undefined;
    this.scheduled = false;
    this.slice?.unsubscribe();
    this.slice = undefined;
    for (const link of [...this.links.values()]) this.unlink(link);
    this.dirty.clear();
    this.waiting.clear();
    this.results.clear();
    this.computations.clear();
    this.lastCause = undefined;
    this.level = 1;
    this.reset();
    this.status.end('idle');
  }

  private causeOf(link: InputLink<never>, change: ResourceChange<unknown>): Cause {
    if (this.lastCause?.change === change) return this.lastCause.cause;
    const keys = change.events.slice(0, namedKeys).map(({ key }) => key);
    const cause = { collection: link.collection.name, cause: change.cause, keys };
    this.lastCause = { change, cause };
    return cause;
  }
}
