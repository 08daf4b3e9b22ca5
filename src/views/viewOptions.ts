import type { SchedulerLike } from 'rxjs';
import type { Indexers } from '../cache/store/indexer.js';
import type { Logger } from '../informer/session/errorReporter.js';

/**
 * Options of every view.
 */
export interface ViewOptions<T> {
  /** What the view is called in messages. Default: what it is made by, and its inputs. */
  readonly name?: string | undefined;
  /** Whether a newly computed value is as good as the one before it; then nothing is emitted. Default: structural equality, of plain objects and arrays. */
  readonly equals?: ((before: T, after: T) => boolean) | undefined;
  /** The labels of a value, for selectors of `read` and of the lister. Default: those in its metadata, if it has any. */
  readonly labels?: ((value: T) => Readonly<Record<string, string>> | undefined) | undefined;
  /** Index functions by name. */
  readonly indexers?: Indexers<T> | undefined;
  /**
   * How many keys are computed at a stretch while the view is filled; then others get a turn of the event loop. The content appears as a whole all the same.
   * Default 5,000; `Infinity` for all at once.
   */
  readonly sliceSize?: number | undefined;
  /** How long the view goes on after its last subscriber has left, in milliseconds. Default 0. */
  readonly idleGraceMs?: number | undefined;
  /** Freezes values whole, so that a mutation throws where it happens. Default: `true` outside of production. */
  readonly freeze?: boolean | undefined;
  /** Gets every failure and warning. Default: the console gets failures that are not observed, once per code and minute. */
  readonly logger?: Logger | undefined;
  /** The clock and all timers. Default: a monotonic clock. */
  readonly scheduler?: SchedulerLike | undefined;
}
