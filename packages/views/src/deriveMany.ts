import { describeValue, entryOf, rules } from 'rx-informer/internal';
import { type Collection, InformerError, metaNamespaceKey } from 'rx-informer';
import { checkViewOptions, expectCollection, expectFunction, valuesByKey } from './kernel/checks.js';
import { keep, type Read, type View, type ViewOptions } from './view.js';
import { Derivation } from './derive.js';

/** A value with the metadata that its key is made of. */
type Named = { readonly metadata?: { readonly name?: string | undefined; readonly namespace?: string | undefined } | undefined };

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
 * import { deriveMany } from '@rx-informer/views';
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

type Values<T> = ReadonlyMap<string, T>;

/**
 * A derivation with any number of values per object, under keys of their own. If several objects return a value for one key, the object with the lowest key wins.
 */
export class ManyDerivation<I, T> extends Derivation<I, Values<T>, T> {
  /** The values by the keys of their objects. */
  private returned = new Map<string, Values<T>>();
  /** Those of the last session, for objects that the function fails for. */
  private last: ReadonlyMap<string, Values<T>> = new Map<string, Values<T>>();
  /** The keys of the objects that have returned a value, by the key of the value. */
  private readonly claims = new Map<string, Set<string>>();

  constructor(
    input: Collection<I>,
    work: (object: I, read: Read) => Iterable<T> | typeof keep | null | undefined,
    keyOf: (value: T) => string,
    options: ViewOptions<T>,
  ) {
    super('deriveMany', input, (object, read) => keyed(work(object, read), keyOf), options);
  }

  protected override collected(key: string): T | undefined {
    const claims = this.claimsOf(key);
    const owner = claims[0];
    if (claims.length > 1) this.refuse(key, claims);
    else if (this.status.conflicts.size > 0 && this.status.conflicts.delete(key)) this.status.touch();
    return owner === undefined ? undefined : this.returned.get(owner)?.get(key);
  }

  protected override stay(key: string): void {
    if (this.filling && !this.returned.has(key)) this.take(key, this.last.get(key));
  }

  protected override collect(): void {
    super.collect();
    if (!this.filling && this.last.size > 0) this.last = new Map<string, Values<T>>();
  }

  protected override take(key: string, returned: Values<T> | undefined): void {
    for (const claimed of this.returned.get(key)?.keys() ?? []) {
      this.touch(claimed);
      const claims = this.claims.get(claimed);
      claims?.delete(key);
      if (claims?.size === 0) this.claims.delete(claimed);
    }
    if (returned === undefined || returned.size === 0) {
      this.returned.delete(key);
      return;
    }
    this.returned.set(key, returned);
    for (const claimed of returned.keys()) {
      this.touch(claimed);
      entryOf(this.claims, claimed, () => new Set<string>()).add(key);
    }
  }

  protected override inputKeyOf(key: string): string {
    return this.claimsOf(key)[0] ?? key;
  }

  protected override reset(): void {
    super.reset();
    if (!this.filling) this.last = this.returned;
    this.returned = new Map<string, Values<T>>();
    this.claims.clear();
  }

  private claimsOf(key: string): readonly string[] {
    const claims = [...(this.claims.get(key) ?? [])];
    return claims.length < 2 ? claims : claims.sort();
  }

  private refuse(key: string, claims: readonly string[]): void {
    const message = `Several objects of the view ${this.name} make a value with the key ${key}: ${claims.join(', ')}; the first one counts`;
    if (this.status.conflicts.get(key)?.message === message) return;
    const error = new InformerError({ code: 'ERR_VIEW', message, resource: this.name, key });
    this.status.conflicts.set(key, error);
    this.status.touch();
    this.errors.report(error);
  }
}

function keyed<T>(values: Iterable<T> | typeof keep | null | undefined, keyOf: (value: T) => string): Values<T> | typeof keep | undefined {
  const returned: unknown = values;
  if (values === undefined || values === null) return undefined;
  if (values === keep) return keep;
  if (typeof returned !== 'object' || returned === null || !(Symbol.iterator in returned)) {
    // A promise is reported as such by the caller.
    if (typeof returned === 'object' && returned !== null && 'then' in returned) return returned as never;
    throw new TypeError(`Expected the function to return a list of values, got ${describeValue(returned)}`);
  }
  return valuesByKey(values, keyOf);
}
