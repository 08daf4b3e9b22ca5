import type { InformerError } from '../../api/errors/informerError.js';
import { noteTransformed } from '../../api/transformed.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import type { Indexer, IndexFunc } from '../../cache/store/indexer.js';
import { metaNamespaceIndexFunc, namespaceIndex } from '../../cache/store/namespaceIndex.js';
import { createKeyMemory, type KeyMemory } from '../../delta/index/keyMemory.js';
import type { InformerOptions } from '../informerOptions.js';
import { indexError } from './informerErrors.js';
import { namespaceOfKey } from '../../api/namespaceOfKey.js';

/** Makes the indexer of an informer. A transform may leave no metadata: then keys, and the namespace in them, are remembered. */
export function createInformerIndexer<T, U>(
  options: InformerOptions<T, U>,
  resource: string,
  report: (error: InformerError) => void,
): { readonly indexer: Indexer<U>; readonly keys: KeyMemory | undefined } {
  const keys = options.transform === undefined ? undefined : createKeyMemory();
  const byNamespace: IndexFunc<unknown> =
    keys === undefined ? (metaNamespaceIndexFunc as IndexFunc<unknown>) : (value) => [namespaceOfKey(keys.keyOf(value))];
  const indexer: Indexer<U> = createIndexer<U>({
    keyFunc: keys?.keyOf,
    indexers: { [namespaceIndex]: byNamespace, ...options.indexers },
    initialObjects: options.initialObjects,
    onIndexError: (cause, indexName, key) => report(indexError(resource, cause, indexName, key)),
  });
  // What an earlier run has saved came out of its transform.
  if (options.transform !== undefined) for (const object of indexer.list()) noteTransformed(object);
  return { indexer, keys };
}
