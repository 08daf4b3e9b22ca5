import type { InformerError } from '../api/errors/informerError.js';
import type { ChangeCause } from '../api/events.js';
import type { Indexers } from '../cache/store/indexer.js';
import type { Collection } from '../informer/collection.js';

/**
 * What a view has done since it was made.
 */
export interface ViewCounters {
  /** How many values have been computed. */
  readonly computed: number;
  /** How many of them were equal to the value before, so that nothing was emitted. */
  readonly unchanged: number;
  /** How many computations have failed. */
  readonly failed: number;
  /** The milliseconds that all computations took. */
  readonly durationMs: number;
  /** How many changes have been emitted. */
  readonly changes: number;
}

/**
 * What a value was made from, of one collection.
 */
export interface ViewInput {
  readonly collection: string;
  /** What was read, for example `namespace shop labels app=web`. */
  readonly read: string;
  /** The keys of the objects that it found. */
  readonly keys: readonly string[];
}

/**
 * Why the value of a view is what it is.
 */
export interface ViewExplanation {
  readonly key: string;
  readonly inputs: readonly ViewInput[];
  /** The change that led to the last computation. */
  readonly cause: { readonly collection: string; readonly cause: ChangeCause; readonly keys: readonly string[] } | undefined;
  /** When it was computed, in milliseconds of the scheduler. */
  readonly computedAt: number;
  /** How long that took. */
  readonly durationMs: number;
  /** The failure of the last computation; the value is then that of the last one that succeeded. */
  readonly error?: InformerError | undefined;
}

/**
 * A collection that is computed from others, and kept up with them.
 *
 * It works while it has a subscriber, or after `start` or `whenSynced`; otherwise it costs nothing, and its reads show what it held last. Its content appears
 * when all of its inputs are complete. One change of an input is at most one change of the view, after which all views and inputs agree.
 */
export interface View<T> extends Collection<T> {
  /** Keeps the view up until `stop`. */
  start(): void;
  /** Ends it for good: its streams complete. */
  stop(): Promise<void>;
  /** Which objects the value under a key was made from, which change made it, and how long that took; undefined when there is no such value. */
  explain(key: string): ViewExplanation | undefined;
  /** Adds indexes, also to what is there already. */
  addIndexers(indexers: Indexers<T>): void;
  /** What the view has done since it was made. */
  counters(): ViewCounters;
}
