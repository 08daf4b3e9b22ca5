import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Grouping, type ObjectGroup } from './kernel/nodes/grouping.js';
import type { View, ViewOptions } from './view.js';

/**
 * Makes a view of the groups of a collection's objects, each under its name.
 *
 * ```text
 * pods     {+a(n1) +b(n1) +c(n2)}        {~c(n1)}               {-b}
 * result   {+n1: a b  +n2: c}            {-n2 ~n1: a b c}       {~n1: a c}
 * ```
 *
 * `groupsOf` returns the name of an object's group, or of all its groups; `undefined` for none. An empty group is deleted. When `groupsOf` throws for an object, its
 * groups keep its last version, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, groupObjects } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const podsByNode = groupObjects(pods, ({ spec }) => spec?.nodeName);
 * const counts = derive(podsByNode, ({ key, objects }) => ({ node: key, pods: objects.length }));
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see istio krt: `Index.AsCollection`
 */
export function groupObjects<T>(
  collection: Collection<T>,
  groupsOf: (object: T) => string | readonly string[] | null | undefined,
  options: ViewOptions<ObjectGroup<T>> = {},
): View<ObjectGroup<T>> {
  expectCollection('groupObjects', collection);
  expectFunction('groupObjects', 'a function', groupsOf);
  checkViewOptions('groupObjects', options);
  return new Grouping(collection, groupsOf, options).asView();
}
