import { onAbort } from '../api/onAbort.js';
import { checkOptions, expectArgument, type OptionRules, rules } from '../api/options.js';
import { describable, type Figures, registry, type Running } from '../api/running.js';
import { type Clock, systemClock } from '../api/clock.js';
import { PriorityOrder, type QueueOrder } from './queueOrder.js';
import type { AddOptions, QueueMetricsSink, QueueReadings, Taken, TakeOptions, WorkQueue, WorkQueueState } from './workQueue.js';

/** Options of `createWorkQueue`. */
export interface WorkQueueOptions<T> {
  /**
   * The order in which items are taken.
   *
   * @defaultValue by priority, then first in, first out; the oldest item after every 99 that passed it over
   */
  readonly order?: QueueOrder<T> | undefined;
  /** The queue's name in warnings and dumps. @defaultValue `queue` */
  readonly name?: string | undefined;
  /** Gets the measurements of the queue. */
  readonly metrics?: QueueMetricsSink | undefined;
  /** @defaultValue `systemClock` */
  readonly clock?: Clock | undefined;
}

/** The rules of the options of a queue. @internal */
export const workQueueRules: OptionRules<WorkQueueOptions<never>> = {
  name: rules.nonEmptyString,
  order: rules.withMethods('push', 'touch', 'pop', 'len'),
  metrics: rules.object,
  clock: rules.withMethods('now', 'schedule'),
};

/** The rules of the options of `add`. */
export const addRules: OptionRules<AddOptions> = { priority: rules.number() };
const takeRules: OptionRules<TakeOptions> = { signal: rules.signal };

interface Mark {
  priority: number;
  readonly addedAt: number;
}

interface Waiter<T> {
  readonly resolve: (taken: Taken<T>) => void;
  readonly forgetSignal: () => void;
}

/** The figures of a work queue. */
export interface QueueFigures extends Figures {
  readonly kind: 'queue';
  readonly waiting: number;
  readonly processing: readonly { readonly item: string; readonly forMs: number }[];
  /** The first queued items. */
  readonly next: readonly string[];
}

/** The figures name at most this many queued items. */
const namedItems = 100;

const collected = new FinalizationRegistry<() => void>((unregister) => unregister());

class MergingQueue<T> implements WorkQueue<T>, Running {
  readonly #dirty = new Map<T, Mark>();
  readonly #processing = new Map<T, number>();
  readonly #order: QueueOrder<T>;
  readonly #metrics: QueueMetricsSink;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter<T>>();
  readonly #readyCallbacks = new Set<() => void>();
  #ending = false;
  readonly #drainers: (() => void)[] = [];

  readonly #name: string;
  readonly #unregister: () => void;
  #read: (() => QueueReadings) | undefined = () => this.#readings();

  constructor({ order = new PriorityOrder<T>(), metrics = {}, clock = systemClock, name = 'queue' }: WorkQueueOptions<T>) {
    this.#name = name;
    this.#order = order;
    this.#metrics = metrics;
    this.#clock = clock;
    if (this.#read !== undefined) metrics.opened?.(this.#read);
    // Queues have no end of their own: an entry goes with its queue.
    this.#unregister = registry().register(new WeakRef<Running>(this));
    collected.register(this, this.#unregister);
  }

  // The state changes first, then waiting `get`s are served, then the sink is called: serving may call back into the queue.

  readonly add = (item: T, options?: AddOptions): void => {
    if (options !== undefined) checkOptions('add', options, addRules);
    const priority = options?.priority ?? 0;
    if (this.#ending) return;
    const busy = this.#processing.has(item);
    const mark = this.#dirty.get(item);
    if (mark !== undefined) {
      if (priority > mark.priority) mark.priority = priority;
      if (!busy) this.#order.touch(item, mark.priority);
      return;
    }
    this.#dirty.set(item, { priority, addedAt: this.#clock.now() });
    if (!busy) {
      this.#order.push(item, priority);
      this.#wake();
    }
    this.#metrics.adds?.();
    this.#metrics.depth?.(this.#order.len());
  };

  readonly tryGet = (): Taken<T> | undefined => {
    if (this.#order.len() === 0) return this.#ending ? { shutdown: true } : undefined;
    const item = this.#order.pop();
    const mark = this.#dirty.get(item);
    if (mark === undefined || this.#processing.has(item)) throw new Error('Expected `order.pop` to return a waiting item, got another');
    const now = this.#clock.now();
    this.#dirty.delete(item);
    this.#processing.set(item, now);
    this.#metrics.latency?.(now - mark.addedAt);
    this.#metrics.depth?.(this.#order.len());
    return { shutdown: false, item, priority: mark.priority };
  };

  readonly get = (options: TakeOptions = {}): Promise<Taken<T>> => {
    checkOptions('get', options, takeRules);
    const { signal } = options;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const now = this.tryGet();
      if (now !== undefined) {
        resolve(now);
        return;
      }
      const abort = (): void => {
        this.#waiters.delete(waiter);
        reject(signal?.reason as Error);
      };
      const waiter = { resolve, forgetSignal: signal === undefined ? () => undefined : onAbort(signal, abort) };
      this.#waiters.add(waiter);
    });
  };

  readonly done = (item: T): void => {
    const since = this.#processing.get(item);
    if (since === undefined) {
      throw new Error(
        `Expected done() for an item that was taken and is not done yet, got ${typeof item === 'string' ? JSON.stringify(item) : String(item)}`,
      );
    }
    this.#processing.delete(item);
    const mark = this.#dirty.get(item);
    if (mark !== undefined) {
      this.#order.push(item, mark.priority);
      this.#wake();
    }
    try {
      this.#metrics.workDuration?.(this.#clock.now() - since);
      if (mark !== undefined) this.#metrics.depth?.(this.#order.len());
    } finally {
      this.#endIfIdle();
    }
  };

  readonly onReady = (callback: () => void): (() => void) => {
    expectArgument('onReady', 'callback', callback, rules.function);
    // A wrapper, so that one callback can be registered twice.
    const registration = (): void => callback();
    this.#readyCallbacks.add(registration);
    return () => void this.#readyCallbacks.delete(registration);
  };

  figures(): QueueFigures {
    const at = this.#clock.now();
    const processing = [...this.#processing].map(([item, since]) => ({ item: String(item), forMs: at - since }));
    const next: string[] = [];
    for (const item of this.#dirty.keys()) if (next.length < namedItems && !this.#processing.has(item)) next.push(String(item));
    return { kind: 'queue', name: this.#name, at, waiting: this.#order.len(), processing, next };
  }

  readonly shutDown = (): void => {
    try {
      this.#end();
    } finally {
      this.#drained();
    }
  };

  readonly shutDownWithDrain = (): Promise<void> =>
    new Promise((resolve) => {
      if (this.#processing.size === 0) resolve();
      else this.#drainers.push(resolve);
      this.#end();
      this.#endIfIdle();
    });

  readonly len = (): number => this.#order.len();

  readonly shuttingDown = (): boolean => this.#ending;

  readonly state = (): WorkQueueState<T> => ({
    dirty: [...this.#dirty.keys()],
    processing: [...this.#processing].map(([item, since]) => ({ item, since })),
  });

  #readings(): QueueReadings {
    const now = this.#clock.now();
    let unfinishedWorkMs = 0;
    for (const since of this.#processing.values()) unfinishedWorkMs += now - since;
    // A Map keeps the order of insertion, here that of taking: the first is the oldest.
    const [oldest] = this.#processing;
    return {
      depth: this.#order.len(),
      processing: this.#processing.size,
      unfinishedWorkMs,
      longestRunningMs: oldest === undefined ? 0 : now - oldest[1],
      longestRunningItem: oldest?.[0],
    };
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      const taken = this.tryGet();
      if (taken === undefined) return;
      this.#waiters.delete(waiter);
      waiter.forgetSignal();
      waiter.resolve(taken);
    }
    for (const callback of this.#readyCallbacks) {
      if (this.#order.len() === 0 && !this.#ending) return;
      callback();
    }
  }

  #end(): void {
    this.#ending = true;
    this.#unregister();
    this.#wake();
  }

  #endIfIdle(): void {
    if (this.#processing.size === 0 && this.#order.len() === 0) this.#drained();
  }

  #drained(): void {
    for (const resolve of this.#drainers.splice(0)) resolve();
    if (!this.#ending || this.#read === undefined) return;
    this.#metrics.closed?.(this.#read);
    this.#read = undefined;
  }
}

/**
 * Makes a queue of keys that need work. Each key is processed by one worker at a time; repeated additions are merged, and none is lost.
 *
 * @example
 * ```ts
 * import { createWorkQueue } from 'rx-informer/workqueue';
 *
 * const queue = createWorkQueue<string>();
 * queue.add('default/web');
 * queue.add('default/web'); // queued already: nothing happens
 *
 * for (let taken = await queue.get(); !taken.shutdown; taken = await queue.get()) {
 *   try {
 *     console.log('working on', taken.item);
 *   } finally {
 *     queue.done(taken.item);
 *   }
 *   queue.shutDown();
 * }
 * ```
 *
 * @see client-go's `workqueue.NewTyped`
 */
export function createWorkQueue<T>(options: WorkQueueOptions<T> = {}): WorkQueue<T> {
  checkOptions('createWorkQueue', options, workQueueRules);
  const queue = new MergingQueue<T>(options);
  return describable<WorkQueue<T>>(queue, queue);
}
