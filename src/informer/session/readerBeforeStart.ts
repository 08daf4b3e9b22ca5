import { inProduction } from '../../api/inProduction.js';
import type { IndexReader } from '../../cache/store/indexReader.js';

type Reader<T> = Pick<IndexReader<T>, 'list' | 'listKeys' | 'getByKey' | 'byIndex'>;

/**
 * A reader that says once, in development, that it is read before its informer has ever started: it is empty then, which is easily taken for a
 * cluster without objects.
 */
export function readerBeforeStart<T>(reader: Reader<T>, hasStarted: () => boolean, warn: (message: string) => void): Reader<T> {
  if (inProduction()) return reader;
  let isSettled = false;
  const checked = (): Reader<T> => {
    if (isSettled) return reader;
    isSettled = true;
    if (!hasStarted() && reader.listKeys().length === 0)
      warn('its lister is read before it has started, and is empty; subscribe or call start(), and await whenSynced() first');
    return reader;
  };
  return {
    list: () => checked().list(),
    listKeys: () => checked().listKeys(),
    getByKey: (key) => checked().getByKey(key),
    byIndex: (indexName, indexedValue) => checked().byIndex(indexName, indexedValue),
  };
}
