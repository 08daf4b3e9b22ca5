import type { InformerError } from '../api/errors/informerError.js';
import type { ChangeCause } from '../api/events/resourceChange.js';

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
