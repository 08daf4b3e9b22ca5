/** Options of `add`. */
export interface AddOptions {
  /**
   * Higher priorities are taken first. That of a queued item can be raised, not lowered.
   *
   * @defaultValue 0
   */
  readonly priority?: number | undefined;
}

/** Options of `get`. */
export interface TakeOptions {
  /** Aborts the wait: the promise rejects with the signal's reason, and no item is taken. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of `get`: an item to work on, with its priority; or `shutdown`, after which nothing follows. */
export type Taken<T> =
  | { readonly shutdown: false; readonly item: T; readonly priority: number }
  | { readonly shutdown: true; readonly item?: undefined; readonly priority?: undefined };

/** The content of a queue at one moment. */
export interface WorkQueueState<T> {
  /** All items that need work, including those being processed that were added again. */
  readonly dirty: readonly T[];
  /** The items being processed, oldest first. `since` is in milliseconds of the queue's clock. */
  readonly processing: readonly { readonly item: T; readonly since: number }[];
}

/**
 * A queue of keys that need work.
 *
 * An item that is queued already is not queued twice. An item added while it is being processed is queued again when `done` is called, so
 * no addition is lost and no item is processed twice at once. Items are compared by SameValueZero, as in a Map: use strings.
 *
 * The functions need no `this`: a queue may be spread, or a function of it passed on.
 *
 * @see client-go's `workqueue.TypedInterface`
 */
export interface WorkQueue<T> {
  /** Adds an item that needs work. Ignored while the queue is shutting down. */
  readonly add: (item: T, options?: AddOptions) => void;
  /** Takes the next item, if there is one now; undefined if there is none yet. `done` must follow. */
  readonly tryGet: () => Taken<T> | undefined;
  /** Takes the next item as soon as there is one; waiting calls are served in order. `done` must follow. */
  readonly get: (options?: TakeOptions) => Promise<Taken<T>>;
  /**
   * Ends the work on an item, successful or not.
   *
   * @throws Error when the item is not being worked on.
   */
  readonly done: (item: T) => void;
  /**
   * Calls back, synchronously, whenever `tryGet` may return something that no waiting `get` takes, including the end of the queue. The result
   * unregisters the callback.
   */
  readonly onReady: (callback: () => void) => () => void;
  /** The number of queued items, without those being processed. */
  readonly len: () => number;
  /** Accepts no further items. Queued items can still be taken, and items added again while being processed are queued once more. */
  readonly shutDown: () => void;
  /**
   * Shuts down, and resolves when no item is being processed or queued; at once when no item is being processed now, even if
   * items are queued. A later `shutDown` resolves it early.
   */
  readonly shutDownWithDrain: () => Promise<void>;
  /** Whether it was shut down. */
  readonly shuttingDown: () => boolean;
  /** The content of the queue, for debugging. */
  readonly state: () => WorkQueueState<T>;
}

/** The figures of a queue that change with time alone, at the time of reading. */
export interface QueueReadings {
  /** The number of queued items. */
  readonly depth: number;
  /** The number of items being processed. */
  readonly processing: number;
  /** The sum of the ages of all items being processed, in milliseconds. */
  readonly unfinishedWorkMs: number;
  /** The age of the oldest item being processed, in milliseconds; 0 when there is none. */
  readonly longestRunningMs: number;
  /** The item with that age. */
  readonly longestRunningItem: unknown;
}

/**
 * Gets the measurements of one queue; every method is optional. A method must not throw.
 *
 * `prometheusQueueMetrics` of `@rx-informer/controller/metrics` makes one for Prometheus.
 */
export interface QueueMetricsSink {
  /** The queue was created. `read` may be called at any time from now on; it uses no timer. */
  opened?(read: () => QueueReadings): void;
  /** The queue was shut down, and has drained if that was asked for: `read`, as given to `opened`, tells nothing more. */
  closed?(read: () => QueueReadings): void;
  /** The number of queued items is now `depth`. */
  depth?(depth: number): void;
  /** An item was accepted: it was not queued already. */
  adds?(): void;
  /** An item was taken, this long after it was first added. */
  latency?(latencyMs: number): void;
  /** The work on an item ended; it took this long. */
  workDuration?(durationMs: number): void;
  /** An item was added with a delay, or rate limited. */
  retries?(): void;
}
