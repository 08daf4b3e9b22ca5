import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection } from './kernel/checks.js';
import { IndexEntry } from './kernel/nodes/indexEntry.js';
import type { View, ViewOptions } from './view.js';

/**
 * Makes a view of the objects with one value of an index: a live `byIndex`.
 *
 * ```text
 * pods, by node              {+a(n1) +b(n2)}      {~b(n1)}      {~a(n2)}
 * value n1                   {+a}                 {+b}          {-a}
 * ```
 *
 * For all values of an index as one view, use `groupObjects` with the index function.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { objectsByIndex } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods, { indexers: { node: ({ spec }) => [spec?.nodeName ?? ''] } });
 * const pending = objectsByIndex(pods, 'node', '');
 * pending.change$.subscribe(({ events }) => console.log(events.length));
 * ```
 *
 * @throws TypeError when an argument is wrong. Streams fail with a TypeError when there is no such index.
 *
 * @see istio krt: `Index.AsCollection`
 */
export function objectsByIndex<T>(
  collection: Collection<T>,
  indexName: string,
  indexedValue: string,
  options: ViewOptions<T> = {},
): View<T> {
  expectCollection('objectsByIndex', collection);
  for (const [name, value] of Object.entries({ indexName, indexedValue })) {
    if (typeof value !== 'string') throw new TypeError(`Expected \`${name}\` of \`objectsByIndex\` to be a string, got ${typeof value}`);
  }
  checkViewOptions('objectsByIndex', options);
  return new IndexEntry(collection, indexName, indexedValue, options).asView();
}
