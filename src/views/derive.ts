import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Derivation } from './kernel/nodes/derivation.js';
import type { keep, Read, View, ViewOptions } from './view.js';

/** Rejects promises at compile time: a view is computed synchronously. */
export type Synchronous<T> =
  T extends PromiseLike<unknown> ? 'A view cannot wait: do slow work behind it, with reconcile or process' : unknown;

/**
 * Makes a view with one value for each object of a collection, under the key of the object.
 *
 * ```text
 * services   {+web}                            {~web}
 * pods       {+a(app=web) +b(app=web)}   {-b}
 * result     {+web: a b}                 {~web: a}{~web': a}
 * ```
 *
 * - `work` computes the value from the object and from what it reads of other collections with `read`; `undefined` or `null` means no value, `keep` the previous one. It is called again
 *   when the object or anything it has read has changed, at most once per change. It must be pure and synchronous.
 * - Nothing is emitted before all inputs are complete, or when a value equals the previous one.
 * - When `work` throws, the last good value stays; the error (`ERR_VIEW`) is emitted on `error$`, and the key is in `health().degraded` until `work` succeeds.
 * - Outside of production, reading a lister or an indexer inside `work` throws: only `read` is tracked.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, isReady, resources } from 'rx-informer';
 * import { derive, none } from 'rx-informer/views';
 *
 * const client = createClient();
 * const services = createInformer(client, resources.core.v1.services);
 * const pods = createInformer(client, resources.core.v1.pods);
 * const backends = derive(services, (service, read) => ({
 *   service,
 *   pods: read(pods, { namespace: service.metadata?.namespace, labelSelector: service.spec?.selector ?? none }).filter(isReady),
 * }));
 * backends.change$.subscribe(({ events }) => console.log(events));
 * ```
 *
 * @throws TypeError when an argument is wrong, or `work` is asynchronous. The observables fail with a TypeError when the view depends on itself.
 *
 * @see istio krt: `NewCollection` and `Fetch`
 */
export function derive<I, T>(
  collection: Collection<I>,
  work: (object: I, read: Read) => (T & Synchronous<T>) | typeof keep | null | undefined,
  options: ViewOptions<T> = {},
): View<T> {
  expectCollection('derive', collection);
  expectFunction('derive', 'a function', work);
  checkViewOptions('derive', options);
  return new Derivation<I, T, T>('derive', collection, work, options).asView();
}
