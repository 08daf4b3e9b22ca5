import { rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Reduction } from './kernel/nodes/reduction.js';
import type { View, ViewOptions } from './view.js';

/**
 * How `reduceObjects` makes totals.
 */
export interface TotalFunctions<T, R> {
  /** The total with one object more. It must return a new total, and not change the one it is given. */
  readonly add: (total: R, object: T) => R;
  /** The total without an object that was added, as it was then. Without it, the total is added up again from the others. */
  readonly remove?: ((total: R, object: T) => R) | undefined;
  /** The group of an object, or all its groups; `undefined` for none. Without it, there is one total, under the key `total`. */
  readonly groupBy?: ((object: T) => string | readonly string[] | null | undefined) | undefined;
}

/**
 * Options of `reduceObjects`.
 */
export interface ReduceObjectsOptions<T, R> extends ViewOptions<R>, TotalFunctions<T, R> {
  /** The total of nothing. */
  readonly initial: R;
}

/**
 * Makes a view of running totals: one of all objects, or one of each group. An object that comes, changes or goes costs one addition, one removal, or both.
 *
 * ```text
 * pods     {+a(1) +b(2)}        {~b(5)}        {-a}
 * result   {+total: 3}          {~total: 6}    {~total: 5}
 * ```
 *
 * An empty array as `initial` says nothing about what comes into it: the types of its elements are those of the first parameter of `add`, or `unknown`. With one
 * inside an object (`initial: { names: [] }`) that parameter has to have a type: `add: (total: Names, pod) => ...`.
 * The total of a group without objects is deleted; the one of everything is always there. When a function throws for an object, the totals stay as they
 * were, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
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
