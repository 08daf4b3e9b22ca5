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
