import { rules } from '../api/options.js';
import { metaNamespaceKey } from '../cache/keys.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import { ManyDerivation } from './kernel/nodes/manyDerivation.js';
import type { keep, Read, View, ViewOptions } from './view.js';

/** A value with the metadata that its key is made of. */
type Named = { readonly metadata?: { readonly name?: string; readonly namespace?: string } | undefined };

/**
 * Options of `deriveMany`.
 */
export interface DeriveManyOptions<T> extends ViewOptions<T> {
  /** The key of a value. @defaultValue that of its metadata */
  readonly key?: ((value: T) => string) | undefined;
}

/**
 * Makes a view with any number of values for each object of a collection, under keys of their own.
 *
 * ```text
 * slices   {+s: x y}            {~s: y z}        {-s}
 * result   {+x +y}              {-x ~y +z}       {-y -z}
 * ```
 *
 * It works like `derive`. Values that `work` no longer returns are deleted. If several objects return a value with the same key, the object with the lowest
 * key wins; an error (`ERR_VIEW`) names all of them, and the key is in `health().degraded` meanwhile.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { deriveMany } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const containers = deriveMany(
 *   pods,
 *   ({ metadata, spec }) => (spec?.containers ?? []).map(({ name, image }) => ({ key: `${metadata?.namespace}/${metadata?.name}:${name}`, image })),
 *   { key: ({ key }) => key },
 * );
 * containers.index$.subscribe(({ size }) => console.log(size));
 * ```
 *
 * @throws TypeError when an argument is wrong, or `work` is asynchronous.
 *
 * @see istio krt: `NewManyCollection`
 */
export function deriveMany<I, T>(
  collection: Collection<I>,
  work: (object: I, read: Read) => Iterable<T> | typeof keep | null | undefined,
  options: DeriveManyOptions<T> & { readonly key: (value: T) => string },
): View<T>;
export function deriveMany<I, T extends Named>(
  collection: Collection<I>,
  work: (object: I, read: Read) => Iterable<T> | typeof keep | null | undefined,
  options?: DeriveManyOptions<T>,
): View<T>;
export function deriveMany<I, T>(
  collection: Collection<I>,
  work: (object: I, read: Read) => Iterable<T> | typeof keep | null | undefined,
  options: DeriveManyOptions<T> = {},
): View<T> {
  expectCollection('deriveMany', collection);
  expectFunction('deriveMany', 'a function', work);
  checkViewOptions('deriveMany', options, { key: rules.function });
  const { key = metaNamespaceKey as unknown as (value: T) => string, ...others } = options;
  return new ManyDerivation(collection, work, key, others).asView();
}
