import { checkedValues } from './indexSet.js';
import type { Indexer, Indexers } from './store.js';
import { checkOptions } from '../../api/options.js';
import { readGuard } from './readGuard.js';
import { type IndexerOptions, indexerRules, MemoryStore } from './memoryStore.js';
import type { TransactionalStore } from './transaction.js';

class MemoryIndexer<T> extends MemoryStore<T> implements Indexer<T> {
  index(indexName: string, object: T): T[] {
    if (readGuard.reader !== undefined) readGuard.refuse();
    const { func, entries } = this.indexes.get(indexName);
    const keys = new Set(checkedValues(func(object, this.keyOrNone(object))).flatMap((value) => entries.keys(value)));
    return this.objectsOf(keys);
  }

  indexKeys(indexName: string, indexedValue: string): string[] {
    if (readGuard.reader !== undefined) readGuard.refuse();
    return [...this.indexes.get(indexName).entries.keys(indexedValue)].sort();
  }

  listIndexFuncValues(indexName: string): string[] {
    if (readGuard.reader !== undefined) readGuard.refuse();
    return this.indexes.find(indexName)?.entries.values() ?? [];
  }

  byIndex(indexName: string, indexedValue: string): T[] {
    if (readGuard.reader !== undefined) readGuard.refuse();
    return this.objectsOf(this.indexes.get(indexName).entries.keys(indexedValue));
  }

  byIndexes(values: Readonly<Record<string, string>>): T[] {
    if (readGuard.reader !== undefined) readGuard.refuse();
    const [smallest, ...others] = Object.entries(values)
      .map(([indexName, value]) => ({ value, entries: this.indexes.get(indexName).entries }))
      .sort((a, b) => a.entries.count(a.value) - b.entries.count(b.value));
    if (smallest === undefined) return this.list();
    const keys = smallest.entries.keys(smallest.value);
    return this.objectsOf(keys.filter((key) => others.every(({ value, entries }) => entries.has(value, key))));
  }

  getIndexers(): Indexers<T> {
    return this.indexes.indexers();
  }

  addIndexers(indexers: Indexers<T>): void {
    this.indexes.refuseNestedChange();
    this.indexes.add(indexers, this.objects);
    this.indexes.report();
  }

  /** The key of an object; `''` for one that is not stored and has none. */
  private keyOrNone(object: T): string {
    try {
      return this.keyOf(object);
    } catch {
      return '';
    }
  }

  private objectsOf(keys: Iterable<string>): T[] {
    const objects: T[] = [];
    for (const key of keys) {
      const object = this.objects.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }
}

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
  return new MemoryIndexer<T>(options);
}
