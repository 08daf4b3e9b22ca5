import { deepFreeze } from '../../api/deepFreeze.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import { type Indexer, type IndexReader, readerOf, type Reads } from '../../cache/store/store.js';
import type { SavedSnapshot } from './snapshotStore.js';

const utf8 = new TextDecoder();

/** Reads a saved snapshot like a cache: single objects are read one by one, any other read loads all. If it is damaged, the cache is read. */
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
    if (whole !== undefined) return whole;
    const made = createIndexer<U>({ indexers: indexer.getIndexers(), onIndexError: () => undefined });
    for (const key of saved.keys()) {
      const object = parsed(key);
      // Use the saved key: some keys cannot be computed from metadata.
      if (object !== undefined) made.keyed?.update(key, object);
    }
    return (whole = made);
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
 * Reads an indexer, or the saved snapshot as long as `saved` returns one. `damaged` is called when that is damaged.
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
