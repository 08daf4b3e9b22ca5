import type { Collection, Selection } from '../informer/collection.js';

/**
 * A label selector that selects nothing, for `read`: what a Service without a selector selects.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, none } from 'rx-informer/views';
 *
 * const services = createInformer(createClient(), resources.core.v1.services);
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const backends = derive(services, ({ metadata, spec }, read) =>
 *   read(pods, { namespace: metadata?.namespace, labelSelector: spec?.selector ?? none }),
 * );
 * ```
 */
export const none: unique symbol = Symbol.for('rx-informer.none') as never;

/**
 * What the function of `derive`, `deriveMany` or `deriveWithStatus` returns to leave everything that it has made of an object as it is: nothing changes, and
 * nothing has failed. What has been read is kept up, so that the function is called again when that changes.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, keep } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const lastAddress = derive(pods, ({ status }) => status?.podIP ?? keep);
 * ```
 */
export const keep: unique symbol = Symbol.for('rx-informer.keep') as never;

/**
 * Which objects of a collection to read; all that fulfil every condition. A condition that is there but undefined is an error: it would read too much.
 */
export interface ReadSelection<T> {
  /** The namespace in the keys of the objects. */
  readonly namespace?: string | undefined;
  /** The text of kubectl's `-l`, the object that specs carry, labels to be equal to, or `none`. An empty selector selects everything. */
  readonly labelSelector?: Selection | Readonly<Record<string, string>> | typeof none | undefined;
  /** A pure function of the object alone. The value is computed again when an object changes for which it returned true, or now does. */
  readonly filter?: ((object: T) => boolean) | undefined;
}

/**
 * Reads other collections inside the function of a view, and records what was read: the value is computed again when that changes.
 *
 * The objects come in ascending order of their keys. They are those of the cache: they must not be changed. It works only until the function returns.
 */
export interface Read {
  /**
   * The selected objects of a collection; all of them without a selection.
   *
   * Equality conditions of a label selector are looked up; without any, all objects of the namespace or of the collection are tested.
   *
   * @throws TypeError when a condition is undefined or no selector, or when the collection is made of the view that reads it.
   */
  <T>(collection: Collection<T>, selection?: ReadSelection<T>): readonly T[];
  /** The object under a key, if there is one. */
  get<T>(collection: Collection<T>, key: string): T | undefined;
  /**
   * The objects filed under a value of an index.
   *
   * @throws TypeError when there is no such index.
   */
  byIndex<T>(collection: Collection<T>, indexName: string, indexedValue: string): readonly T[];
  /**
   * The time in milliseconds since 1970, rounded down to whole steps of `stepMs`. The value is computed again when the next step begins.
   *
   * @throws TypeError when `stepMs` is no number above 0.
   */
  now(stepMs: number): number;
}
