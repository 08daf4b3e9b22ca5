import type { Observable } from 'rxjs';
import { rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Ranking } from './kernel/nodes/ranking.js';
import type { View, ViewOptions } from './view.js';

/**
 * Options of `topObjects`.
 */
export interface TopObjectsOptions<T> extends ViewOptions<T> {
  /** The most objects in the view. @defaultValue 50 */
  readonly limit?: number | undefined;
}

/**
 * A view whose objects have an order.
 */
export interface OrderedView<T> extends View<T> {
  /** The objects in their order, after each change. */
  readonly ordered$: Observable<readonly T[]>;
  /** The objects in their order; empty while the view has no subscribers. */
  ordered(): readonly T[];
}

/**
 * Makes a view of the first objects of a collection, by an order: the rows of a table.
 *
 * ```text
 * pods              {+a(3) +b(1) +c(2)}      {~a(0)}             {-b}
 * limit: 2          {+b +c}                  {-c +a}             {-b +c}
 * ```
 *
 * Equal objects are ordered by key. Like every collection, the view is keyed; `ordered$` and `ordered()` return its objects in their order.
 * When `compare` throws for an object, its position stays, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { topObjects } from 'rx-informer/views';
 *
 * const events = createInformer(createClient(), resources.core.v1.events);
 * const newest = topObjects(events, (a, b) => (b.lastTimestamp ?? '').localeCompare(a.lastTimestamp ?? ''), { limit: 20 });
 * newest.ordered$.subscribe((rows) => console.log(rows.map(({ reason }) => reason)));
 * ```
 *
 * @param compare - negative if `a` precedes `b`. Must depend on the two objects alone.
 * @throws TypeError when an argument is wrong.
 */
export function topObjects<T>(
  collection: Collection<T>,
  compare: (a: T, b: T) => number,
  options: TopObjectsOptions<T> = {},
): OrderedView<T> {
  expectCollection('topObjects', collection);
  expectFunction('topObjects', 'a function that compares two objects', compare);
  checkViewOptions('topObjects', options, { limit: rules.number({ min: 1, integer: true, infinite: true }) });
  const { limit = 50, ...others } = options;
  return new Ranking(collection, compare, limit, others) as unknown as OrderedView<T>;
}
