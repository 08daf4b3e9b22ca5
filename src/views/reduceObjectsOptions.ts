import type { ViewOptions } from './viewOptions.js';

/**
 * Options of `reduceObjects`.
 */
export interface ReduceObjectsOptions<T, R> extends ViewOptions<R> {
  /** The total of nothing. */
  readonly initial: R;
  /** The total with one object more. It must return a new total, and not change the one it is given. */
  readonly add: (total: R, object: T) => R;
  /** The total without an object that was added, as it was then. Without it, the total is added up again from the others. */
  readonly remove?: ((total: R, object: T) => R) | undefined;
  /** The group of an object, or all its groups; `undefined` for none. Without it, there is one total, under the key `total`. */
  readonly groupBy?: ((object: T) => string | readonly string[] | undefined) | undefined;
}
