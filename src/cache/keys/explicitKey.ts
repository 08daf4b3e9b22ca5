const brand = Symbol.for('rx-informer.ExplicitKey');

/**
 * A key that stands for an object, where an operation takes an object and only its key is known.
 *
 * @example
 * ```ts
 * import { createIndexer, ExplicitKey } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer();
 * indexer.get(new ExplicitKey('default/web'));
 * ```
 *
 * @see ExplicitKey of client-go
 */
export class ExplicitKey {
  readonly key: string;

  constructor(key: string) {
    if (typeof key !== 'string') throw new TypeError(`Expected \`key\` to be a string, got ${typeof key}`);
    this.key = key;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Knows instances by their brand, so that those of the other module format count too. */
  static [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
