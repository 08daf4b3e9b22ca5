import type { Collection, ResourceChange } from 'rx-informer';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { keep, type Read, type View, type ViewInput, type ViewOptions } from './view.js';
import { dateOf, type Trampoline } from 'rx-informer/internal';
import type { InputLink } from './kernel/reads/inputLink.js';
import type { Dependency } from './kernel/reads/linkReads.js';
import { exchangeDependencies, type Run, TrackedReads } from './kernel/reads/trackedReads.js';
import { untyped } from './kernel/viewPort.js';
import { noChange } from './kernel/computations.js';
import { ViewNode } from './kernel/viewNode.js';
import type { SchedulerLike, Subscription } from 'rxjs';

/** Rejects promises at compile time: a view is computed synchronously. */
export type Synchronous<T> =
  T extends PromiseLike<unknown> ? 'A view cannot wait: do slow work behind it, with reconcile or process' : unknown;

/**
 * Makes a view with one value for each object of a collection, under the key of the object.
 *
 * ```text
 * services   {+web}                            {~web}
 * pods       {+a(app=web) +b(app=web)}   {-b}
 * result     {+web: a b}                 {~web: a}{~web': a}
 * ```
 *
 * - `work` computes the value from the object and from what it reads of other collections with `read`; `undefined` or `null` means no value, `keep` the previous one. It is called again
 *   when the object or anything it has read has changed, at most once per change. It must be pure and synchronous.
 * - Nothing is emitted before all inputs are complete, or when a value equals the previous one.
 * - When `work` throws, the last good value stays; the error (`ERR_VIEW`) is emitted on `error$`, and the key is in `health().degraded` until `work` succeeds.
 * - Outside of production, reading a lister or an indexer inside `work` throws: only `read` is tracked.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, isReady, resources } from 'rx-informer';
 * import { derive, none } from '@rx-informer/views';
 *
 * const client = createClient();
 * const services = createInformer(client, resources.core.v1.services);
 * const pods = createInformer(client, resources.core.v1.pods);
 * const backends = derive(services, (service, read) => ({
 *   service,
 *   pods: read(pods, { namespace: service.metadata?.namespace, labelSelector: service.spec?.selector ?? none }).filter(isReady),
 * }));
 * backends.change$.subscribe(({ events }) => console.log(events));
 * ```
 *
 * @throws TypeError when an argument is wrong, or `work` is asynchronous. The observables fail with a TypeError when the view depends on itself.
 *
 * @see istio krt: `NewCollection` and `Fetch`
 */
export function derive<I, T>(
  collection: Collection<I>,
  work: (object: I, read: Read) => (T & Synchronous<T>) | typeof keep | null | undefined,
  options: ViewOptions<T> = {},
): View<T> {
  expectCollection('derive', collection);
  expectFunction('derive', 'a function', work);
  checkViewOptions('derive', options);
  return new Derivation<I, T, T>('derive', collection, work, options).asView();
}

const noDependencies: readonly Dependency[] = [];

/**
 * A view that calls a function for each object of its input, again whenever anything the function has read has changed: at most one value per
 * object, under the key of the object.
 *
 * `R` is the result of the function, and `T` a value of the view.
 */
export class Derivation<I, R, T> extends ViewNode<T> {
  protected readonly input: Collection<I>;
  private readonly work: (object: I, read: Read) => R | typeof keep | null | undefined;
  private readonly reads: TrackedReads;
  private readonly times: TimeReads;
  /** What each value was computed from, by the keys of the input. */
  private readonly dependencies = new Map<string, readonly Dependency[]>();

  constructor(
    kind: string,
    input: Collection<I>,
    work: (object: I, read: Read) => R | typeof keep | null | undefined,
    options: ViewOptions<T>,
  ) {
    super(kind, [untyped(input)], options);
    this.input = input;
    this.work = this.guarded(work);
    const { name, guardedName, scheduler } = this;
    this.times = new TimeReads(scheduler, this.turns, (key, change) =>
      this.mark(key, this.links.get(untyped(input)) as InputLink<never>, change),
    );
    this.reads = new TrackedReads({
      name,
      guardedName,
      link: (collection) => this.connect(collection),
      now: (stepMs) => this.times.now(stepMs, dateOf(scheduler)),
    });
  }

  /** Takes the function's result for an object; undefined if the object is gone. */
  protected take(key: string, returned: R | undefined): void {
    this.made(key, returned as unknown as T | undefined);
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.dependencies.get(key);
    this.times.begin(key);
    if (object === undefined) {
      if (before !== undefined) this.exchange(key, before, noDependencies);
      this.dependencies.delete(key);
      this.needs?.unuse(key);
      this.succeed(key);
      this.take(key, undefined);
      return;
    }
    const { connections } = this;
    const run = this.reads.run(before, this.work, object);
    if (run.dependencies !== before) {
      this.dependencies.set(key, run.dependencies);
      this.exchange(key, before ?? noDependencies, run.dependencies);
    }
    if (connections === this.connections) this.accept(key, run);
  }

  protected madeOf(key: string): readonly ViewInput[] {
    const inputKey = this.inputKeyOf(key);
    const dependencies = this.dependencies.get(inputKey) ?? noDependencies;
    return [
      { collection: this.input.name, read: `key ${inputKey}`, keys: [inputKey] },
      ...dependencies.map((dependency) => ({ collection: dependency.collection, read: dependency.read, keys: dependency.keys() })),
    ];
  }

  protected reset(): void {
    this.dependencies.clear();
    this.times.clear();
  }

  private exchange(key: string, before: readonly Dependency[], after: readonly Dependency[]): void {
    exchangeDependencies(key, before, after);
    this.exchanged = true;
  }

  private accept(key: string, { value, error, failed, pending }: Run<R | typeof keep | null | undefined>): void {
    if (pending) this.waiting.add(key);
    else if (failed || value === keep) {
      if (failed) this.fail(key, error);
      else this.succeed(key);
      this.stay(key);
    } else {
      this.succeed(key);
      this.use(key, (needs) => {
        needs.key(untyped(this.input), key);
        for (const dependency of this.dependencies.get(key) ?? noDependencies) dependency.addNeeds(needs);
      });
      this.take(key, value ?? undefined);
    }
  }

  private connect(collection: Collection<never>): InputLink<never> {
    try {
      return this.link(collection);
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }
}

/**
 * The values of a view that depend on the time, and when each is to be computed again: one timer for the next of them.
 */
class TimeReads {
  private readonly scheduler: SchedulerLike;
  private readonly turns: Trampoline;
  private readonly mark: (key: string, change: ResourceChange<unknown>) => void;
  /** When to compute each key again, in milliseconds of the scheduler. */
  private readonly dueAt = new Map<string, number>();
  private current = '';
  private timer: { readonly at: number; readonly subscription: Subscription } | undefined;

  constructor(scheduler: SchedulerLike, turns: Trampoline, mark: (key: string, change: ResourceChange<unknown>) => void) {
    this.scheduler = scheduler;
    this.turns = turns;
    this.mark = mark;
  }

  /** Sets the key that is being computed. */
  begin(key: string): void {
    this.current = key;
    if (this.dueAt.size > 0) this.dueAt.delete(key);
  }

  /** The time, rounded down to a step. */
  now(stepMs: number, date: number): number {
    if (typeof stepMs !== 'number' || !(stepMs > 0) || stepMs === Infinity)
      throw new TypeError(`Expected \`stepMs\` of \`read.now\` to be a number above 0, got ${String(stepMs)}`);
    const step = Math.floor(date / stepMs) * stepMs;
    const due = this.scheduler.now() + step + stepMs - date;
    this.dueAt.set(this.current, Math.min(due, this.dueAt.get(this.current) ?? Infinity));
    this.wake(due);
    return step;
  }

  clear(): void {
    this.dueAt.clear();
    this.timer?.subscription.unsubscribe();
    this.timer = undefined;
  }

  /** Sets the timer to this time, or earlier. */
  private wake(at: number): void {
    if (this.timer !== undefined && this.timer.at <= at) return;
    this.timer?.subscription.unsubscribe();
    const delayMs = Math.max(0, at - this.scheduler.now());
    const onTimer = (): void => {
      this.timer = undefined;
      this.markDue();
    };
    this.timer = { at, subscription: this.scheduler.schedule(onTimer, delayMs) };
  }

  private markDue(): void {
    const now = this.scheduler.now();
    this.turns.run(() => {
      for (const [key, due] of this.dueAt) {
        if (due > now) continue;
        this.dueAt.delete(key);
        this.mark(key, noChange);
      }
    });
    let next = Infinity;
    for (const due of this.dueAt.values()) next = Math.min(next, due);
    if (next < Infinity) this.wake(next);
  }
}
