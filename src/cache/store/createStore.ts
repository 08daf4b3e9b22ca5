import { MemoryStore } from './memoryStore.js';
import { checkOptions } from '../../api/options/checkOptions.js';
import { type StoreOptions, storeRules } from './storeOptions.js';
import type { TransactionalStore } from './transaction.js';

/**
 * Makes a Store in memory, without indexes: a Map of objects by key.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createStore } from 'rx-informer/pipeline';
 *
 * const store = createStore<KubernetesObject>();
 * store.add({ metadata: { namespace: 'default', name: 'web' } });
 * store.getByKey('default/web');
 * ```
 *
 * @throws TypeError when an option is wrong; KeyError when an initial object has no key.
 *
 * @see NewStore of client-go
 */
export function createStore<T>(options: StoreOptions<T> = {}): TransactionalStore<T> {
  checkOptions<StoreOptions<T>>('createStore', options, storeRules);
  return new MemoryStore<T>(options);
}
