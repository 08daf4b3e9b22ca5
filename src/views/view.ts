import type { Collection } from '../informer/collection.js';
import type { ViewCounters } from './viewCounters.js';
import type { ViewExplanation } from './viewExplanation.js';

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
  /** What the view has done since it was made. */
  counters(): ViewCounters;
}
