import { deepFreeze } from '../../api/deepFreeze.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import { type Indexer, type IndexReader, readerOf, type Reads } from '../../cache/store/store.js';
import type { SavedSnapshot } from './snapshotStore.js';

const utf8 = new TextDecoder();

/** What was saved, as a cache: one object is read by itself, whatever needs all of them reads all. What is damaged is answered by the cache. */
function savedReader<U>(saved: SavedSnapshot, indexer: Indexer<U>, damaged: (error: unknown) => void): IndexReader<U> {
  const known = new Map<string, U>();
  const parsed = (key: string): U | undefined => {
    const bytes = known.has(key) ? undefined : saved.read(key);
    if (bytes !== undefined) known.set(key, deepFreeze(JSON.parse(utf8.decode(bytes)) as U));
    return known.get(key);
  };
  const intact = <R>(read: () => R, instead: () => R): R => {
    try {
      return read();
    } catch (error) {
      const answer = instead();
      damaged(error);
      return answer;
    }
  };
  let whole: Indexer<U> | undefined;
  const all = (): Indexer<U> => {
    const initialObjects = saved.keys().flatMap((key) => parsed(key) ?? []);
    return (whole ??= createIndexer<U>({ indexers: indexer.getIndexers(), initialObjects, onIndexError: () => undefined }));
  };
  return {
    ...readerOf<U>(indexer, () => whole ?? intact(all, () => indexer)),
    getByKey: (key) =>
      intact(
        () => parsed(key),
        () => indexer.getByKey(key),
      ),
    listKeys: () =>
      intact(
        () => [...saved.keys()],
        () => indexer.listKeys(),
      ),
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
  let last: { readonly snapshot: SavedSnapshot; readonly reader: IndexReader<U> } | undefined;
  const current = (): Pick<IndexReader<U>, Reads> => {
    const snapshot = saved();
    if (snapshot !== last?.snapshot) last = snapshot && { snapshot, reader: savedReader<U>(snapshot, indexer, damaged) };
    return last?.reader ?? indexer;
  };
  return { ...readerOf<U>(indexer, current), lastStoreSyncResourceVersion: () => current().lastStoreSyncResourceVersion() };
}
