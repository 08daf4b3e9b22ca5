import { rules } from '../api/options.js';
import { metaNamespaceKey } from '../cache/keys.js';
import type { Collection } from '../informer/collection.js';
import { type DeriveManyOptions, ManyDerivation, type Named } from './deriveMany.js';
import type { ViewWithStatus } from './deriveWithStatus.js';
import { checkViewOptions, expectCollection, expectFunction, isPromise, returning } from './kernel/checks.js';
import { Derivation } from './derive.js';
import { keep, type Read } from './view.js';

/**
 * The result of the function: any number of values, and a status for the object.
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

/**
 * Makes two views with one function, called once for both: any number of values per object, under keys of their own, and one status per object.
 *
 * ```text
 * routes     {+r}                   {~r: one is bad}      {-r}
 * values     {+r/a +r/b}            {-r/b}                {-r/a}
 * statuses   {+r: 2 accepted}       {~r: 1 accepted}      {-r}
 * ```
 *
 * The values work as with `deriveMany`, the statuses as with `derive`, under the key of the object. Each view emits only its own changes.
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
  const checked = returning('values', 'status', work);
  // Materialize the iterable: it is compared, and read twice.
  const both = (object: I, read: Read): Both | typeof keep | null | undefined => {
    const made = checked(object, read);
    if (made === undefined || made === null || made === keep || isPromise(made)) return made as undefined;
    return { values: [...(made.values ?? [])], status: made.status };
  };
  const source = new Derivation<I, Both, Both>(owner, collection, both, { ...others, sliceSize, name }).asView();
  return {
    values: new ManyDerivation<Both, T>(source, ({ values }) => values, key, { ...others, name: `${name}.values` }).asView(),
    statuses: new Derivation<Both, S, S>('statuses', source, ({ status }) => status, { ...others, name: `${name}.statuses` }).asView(),
  };
}
