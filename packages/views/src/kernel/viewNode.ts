import { Observable, type Subscriber, Subscription } from 'rxjs';
import type { Collection, ObjectEvent, ResourceChange } from 'rx-informer';
import { isEqualJson, type LeaveReason, type StagedContent, Transitions, type collectionPort } from 'rx-informer/internal';
import type { View, ViewExplanation, ViewInput, ViewOptions } from '../view.js';
import { AsyncFunctionError, canFreeze } from './checks.js';
import { type Cause } from './computations.js';
import { LinkedView } from './linkedView.js';
import type { InputLink } from './reads/inputLink.js';
import { differenceOf, FillSlices } from './firstFill.js';

/** A result that stands for the value of the last session. */
const lastValue: unique symbol = Symbol('last value');

/**
 * A view in the graph. It is connected to its inputs while it has subscribers. Inputs mark the keys to compute again, and the view settles once per turn.
 *
 * Subclasses compute the values. A turn settles in three steps: `compute` for each changed input key; `collect` for values that depend on several input keys;
 * then the difference between `results` and the store becomes one change. The first fill is computed in slices and published as a whole.
 */
export abstract class ViewNode<T> extends LinkedView<T> implements Omit<View<T>, typeof collectionPort> {
  /** The new values by key; undefined for deletions. */
  protected readonly results: Map<string, T | undefined> = new Map<string, T | undefined>();
  /** Keys that cannot be computed before another input is complete. */
  protected readonly waiting: Set<string> = new Set<string>();
  /** Keys to collect: keys of values that several computations contribute to. */
  protected readonly touched: Set<string> = new Set<string>();
  /** Whether each object of the inputs is computed separately. */
  protected readonly byObject: boolean = true;
  /** Whether the first content has not been published yet. */
  protected filling = true;
  protected readonly freezes: boolean;
  private readonly equals: (before: T, after: T) => boolean;
  private readonly dirty = new Map<string, Cause | undefined>();
  /** Why objects of the inputs have left without having been deleted, by the keys that they are computed for; and so the values made of them. */
  private readonly left = new Map<string, LeaveReason>();
  private readonly leaving = new Map<string, LeaveReason>();
  /** The key that is being computed. */
  private current = '';
  private readonly slices: FillSlices;
  /** The first content being built. */
  private staged: StagedContent<T> | undefined;
  private subscriber: Subscriber<ResourceChange<T>> | undefined;
  /** Whether the session is about to fail: nothing more is emitted. */
  private doomed = false;
  private scheduled = false;
  private connecting = false;
  private slice: Subscription | undefined;

  constructor(kind: string, inputs: readonly Collection<never>[], options: ViewOptions<T>, owner?: object) {
    super(kind, inputs, options, owner);
    const { equals = isEqualJson, freeze = this.guardedName !== undefined, sliceSize = 5000 } = options;
    this.equals = this.guarded(equals);
    this.freezes = freeze;
    this.slices = new FillSlices(sliceSize);
  }

  /** The node with the type of its public interface. */
  asView(): View<T> {
    return this as unknown as View<T>;
  }

  override explain(key: string): ViewExplanation | undefined {
    if (this.subscriber === undefined) return undefined;
    const error = this.status.degraded.get(this.inputKeyOf(key)) ?? this.status.conflicts.get(key);
    const computation = this.computations.of(key) ?? (error && { cause: undefined, computedAt: 0, durationMs: 0 });
    if (computation === undefined) return undefined;
    return { key, inputs: this.madeOf(key), ...computation, ...(error !== undefined && { error }) };
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
      else
        for (const event of change.events) {
          this.noteLeft(event.key, event);
          this.mark(event.key, link, change);
        }
    }
    if (whole || this.isSynced() !== this.hasSynced()) this.schedule();
  }

  failed(error: unknown, _link?: InputLink<never>): void {
    const { subscriber } = this;
    this.doomed = true;
    this.turns.after(() => subscriber?.error(error));
  }

  completed(): void {
    const ended = [...this.links.values()].filter((link) => link.ended);
    const isOver = ended.length === this.links.size && !this.filling;
    if (isOver || ended.some(({ ready }) => !ready)) this.turns.after(() => void this.stop());
  }

  /** Computes the values for the objects with a key of an input. */
  protected abstract compute(key: string): void;
  /** Drops all state at the end of a session. */
  protected abstract reset(): void;
  /** The objects that a value was computed from. */
  protected abstract madeOf(key: string): readonly ViewInput[];

  /** Puts the values of `touched` keys into `results`. */
  protected collect(): void {
    // Clearing a Set allocates, even an empty one.
    if (this.touched.size === 0) return;
    for (const key of this.touched) this.results.set(key, this.collected(key));
    this.touched.clear();
  }

  /** The value of a touched key. */
  protected collected(_key: string): T | undefined {
    return undefined;
  }

  /** Notes whether the object that is computed for a key has left without having been deleted. */
  protected noteLeft(key: string, event: ObjectEvent<unknown>): void {
    note(this.left, key, event.type === 'deleted' ? event.reason : undefined);
  }

  /** Marks a key whose value a computation contributes to. */
  protected touch(key: string): void {
    this.touched.add(key);
    note(this.leaving, key, this.left.get(this.current));
    this.computations.made(key);
  }

  /** Records the value that a computation returned for a key. */
  protected made(key: string, value: T | undefined): void {
    this.computations.made(key);
    note(this.leaving, key, this.left.get(key));
    this.results.set(key, value);
  }

  /** Keeps what was last computed for an object, if need be in the last session. */
  protected stay(key: string): void {
    if (this.filling && !this.results.has(key)) this.made(key, lastValue as never);
  }

  /** The input key whose computation failed or succeeded for a value. */
  protected inputKeyOf(key: string): string {
    return key;
  }

  protected override membersOf(key: string): Iterable<string> {
    return [this.inputKeyOf(key)];
  }

  /** Connects the fixed inputs. The subscription ends with the session. */
  protected connectInputs(session: Subscription): void {
    for (const input of this.inputs) if (!session.closed) this.link(input);
  }

  /** Whether all fixed inputs have been complete. */
  protected isReady(): boolean {
    return this.awaited.size === 0;
  }

  protected session(): Observable<ResourceChange<T>> {
    return new Observable((subscriber) => {
      // A function that ended the last session has returned since.
      this.clear();
      this.subscriber = subscriber;
      this.slices.isLarge = false;
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

  /** Handles an error of a computation: the last value stays. */
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

  protected override schedule(): void {
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

  private isAlive(subscriber: Subscriber<ResourceChange<T>> | undefined): boolean {
    return this.subscriber === subscriber && !this.doomed;
  }

  private settle(): void {
    if (this.filling && !this.isReady()) return;
    const isOver = this.filling ? this.slices.begin(this.dirty.size, this.scheduler) : undefined;
    for (const [key, cause] of this.dirty) {
      if (isOver?.() === true) {
        this.continueLater();
        return;
      }
      if (!this.computeKey(key, cause)) return;
    }
    if (this.filling && this.waiting.size > 0) return;
    this.collect();
    if (!this.isAlive(this.subscriber)) return;
    if (isOver !== undefined) this.fill(isOver);
    else this.publish();
  }

  private computeKey(key: string, cause: Cause | undefined): boolean {
    const { subscriber, connections } = this;
    this.waiting.delete(key);
    this.computations.begin(cause, this.scheduler.now());
    this.current = key;
    this.compute(key);
    if (!this.isAlive(subscriber)) return false;
    if (connections < this.connections) {
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

  /** The value to store: the previous one if the new one is equal. */
  private kept(key: string, result: T | undefined): T | undefined {
    const isLast = (result as unknown) === lastValue;
    const value = (isLast ? (this.staged?.objects.get(key) ?? this.store.getByKey(key)) : result) ?? undefined;
    const { conflicts } = this.status;
    if (value === undefined) {
      this.computations.forget(key);
      this.needs?.forget(key);
      if (conflicts.size > 0 && conflicts.delete(key)) this.status.touch();
      return undefined;
    }
    if (isLast) return value;
    const before = this.store.getByKey(key);
    if (before === undefined || !this.isEqual(key, before, value)) {
      if (this.freezes && !canFreeze(value, (error) => this.fail(this.inputKeyOf(key), error))) {
        this.needs?.keep(key);
        return before;
      }
      this.adoptNeeds(key);
      return value;
    }
    this.computations.counted.unchanged += 1;
    // By the option `equals`, the previous value may have a content of its own.
    if (this.needs !== undefined && !isSame(before, value)) this.needs.keep(key);
    else this.adoptNeeds(key);
    return before;
  }

  private fill(isOver: () => boolean): void {
    const { subscriber } = this;
    const staged = (this.staged ??= this.writes.stage(true));
    for (const [key, value] of this.results) {
      if (isOver()) {
        this.continueLater();
        return;
      }
      const kept = this.kept(key, value);
      if (kept === undefined) staged.remove(key);
      else staged.put(key, kept);
      this.results.delete(key);
    }
    if (!this.isAlive(subscriber)) return;
    this.staged = undefined;
    const events = differenceOf(this.store, staged.objects);
    staged.publish('');
    for (const { type, key } of events) if (type === 'deleted') this.needs?.forget(key);
    this.emit(events);
  }

  private publish(): void {
    const { store, writes, results, subscriber } = this;
    const difference = new Transitions<T>({ initial: false, inferred: false });
    for (const [key, result] of results) {
      const before = store.getByKey(key);
      const value = this.kept(key, result);
      if (Object.is(value, before)) continue;
      if (value === undefined) writes.remove(key);
      else writes.put(key, value);
      difference.add(key, before, value, this.leaving.get(key));
    }
    const events = difference.events();
    if (!this.isAlive(subscriber)) {
      // `equals` or an index function has ended the session: nobody gets the change, so it is taken back.
      for (const event of [...events].reverse()) {
        if (event.type === 'added') writes.remove(event.key);
        else writes.put(event.key, event.type === 'updated' ? event.oldObject : event.object);
      }
      return;
    }
    results.clear();
    this.emit(events);
  }

  private emit(events: readonly ObjectEvent<T>[]): void {
    this.unlinkUnread();
    const [filling, synced, wasSynced] = [this.filling, this.isSynced(), this.hasSynced()];
    this.filling = false;
    this.left.clear();
    this.leaving.clear();
    this.announceNeeds(events);
    if (synced !== wasSynced) this.status.synced(synced);
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

  private close(): void {
    this.subscriber = undefined;
    this.scheduled = false;
    this.slice?.unsubscribe();
    this.slice = undefined;
    this.staged = undefined;
    this.status.end('idle');
    for (const link of [...this.links.values()]) this.unlink(link);
    this.level = this.lowestLevel;
    this.clear();
  }

  private clear(): void {
    for (const known of [this.dirty, this.left, this.leaving, this.waiting, this.results, this.touched, this.computations]) known.clear();
    this.reset();
    this.filling = true;
  }
}

function note(reasons: Map<string, LeaveReason>, key: string, reason: LeaveReason | undefined): void {
  if (reason !== undefined) reasons.set(key, reason);
  else if (reasons.size > 0) reasons.delete(key);
}

function isSame(before: unknown, after: unknown): boolean {
  try {
    return before === after || isEqualJson(before, after);
  } catch {
    // Nested deeper than the call stack.
    return false;
  }
}
