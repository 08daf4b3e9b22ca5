import { deepFreeze } from '../../api/deepFreeze.js';
import { createIndexer } from '../../cache/store/createIndexer.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import type { Indexer } from '../../cache/store/indexer.js';
import { readerOf } from '../../cache/store/readerOf.js';
import type { SavedSnapshot } from './snapshotStore.js';

const utf8 = new TextDecoder();

/** What was saved, as a cache: one object is read by itself, whatever needs all of them reads all. */
class SavedReader<U> implements IndexReader<U> {
  private readonly saved: SavedSnapshot;
  private readonly indexer: Indexer<U>;
  private readonly known = new Map<string, U>();
  private whole: Indexer<U> | undefined;

  constructor(saved: SavedSnapshot, indexer: Indexer<U>) {
    this.saved = saved;
    this.indexer = indexer;
  }

  readonly listKeys = (): string[] => [...this.saved.keys()];
  readonly getIndexers = (): ReturnType<Indexer<U>['getIndexers']> => this.indexer.getIndexers();
  readonly lastStoreSyncResourceVersion = (): string => [...this.saved.resourceVersions.values()][0] ?? '';
  readonly list = (): U[] => this.all().list();
  readonly get: IndexReader<U>['get'] = (object) => this.all().get(object);
  readonly index: IndexReader<U>['index'] = (indexName, object) => this.all().index(indexName, object);
  readonly indexKeys: IndexReader<U>['indexKeys'] = (indexName, value) => this.all().indexKeys(indexName, value);
  readonly listIndexFuncValues: IndexReader<U>['listIndexFuncValues'] = (indexName) => this.all().listIndexFuncValues(indexName);
  readonly byIndex: IndexReader<U>['byIndex'] = (indexName, value) => this.all().byIndex(indexName, value);
  readonly byIndexes: IndexReader<U>['byIndexes'] = (values) => this.all().byIndexes(values);

  readonly getByKey = (key: string): U | undefined => {
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const bytes = this.saved.read(key);
    if (bytes === undefined) return undefined;
    const object = deepFreeze(JSON.parse(utf8.decode(bytes)) as U);
    this.known.set(key, object);
    return object;
  };

  private all(): Indexer<U> {
    if (this.whole === undefined) {
      const objects = this.saved.keys().flatMap((key) => this.getByKey(key) ?? []);
      this.whole = createIndexer<U>({ indexers: this.indexer.getIndexers(), initialObjects: objects, onIndexError: () => undefined });
    }
    return this.whole;
  }
}

/**
 * The reads of an indexer, and of what an earlier run has saved for as long as that is to be read instead.
 *
 * @param saved - asked at each read.
 * @param damaged - called when it is not what was written; the indexer is read from then on.
 * @internal
 */
export function warmReader<U>(
  indexer: Indexer<U>,
  saved: () => SavedSnapshot | undefined,
  damaged: (error: unknown) => void,
): IndexReader<U> {
  const own = readerOf(indexer);
  let reader: { readonly of: SavedSnapshot; readonly reads: SavedReader<U> } | undefined;
  const readers = (): IndexReader<U> => {
    const snapshot = saved();
    if (snapshot === undefined) {
      reader = undefined;
      return own;
    }
    if (reader?.of !== snapshot) reader = { of: snapshot, reads: new SavedReader(snapshot, indexer) };
    return reader.reads;
  };
  const read = <R>(ask: (from: IndexReader<U>) => R): R => {
    const from = readers();
    if (from === own) return ask(own);
    try {
      return ask(from);
    } catch (error) {
      // The same question to the cache: a wrong index name fails there, too.
      const answer = ask(own);
      damaged(error);
      return answer;
    }
  };
  return {
    list: () => read((from) => from.list()),
    listKeys: () => read((from) => from.listKeys()),
    get: (object) => read((from) => from.get(object)),
    getByKey: (key) => read((from) => from.getByKey(key)),
    index: (indexName, object) => read((from) => from.index(indexName, object)),
    indexKeys: (indexName, indexedValue) => read((from) => from.indexKeys(indexName, indexedValue)),
    listIndexFuncValues: (indexName) => read((from) => from.listIndexFuncValues(indexName)),
    byIndex: (indexName, indexedValue) => read((from) => from.byIndex(indexName, indexedValue)),
    byIndexes: (values) => read((from) => from.byIndexes(values)),
    getIndexers: () => own.getIndexers(),
    lastStoreSyncResourceVersion: () => read((from) => from.lastStoreSyncResourceVersion()),
  };
}
