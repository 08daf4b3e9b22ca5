import { isObservable, type Observable } from 'rxjs';
import { rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollections } from './kernel/checks.js';
import { Merging } from './kernel/nodes/merging.js';
import type { View, ViewOptions } from './view.js';

/**
 * Options of `mergeViews`.
 */
export interface MergeViewsOptions<T> extends ViewOptions<T> {
  /** Resolves objects with the same key, passed in the order of the collections; `undefined` for none of them. @defaultValue the first one */
  readonly resolve?: ((objects: readonly [T, T, ...T[]], key: string) => T | null | undefined) | undefined;
}

/**
 * The type of a collection's objects.
 */
export type ObjectIn<C> = C extends Collection<infer T> ? T : never;

/**
 * Makes a view of the union of several collections. Objects with the same key become one.
 *
 * ```text
 * first    {+a}                              {-a}
 * second              {+a' +b}
 * result              {+a +b}                {~a'}
 * ```
 *
 * An object that is removed from one collection, but exists in another, is updated, not deleted.
 *
 * For collections that are added and removed, pass an Observable of lists; each list replaces the one before.
 *
 * ```text
 * lists     [first]        [first second]       [second]
 * result    {+a +b}        {+c}                 {-a -b}
 * ```
 *
 * - An added collection is connected at once. Its objects appear when it is complete; until then `synced` is false, and everything else stays.
 * - When a collection is removed, its objects are deleted in one change. A stopped collection keeps its last content until it is removed.
 * - Nothing is emitted before everything in the first list is complete. When the Observable fails, the view fails; when it completes, the view continues.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { mergeViews } from 'rx-informer/views';
 * import { BehaviorSubject } from 'rxjs';
 *
 * const client = createClient();
 * const mine = createInformer(client, resources.core.v1.configmaps, { namespace: 'mine' });
 * const defaults = createInformer(client, resources.core.v1.configmaps, { namespace: 'defaults' });
 * const settings = mergeViews([mine, defaults]);
 *
 * const lists = new BehaviorSubject([mine]);
 * const changing = mergeViews(lists);
 * changing.change$.subscribe(({ events }) => console.log(events.length));
 * lists.next([mine, defaults]);
 * ```
 *
 * @throws TypeError when an argument is wrong. Streams fail with a TypeError when a list is wrong.
 *
 * @see istio krt: `JoinCollection`, `JoinWithMergeCollection` and `NestedJoinCollection`
 */
export function mergeViews<T, C extends Collection<T> = Collection<T>>(
  collections: readonly C[] | Observable<readonly C[]>,
  options: MergeViewsOptions<ObjectIn<C>> = {},
): View<ObjectIn<C>> {
  type O = ObjectIn<C>;
  const given = collections as readonly Collection<O>[] | Observable<readonly Collection<O>[]>;
  if (!isObservable(given)) {
    expectCollections('mergeViews', given);
    if (given.length === 0) throw new TypeError('Expected `mergeViews` to be given at least one informer or view');
  }
  checkViewOptions('mergeViews', options, { resolve: rules.function });
  const { resolve = ([first]: readonly [O, O, ...O[]]): O => first, ...others } = options;
  return new Merging<O>(isObservable(given) ? given : [...new Set(given)], resolve, others).asView();
}
