import { Derivation } from './derivation.js';

/**
 * A derivation with at most one value for each object, under the key of the object.
 */
export class SingleDerivation<I, T> extends Derivation<I, T, T> {
  protected take(key: string, returned: T | undefined): void {
    this.computations.made(key);
    this.results.set(key, returned);
  }
}
