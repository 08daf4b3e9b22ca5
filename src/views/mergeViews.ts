import { describeValue } from '../api/options/describeValue.js';
import { rules } from '../api/options/rules.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions } from './kernel/checkViewOptions.js';
import { expectCollection } from './kernel/expectCollection.js';
import { Merging } from './kernel/merging.js';
import type { View } from './view.js';
import type { ViewOptions } from './viewOptions.js';

/**
 * Options of `mergeViews`.
 */
export interface MergeViewsOptions<T> extends ViewOptions<T> {
  /** Decides about objects with the same key, which come in the order of the collections; `undefined` for none of them. Default: the first one. */
  readonly resolve?: ((objects: readonly [T, T, ...T[]], key: string) => T | undefined) | undefined;
}

/**
 * Makes a view of everything in several collections. Objects with the same key become one.
 *
 * ```text
 * first    {+a}                              {-a}
 * second              {+a' +b}
 * result              {+a +b}                {~a'}
 * ```
 *
 * An object that goes from one collection, and is in another, is updated and not deleted.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { mergeViews } from 'rx-informer/views';
 *
 * const client = createClient();
 * const mine = createInformer(client, resources.core.v1.configmaps, { namespace: 'mine' });
 * const defaults = createInformer(client, resources.core.v1.configmaps, { namespace: 'defaults' });
 * const settings = mergeViews([mine, defaults]);
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see istio krt: `JoinCollection` and `JoinWithMergeCollection`
 */
export function mergeViews<T>(collections: readonly Collection<T>[], options: MergeViewsOptions<T> = {}): View<T> {
  if (!(Array.isArray as (value: unknown) => boolean)(collections)) {
    throw new TypeError(`Expected \`mergeViews\` to be given a list of informers and views, got ${describeValue(collections)}`);
  }
  for (const collection of collections) expectCollection('mergeViews', collection);
  checkViewOptions('mergeViews', options, { resolve: rules.function });
  const { resolve = ([first]: readonly [T, T, ...T[]]): T => first, ...others } = options;
  return new Merging([...new Set(collections)], resolve, others).asView();
}
