import { entryOf } from '../../../api/entryOf.js';
import { InformerError } from '../../../api/errors/informerError.js';
import { describeValue } from '../../../api/options.js';
import type { Collection } from '../../../informer/collection.js';
import { keep, type Read, type ViewOptions } from '../../view.js';
import { Derivation } from './derivation.js';

type Values<T> = ReadonlyMap<string, T>;

/**
 * A derivation with any number of values per object, under keys of their own. If several objects return a value for one key, the object with the lowest key wins.
 */
export class ManyDerivation<I, T> extends Derivation<I, Values<T>, T> {
  /** The values by the keys of their objects. */
  private readonly returned = new Map<string, Values<T>>();
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
    this.returned.clear();
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
    this.report(error);
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
  const byKey = new Map<string, T>();
  for (const value of values) {
    const key: unknown = keyOf(value);
    if (typeof key !== 'string' || key === '')
      throw new TypeError(`Expected the key of a value to be a non-empty string, got ${describeValue(key)}`);
    if (byKey.has(key)) throw new TypeError(`Expected values with keys of their own, got two with the key ${key}`);
    byKey.set(key, value);
  }
  return byKey;
}
