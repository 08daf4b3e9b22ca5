import { rules } from '../api/options.js';
import { metaNamespaceKey } from '../cache/keys.js';
import type { Collection } from '../informer/collection.js';
import type { DeriveManyOptions } from './deriveMany.js';
import type { ViewWithStatus } from './deriveWithStatus.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { Derivation } from './kernel/nodes/derivation.js';
import { ManyDerivation } from './kernel/nodes/manyDerivation.js';
import { keep, type Read } from './view.js';

/**
 * What a function computes at once: any number of values, and a status for the object they were computed from.
 */
export interface ValuesAndStatus<T, S> {
  /** Absent or undefined: no values. */
  readonly values?: Iterable<T> | undefined;
  /** Absent or undefined: no status. */
  readonly status?: S | undefined;
}

/**
 * Options of `deriveManyWithStatus`.
 */
export type DeriveManyWithStatusOptions<T> = Omit<DeriveManyOptions<T>, 'labels' | 'indexers' | 'equals'>;

/** A value that has a key of its own. */
type Named = { readonly metadata?: { readonly name?: string; readonly namespace?: string } | undefined };

/**
 * Makes two views with one function: any number of values for each object, under keys of their own, and a status for each object. It is called once for both.
 *
 * ```text
 * routes     {+r}                   {~r: one is bad}      {-r}
 * values     {+r/a +r/b}            {-r/b}                {-r/a}
 * statuses   {+r: 2 accepted}       {~r: 1 accepted}      {-r}
 * ```
 *
 * The values work as those of `deriveMany` do, the statuses as the view of `derive` does, with the key of the object. Each emits only what has changed for it.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { deriveManyWithStatus } from 'rx-informer/views';
 *
 * const ingresses = createInformer(createClient(), resources.networking.v1.ingresses);
 * const { values, statuses } = deriveManyWithStatus(
 *   ingresses,
 *   ({ metadata, spec }) => {
 *     const hosts = (spec?.rules ?? []).flatMap(({ host }) => (host === undefined ? [] : [{ host, owner: metadata?.name }]));
 *     return { values: hosts, status: `${hosts.length} hosts` };
 *   },
 *   { key: ({ host }) => host },
 * );
 * ```
 *
 * @throws TypeError when an argument is wrong, or `work` is asynchronous.
 *
 * @see istio krt: `NewStatusManyCollection`
 */
export function deriveManyWithStatus<I, T, S>(
  collection: Collection<I>,
  work: (object: I, read: Read) => ValuesAndStatus<T, S> | typeof keep | null | undefined,
  options: DeriveManyWithStatusOptions<T> & { readonly key: (value: T) => string },
): ViewWithStatus<T, S>;
export function deriveManyWithStatus<I, T extends Named, S>(
  collection: Collection<I>,
  work: (object: I, read: Read) => ValuesAndStatus<T, S> | typeof keep | null | undefined,
  options?: DeriveManyWithStatusOptions<T>,
): ViewWithStatus<T, S>;
export function deriveManyWithStatus<I, T, S>(
  collection: Collection<I>,
  work: (object: I, read: Read) => ValuesAndStatus<T, S> | typeof keep | null | undefined,
  options: DeriveManyWithStatusOptions<T> = {},
): ViewWithStatus<T, S> {
  const owner = 'deriveManyWithStatus';
  expectCollection(owner, collection);
  expectFunction(owner, 'a function', work);
  checkViewOptions(owner, options, { key: rules.function });
  const {
    name = `${owner}(${collection.name})`,
    key = metaNamespaceKey as unknown as (value: T) => string,
    sliceSize,
    ...others
  } = options;
  type Both = { readonly values: readonly T[]; readonly status: S | undefined };
  // What is compared and read twice is an array.
  const both = (object: I, read: Read): Both | typeof keep | null | undefined => {
    const made = work(object, read);
    if (made === undefined || made === null || made === keep) return made;
    return { values: [...(made.values ?? [])], status: made.status };
  };
  const source = new Derivation<I, Both, Both>(owner, collection, both, { ...others, sliceSize, name }).asView();
  return {
    values: new ManyDerivation<Both, T>(source, ({ values }) => values, key, { ...others, name: `${name}.values` }).asView(),
    statuses: new Derivation<Both, S, S>('statuses', source, ({ status }) => status, { ...others, name: `${name}.statuses` }).asView(),
  };
}
