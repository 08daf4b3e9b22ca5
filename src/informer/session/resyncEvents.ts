import type { UpdatedEvent } from '../../api/events/resourceEvent.js';
import type { Indexer } from '../../cache/store/indexer.js';

/**
 * Every cached object told again. What changes while this is gone through, is told as it is then.
 */
export function* resyncEvents<T>(indexer: Indexer<T>): Iterable<UpdatedEvent<T>> {
  for (const key of indexer.listKeys()) {
    const object = indexer.getByKey(key);
    if (object !== undefined) yield { type: 'updated', key, object, oldObject: object, resync: true, inferred: false };
  }
}
