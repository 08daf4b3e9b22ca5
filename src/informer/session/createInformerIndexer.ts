import type { InformerError } from '../../api/errors/informerError.js';
import { noteTransformed } from '../../api/transformed.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import type { Indexer, IndexFunc } from '../../cache/store/indexer.js';
import { namespaceIndex } from '../../cache/store/namespaceIndex.js';
import type { InformerOptions } from '../informerOptions.js';
import { indexError } from './informerErrors.js';
import { namespaceOfKey } from '../../api/namespaceOfKey.js';

const byKey: IndexFunc<unknown> = (_, key) => [namespaceOfKey(key)];

/** The namespace of an object, or that in its key: a transform may leave no metadata, and some keys are not made of it. */
const byNamespace: IndexFunc<unknown> = (value, key) => {
  const { metadata } = value as { readonly metadata?: { readonly namespace?: unknown } };
  return typeof metadata?.namespace === 'string' ? [metadata.namespace] : byKey(value, key);
};

/** Makes the indexer of an informer. */
export function createInformerIndexer<T, U>(
  { transform, indexers, initialObjects }: InformerOptions<T, U>,
  resource: string,
  report: (error: InformerError) => void,
): Indexer<U> {
  const indexer: Indexer<U> = createIndexer<U>({
    indexers: { [namespaceIndex]: transform === undefined ? byNamespace : byKey, ...indexers },
    initialObjects,
    onIndexError: (cause, indexName, key) => report(indexError(resource, cause, indexName, key)),
  });
  // What an earlier run has saved came out of its transform.
  if (transform !== undefined) for (const object of indexer.list()) noteTransformed(object);
  return indexer;
}
