import { rules } from '../api/options/rules.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Ranking } from './kernel/nodes/ranking.js';
import type { View } from './view.js';
import type { ViewOptions } from './viewOptions.js';

/**
 * Options of `topObjects`.
 */
export interface TopObjectsOptions<T> extends ViewOptions<T> {
  /** How many objects the view has at most. Default 50. */
  readonly limit?: number | undefined;
}

/**
 * Makes a view of the first objects of a collection, by an order: the rows of a table.
 *
 * ```text
 * pods              {+a(3) +b(1) +c(2)}      {~a(0)}             {-b}
 * limit: 2          {+b +c}                  {-c +a}             {-b +c}
 * ```
 *
 * Of equal objects the one with the lower key comes first. The view is keyed, as every collection is: sort its few objects by the same order to show them.
 * When `compare` throws for an object, its place stays as it was, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { topObjects } from 'rx-informer/views';
 *
 * const events = createInformer(createClient(), resources.core.v1.events);
 * const newest = topObjects(events, (a, b) => (b.lastTimestamp ?? '').localeCompare(a.lastTimestamp ?? ''), { limit: 20 });
 * newest.index$.subscribe((index) => console.log([...index.keys()]));
 * ```
 *
 * @param compare - negative if `a` comes before `b`. It must depend on the two objects alone.
 * @throws TypeError when an argument is wrong.
 */
export function topObjects<T>(collection: Collection<T>, compare: (a: T, b: T) => number, options: TopObjectsOptions<T> = {}): View<T> {
  expectCollection('topObjects', collection);
  expectFunction('topObjects', 'a function that compares two objects', compare);
  checkViewOptions('topObjects', options, { limit: rules.number({ min: 1, integer: true, infinite: true }) });
  const { limit = 50, ...others } = options;
  return new Ranking(collection, compare, limit, others).asView();
}
