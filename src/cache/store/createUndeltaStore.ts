import type { ObjectOrKey } from '../keyFunc.js';
import { checkOptions } from '../../api/options.js';
import { MemoryStore, type StoreOptions, storeRules } from './memoryStore.js';
import { type TransactionalStore, TransactionError } from './transaction.js';

/**
 * Makes a Store that passes its whole content to a function after every write, for consumers of states instead of changes.
 *
 * Each successful write calls `push` once, even if it changes nothing; reads, failed writes and the initial objects do not.
 *
 * @throws TypeError when `push` is no function or an option is wrong; KeyError when an initial object has no key.
 *
 * @see UndeltaStore of client-go
 */
export function createUndeltaStore<T>(push: (objects: readonly T[]) => void, options: StoreOptions<T> = {}): TransactionalStore<T> {
  if (typeof push !== 'function') throw new TypeError(`Expected \`push\` to be a function, got ${typeof push}`);
  checkOptions<StoreOptions<T>>('createUndeltaStore', options, storeRules);
  const store = new MemoryStore<T>(options);
  const pushAll = (): void => push(store.list());
  const writing =
    <A extends readonly unknown[]>(write: (...args: A) => void) =>
    (...args: A): void => {
      write(...args);
      pushAll();
    };
  const add = writing((object: T) => store.add(object));
  return {
    add,
    update: add,
    delete: writing((object: ObjectOrKey<T>) => store.delete(object)),
    replace: writing((objects: readonly T[], resourceVersion: string) => store.replace(objects, resourceVersion)),
    transaction: (steps) => {
      try {
        store.transaction(steps);
      } catch (error) {
        if (error instanceof TransactionError && error.successfulSteps.length > 0) pushAll();
        throw error;
      }
      pushAll();
    },
    list: () => store.list(),
    listKeys: () => store.listKeys(),
    get: (object) => store.get(object),
    getByKey: (key) => store.getByKey(key),
    resync: () => store.resync(),
    lastStoreSyncResourceVersion: () => store.lastStoreSyncResourceVersion(),
    bookmark: (resourceVersion) => store.bookmark(resourceVersion),
  };
}
