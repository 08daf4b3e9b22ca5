import { rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Reduction } from './kernel/nodes/reduction.js';
import type { View, ViewOptions } from './view.js';

/**
 * The functions of `reduceObjects`.
 */
export interface TotalFunctions<T, R> {
  /** Adds an object to a total. Must return a new total, and not change the given one. */
  readonly add: (total: R, object: T) => R;
  /** Removes an object, as it was when it was added, from a total. Without it, the total is computed again from the remaining objects. */
  readonly remove?: ((total: R, object: T) => R) | undefined;
  /** The name of an object's group, or of all its groups; `undefined` for none. Without it, there is one total, under the key `total`. */
  readonly groupBy?: ((object: T) => string | readonly string[] | null | undefined) | undefined;
}

/**
 * Options of `reduceObjects`.
 */
export interface ReduceObjectsOptions<T, R> extends ViewOptions<R>, TotalFunctions<T, R> {
  /** The total without objects. */
  readonly initial: R;
}

/**
 * Makes a view of running totals: of all objects, or of each group. A change of an object costs one call of `add`, of `remove`, or of both.
 *
 * ```text
 * pods     {+a(1) +b(2)}        {~b(5)}        {-a}
 * result   {+total: 3}          {~total: 6}    {~total: 5}
 * ```
 *
 * If `initial` is an empty array, the type of its elements comes from the first parameter of `add`, else it is `unknown`. If it contains an
 * empty array (`initial: { names: [] }`), that parameter must have a type: `add: (total: Names, pod) => ...`.
 * The total of an empty group is deleted; the total of all objects always exists. When a function throws for an object, the totals stay
 * unchanged, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reduceObjects } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const podsPerPhase = reduceObjects(pods, {
 *   initial: 0,
 *   add: (count) => count + 1,
 *   remove: (count) => count - 1,
 *   groupBy: ({ status }) => status?.phase,
 * });
 * podsPerPhase.index$.subscribe((counts) => console.log(Object.fromEntries(counts)));
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see istio krt: `NewSingleton`
 */
export function reduceObjects<T, E>(
  collection: Collection<T>,
  options: TotalFunctions<T, readonly E[]> & ViewOptions<readonly E[]> & { readonly initial: readonly [] },
): View<readonly E[]>;
export function reduceObjects<T, R>(collection: Collection<T>, options: ReduceObjectsOptions<T, R>): View<R>;
export function reduceObjects<T, R>(collection: Collection<T>, options: ReduceObjectsOptions<T, R>): View<R> {
  expectCollection('reduceObjects', collection);
  checkViewOptions('reduceObjects', options, { initial: rules.any, add: rules.function, remove: rules.function, groupBy: rules.function });
  expectFunction('reduceObjects', 'a function `add`', options.add);
  if (options.initial === undefined || options.initial === null) throw new TypeError('Expected `initial` of `reduceObjects` to be a value');
  return new Reduction(collection, options).asView();
}
