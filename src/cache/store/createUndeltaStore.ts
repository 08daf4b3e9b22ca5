import { checkOptions } from '../../api/options.js';
import { contents } from './content.js';
import { MemoryStore, type StoreOptions, storeRules } from './memoryStore.js';
import type { TransactionalStore } from './transaction.js';

class UndeltaStore<T> extends MemoryStore<T> {
  private readonly push: (objects: readonly T[]) => void;

  constructor(push: (objects: readonly T[]) => void, options: StoreOptions<T>) {
    super(options);
    this.push = push;
    // A cache writes it by its methods.
    contents.delete(this);
  }

  protected override written(): void {
    this.push(this.list());
  }
}

/**
 * Makes a Store that passes its whole content to a function after every write, for consumers of states instead of changes.
 *
 * Each successful write calls `push` once, even if it changes nothing; reads, failed writes and the initial objects do not.
 *
 * @example
 * ```ts
 * import type { V1Pod } from 'rx-informer';
 * import { createUndeltaStore } from 'rx-informer/pipeline';
 *
 * const store = createUndeltaStore<V1Pod>((pods) => console.log(pods.length));
 * store.add({ metadata: { namespace: 'default', name: 'web' } }); // 1
 * ```
 *
 * @throws TypeError when `push` is no function or an option is wrong; KeyError when an initial object has no key.
 *
 * @see UndeltaStore of client-go
 */
export function createUndeltaStore<T>(push: (objects: readonly T[]) => void, options: StoreOptions<T> = {}): TransactionalStore<T> {
  if (typeof push !== 'function') throw new TypeError(`Expected \`push\` to be a function, got ${typeof push}`);
  checkOptions<StoreOptions<T>>('createUndeltaStore', options, storeRules);
  return new UndeltaStore(push, options);
}
