import type { Collection } from 'rx-informer';
import { checkOptions, describeValue } from 'rx-informer/internal';
import { expectCollection, expectFunction, isPromise, viewRules } from './kernel/checks.js';
import { Derivation } from './derive.js';
import { untyped } from './kernel/viewPort.js';
import { defaultName } from './kernel/viewBase.js';
import { keep, type Read, type View, type ViewOptions } from './view.js';

/**
 * The result of the function: a value, and a status for the object.
 */
export interface ValueAndStatus<T, S> {
  /** Absent or undefined: no value. */
  readonly value?: T | undefined;
  /** Absent or undefined: no status. */
  readonly status?: S | undefined;
}

/**
 * The two views of one function.
 */
export type ViewWithStatus<T, S> = Readonly<{
  values: View<T>;
  statuses: View<S>;
}>;

/** An option for both views cannot be about the values of one of them. */
const { labels: _labels, indexers: _indexers, equals: _equals, ...bothRules } = viewRules;

/**
 * Makes two views with one function, called once for both: values, and a status for each object, for example to be written back to the server.
 *
 * ```text
 * routes     {+r}              {~r: bad}           {-r}
 * values     {+r: config}      {-r}
 * statuses   {+r: Accepted}    {~r: Rejected}      {-r}
 * ```
 *
 * Each works like the view of `derive`, under the key of the object, and emits only its own changes.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { deriveWithStatus } from '@rx-informer/views';
 *
 * const client = createClient();
 * const ingresses = createInformer(client, resources.networking.v1.ingresses);
 * const services = createInformer(client, resources.core.v1.services);
 * const { values, statuses } = deriveWithStatus(ingresses, ({ metadata, spec }, read) => {
 *   const name = spec?.defaultBackend?.service?.name ?? '';
 *   const service = read.get(services, `${metadata?.namespace}/${name}`);
 *   return service === undefined ? { status: `There is no service ${name}` } : { value: service.spec?.clusterIP, status: 'Accepted' };
 * });
 * ```
 *
 * @throws TypeError when an argument is wrong, or `work` is asynchronous.
 *
 * @see istio krt: `NewStatusCollection`
 */
export function deriveWithStatus<I, T, S>(
  collection: Collection<I>,
  work: (object: I, read: Read) => ValueAndStatus<T, S> | typeof keep | null | undefined,
  options: Omit<ViewOptions<ValueAndStatus<T, S>>, 'labels' | 'indexers' | 'equals'> = {},
): ViewWithStatus<T, S> {
  expectCollection('deriveWithStatus', collection);
  expectFunction('deriveWithStatus', 'a function', work);
  checkOptions('deriveWithStatus', options, bothRules);
  const { name = defaultName('deriveWithStatus', [untyped(collection)], collection) } = options;
  type Both = ValueAndStatus<T, S>;
  // With neither part, one is misspelt: there would be no value and no error.
  const checked = (object: I, read: Read): Both | typeof keep | null | undefined => {
    const made = work(object, read);
    const isNone = made === undefined || made === null || made === keep;
    const isFit = isNone || (typeof made === 'object' && ('value' in made || 'status' in made || Object.keys(made).length === 0));
    if (isFit || isPromise(made)) return made;
    throw new TypeError(`Expected the function to return \`{ value, status }\`, got ${describeValue(made)}`);
  };
  const both = new Derivation<I, Both, Both>('deriveWithStatus', collection, checked, { ...options, name }).asView();
  const { sliceSize: _, ...others } = options;
  return {
    values: new Derivation<Both, T, T>('values', both, ({ value }) => value, { ...others, name: `${name}.values` }).asView(),
    statuses: new Derivation<Both, S, S>('statuses', both, ({ status }) => status, { ...others, name: `${name}.statuses` }).asView(),
  };
}
