/** How an item is added. */
export interface AddOptions {
  /**
   * Higher goes first. An item that waits already is raised, never lowered.
   *
   * @defaultValue 0
   */
  readonly priority?: number | undefined;
}

/** How long to wait for an item. */
export interface TakeOptions {
  /** Ends the wait: the promise rejects with the signal's reason, and no item is taken. */
  readonly signal?: AbortSignal | undefined;
}

/** What `get` brings: an item to work on, with the priority it had; or `shutdown`, and then nothing will ever come again. */
export type Taken<T> =
  | { readonly shutdown: false; readonly item: T; readonly priority: number }
  | { readonly shutdown: true; readonly item?: undefined; readonly priority?: undefined };

/** What is in a queue at one moment. */
export interface WorkQueueState<T> {
  /** Everything that needs work, also what is being worked on and was added again meanwhile. */
  readonly dirty: readonly T[];
  /** What has been taken and is not done yet, oldest first. `since` is in milliseconds of the queue's clock. */
  readonly processing: readonly { readonly item: T; readonly since: number }[];
}

/**
 * A queue of keys that need work.
 *
 * An item that waits already is not queued twice. An item that is added while it is worked on is queued again when that work is done, so
 * nothing is lost and no item is worked on twice at once. Items are the same by SameValueZero, as in a Map: use strings.
 *
 * The functions need no `this`: a queue may be spread, or a function of it passed on.
 *
 * @see client-go's `workqueue.TypedInterface`
 */
export interface WorkQueue<T> {
  /** Marks an item as in need of work. Ignored once the queue is shutting down. */
  readonly add: (item: T, options?: AddOptions) => void;
  /** Takes the next item, if there is one now; undefined if there is none yet. `done` must follow. */
  readonly tryGet: () => Taken<T> | undefined;
  /** Takes the next item as soon as there is one; those who wait are served in turn. `done` must follow. */
  readonly get: (options?: TakeOptions) => Promise<Taken<T>>;
  /**
   * Ends the work on an item, successful or not.
   *
   * @throws Error when the item is not being worked on.
   */
  readonly done: (item: T) => void;
  /**
   * Calls back, synchronously, whenever `tryGet` may have something that no `get` was waiting for, the end of the queue included. The result
   * ends it.
   */
  readonly onReady: (callback: () => void) => () => void;
  /** How many items wait to be taken; not those that are being worked on. */
  readonly len: () => number;
  /** Accepts nothing more. What waits can still be taken, and what was added again while it was worked on comes back once. */
  readonly shutDown: () => void;
  /**
   * Shuts down, and resolves when nothing is being worked on and nothing waits any more; at once when nothing is being worked on now, even if
   * items wait. A later `shutDown` resolves it early.
   */
  readonly shutDownWithDrain: () => Promise<void>;
  /** Whether it was shut down. */
  readonly shuttingDown: () => boolean;
  /** What the queue holds, for debugging. */
  readonly state: () => WorkQueueState<T>;
}

/** The figures of a queue that change while nothing happens, as they are at the moment of reading. */
export interface QueueReadings {
  /** How many items wait to be taken. */
  readonly depth: number;
  /** How many items are being worked on. */
  readonly processing: number;
  /** The ages of all work under way, added up, in milliseconds. */
  readonly unfinishedWorkMs: number;
  /** The age of the oldest work under way, in milliseconds; 0 when there is none. */
  readonly longestRunningMs: number;
  /** The item of that work. */
  readonly longestRunningItem: unknown;
}

/**
 * Where one queue reports what happens in it; every hook may be absent. A hook must not throw.
 *
 * `rx-informer/metrics` has sinks that show the figures as an Observable and to Prometheus.
 */
export interface QueueMetricsSink {
  /** The queue was made. `read` may be called at any time from now on; no timer runs on its behalf. */
  opened?(read: () => QueueReadings): void;
  /** The number of waiting items is now `depth`. */
  depth?(depth: number): void;
  /** An item was accepted: it was neither waiting nor marked to be done again. */
  adds?(): void;
  /** An item was taken; how long after it was first added. */
  latency?(latencyMs: number): void;
  /** The work on an item ended; how long it took. */
  workDuration?(durationMs: number): void;
  /** An item was added for later, or rate limited. */
  retries?(): void;
}
