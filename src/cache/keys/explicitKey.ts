import { brand } from '../../api/brand.js';

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
  }
}

brand(ExplicitKey, 'ExplicitKey');
