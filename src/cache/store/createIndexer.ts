import type { Indexer } from './store.js';
import { checkOptions } from '../../api/options.js';
import { type IndexerOptions, indexerRules, MemoryStore } from './memoryStore.js';
import type { TransactionalStore } from './transaction.js';

/**
 * Makes an Indexer in memory: a Store whose objects can also be looked up by the values that index functions return for them.
 *
 * Reads are synchronous and return the stored objects, which must not be changed. `getByKey` takes constant time, `byIndex` time
 * proportional to its result. Every index function is called once for each stored version of an object; when it throws, the object is stored
 * without an entry in that index.
 *
 * @example
 * ```ts
 * import type { KubernetesObject } from 'rx-informer';
 * import { createIndexer, metaNamespaceIndexFunc, namespaceIndex } from 'rx-informer/pipeline';
 *
 * const indexer = createIndexer<KubernetesObject>({ indexers: { [namespaceIndex]: metaNamespaceIndexFunc } });
 * indexer.add({ metadata: { namespace: 'default', name: 'web' } });
 * indexer.byIndex(namespaceIndex, 'default');
 * ```
 *
 * @throws TypeError when an option is wrong; KeyError when an initial object has no key.
 *
 * @see NewIndexer of client-go
 */
export function createIndexer<T>(options: IndexerOptions<T> = {}): Indexer<T> & TransactionalStore<T> {
  checkOptions<IndexerOptions<T>>('createIndexer', options, indexerRules);
  return new MemoryStore<T>(options);
}
