import { isObservable, map, type Observable } from 'rxjs';
import { checkOptions, describeValue, isEqualJson, rules } from 'rx-informer/internal';
import { type Collection, metaNamespaceKey } from 'rx-informer';
import { isPromise, valuesByKey } from './kernel/checks.js';
import { SetCollection } from './kernel/setCollection.js';
import type { View, ViewOptions } from './view.js';

/**
 * Options of `collectionOf`.
 */
export interface CollectionOfOptions<T> extends Pick<ViewOptions<T>, 'equals' | 'indexers' | 'idleGraceMs' | 'logger' | 'scheduler'> {
  /** The collection's name in messages. @defaultValue `values` */
  readonly name?: string | undefined;
  /** The key of a value. @defaultValue that of its metadata; `value` for a single value without metadata */
  readonly key?: ((value: T) => string) | undefined;
}

/**
 * A collection of given values.
 */
export type ValueCollection<T> = Readonly<Collection<T> & Pick<View<T>, 'start' | 'stop' | 'addIndexers'>>;

/**
 * Makes a collection of given values: an array, a single value, or an Observable of either. Views read it as they read an informer, for example for settings.
 *
 * ```text
 * source   [a b]          [a b']     [b']
 * result   {+a +b}        {~b}       {-a}
 * ```
 *
 * - Each emission of an Observable is the whole content; `undefined` or `null` means none. It becomes one change with the differences (structural, or by `equals`).
 * - The Observable is subscribed to while the collection has a subscriber, or after `start` or `whenSynced`. The content is complete after the first emission.
 * - The collection's observables fail and complete with the Observable. With an array or a value they do not complete before `stop`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { collectionOf, derive } from '@rx-informer/views';
 * import { BehaviorSubject } from 'rxjs';
 *
 * const limit$ = new BehaviorSubject(10);
 * const limits = collectionOf(limit$, { name: 'limits' });
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const restarting = derive(pods, ({ status }, read) => {
 *   const restarts = status?.containerStatuses?.[0]?.restartCount ?? 0;
 *   return restarts > (read.get(limits, 'value') ?? 0) ? restarts : undefined;
 * });
 * limit$.next(20);
 * ```
 *
 * @throws TypeError when an option is wrong, or when a value has no key or the key of another; for an Observable, the collection's observables fail with it.
 *
 * @see istio krt: `NewStaticCollection`, `NewStatic`
 */
export function collectionOf<T>(
  source: readonly T[] | Observable<readonly T[] | null | undefined>,
  options?: CollectionOfOptions<T>,
): ValueCollection<T>;
export function collectionOf<T>(source: Observable<T>, options?: CollectionOfOptions<NonNullable<T>>): ValueCollection<NonNullable<T>>;
export function collectionOf<T extends string | number | boolean | object>(source: T, options?: CollectionOfOptions<T>): ValueCollection<T>;
export function collectionOf<T>(source: unknown, options: CollectionOfOptions<T> = {}): ValueCollection<T> {
  checkOptions('collectionOf', options, {
    name: rules.nonEmptyString,
    key: rules.function,
    equals: rules.function,
    indexers: rules.object,
    idleGraceMs: rules.durationMs,
    logger: rules.withMethods('warn'),
    scheduler: rules.scheduler,
  });
  if (source === undefined || source === null)
    throw new TypeError(`Expected \`collectionOf\` to be given an array, a value or an Observable, got ${describeValue(source)}`);
  if (isPromise(source))
    throw new TypeError('Expected `collectionOf` to be given an array, a value or an Observable, got a promise; use `from`');
  const { name = 'values', key = metaNamespaceKey as unknown as (value: T) => string, equals = isEqualJson, ...others } = options;
  let isSingle = false;
  const keyOf = (value: T): string => {
    const isNamed = typeof value === 'object' && value !== null && 'metadata' in value;
    return isSingle && options.key === undefined && !isNamed ? 'value' : key(value);
  };
  const contentOf = (given: unknown): readonly T[] => {
    isSingle = !Array.isArray(given);
    const values = (isSingle ? [given ?? []].flat() : given) as readonly T[];
    valuesByKey(values, keyOf);
    return values;
  };
  const content = isObservable(source) ? source.pipe(map(contentOf)) : contentOf(source);
  return new SetCollection(content, { ...others, name, equals, key: keyOf }) as unknown as ValueCollection<T>;
}
