import { deepFreeze } from '../../api/deepFreeze.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import { type Indexer, type Indexers, type IndexReader, readerOf } from '../../cache/store/store.js';
import type { SavedSnapshot } from './snapshotStore.js';

const utf8 = new TextDecoder();

/** A reader that hands each of its reads to `ask`, which chooses the reader that answers. */
function readerBy<U>(ask: <R>(read: (from: IndexReader<U>) => R) => R): IndexReader<U> {
  return {
    list: () => ask((from) => from.list()),
    listKeys: () => ask((from) => from.listKeys()),
    get: (object) => ask((from) => from.get(object)),
    getByKey: (key) => ask((from) => from.getByKey(key)),
    index: (indexName, object) => ask((from) => from.index(indexName, object)),
    indexKeys: (indexName, indexedValue) => ask((from) => from.indexKeys(indexName, indexedValue)),
    listIndexFuncValues: (indexName) => ask((from) => from.listIndexFuncValues(indexName)),
    byIndex: (indexName, indexedValue) => ask((from) => from.byIndex(indexName, indexedValue)),
    byIndexes: (values) => ask((from) => from.byIndexes(values)),
    getIndexers: () => ask((from) => from.getIndexers()),
    lastStoreSyncResourceVersion: () => ask((from) => from.lastStoreSyncResourceVersion()),
  };
}

/** What was saved, as a cache: one object is read by itself, whatever needs all of them reads all. */
function savedReader<U>(saved: SavedSnapshot, indexers: () => Indexers<U>): IndexReader<U> {
  const known = new Map<string, U>();
  const getByKey = (key: string): U | undefined => {
    const bytes = known.has(key) ? undefined : saved.read(key);
    if (bytes !== undefined) known.set(key, deepFreeze(JSON.parse(utf8.decode(bytes)) as U));
    return known.get(key);
  };
  let whole: Indexer<U> | undefined;
  const all = (): Indexer<U> => {
    const objects = (): U[] => saved.keys().flatMap((key) => getByKey(key) ?? []);
    whole ??= createIndexer<U>({ indexers: indexers(), initialObjects: objects(), onIndexError: () => undefined });
    return whole;
  };
  return {
    ...readerBy((read) => read(all())),
    getByKey,
    listKeys: () => [...saved.keys()],
    lastStoreSyncResourceVersion: () => [...saved.resourceVersions.values()][0] ?? '',
  };
}

/**
 * The reads of an indexer, or of what an earlier run has saved for as long as `saved` says so. `damaged` is called when that is not what was written.
 *
 * @internal
 */
export function warmReader<U>(
  indexer: Indexer<U>,
  saved: () => SavedSnapshot | undefined,
  damaged: (error: unknown) => void,
): IndexReader<U> {
  const own = readerOf(indexer);
  let last: { readonly snapshot: SavedSnapshot; readonly reader: IndexReader<U> } | undefined;
  const warm = readerBy<U>((read) => {
    const snapshot = saved();
    if (snapshot !== last?.snapshot) last = snapshot && { snapshot, reader: savedReader(snapshot, () => own.getIndexers()) };
    if (last === undefined) return read(own);
    try {
      return read(last.reader);
    } catch (error) {
      // The same question to the cache: a wrong index name fails there, too.
      const answer = read(own);
      damaged(error);
      return answer;
    }
  });
  return { ...warm, getIndexers: () => own.getIndexers() };
}
