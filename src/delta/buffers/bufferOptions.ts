import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';

/**
 * What becomes of events that come while their consumer is busy.
 *
 * - `unbounded`: they wait, all of them.
 * - `conflate`: they wait, one per object: later ones are merged into it. Never more than the cache has objects.
 * - `catchUp`: they wait; when there are more than `capacity`, all that wait are dropped, and the consumer gets the difference
 *   between what it knows and the cache (`inferred: true`), then `synced`.
 * - `error`: they wait; one more than `capacity` ends the consumer with `ERR_OVERFLOW`.
 */
export type BufferPolicy = 'unbounded' | 'conflate' | 'catchUp' | 'error';

/** How a consumer is buffered. */
export interface BufferOptions {
  /** Default `'unbounded'`, as in client-go. */
  readonly buffer?: BufferPolicy | undefined;
  /**
   * How many events may wait with `catchUp` and `error`; those of the first snapshot do not count. Where there is a `sliceMs`, a change
   * of more than 1,000 events waits as a whole, so a list after an outage needs a capacity of as many. Default 1,024.
   */
  readonly capacity?: number | undefined;
}

/** The rules of the options of a buffer. @internal */
export const bufferRules: OptionRules<BufferOptions> = {
  buffer: rules.oneOf('unbounded', 'conflate', 'catchUp', 'error'),
  capacity: rules.number({ integer: true, min: 1 }),
};
