import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { UpdatedEvent } from '../../api/events/resourceEvent.js';
import type { Store } from '../../cache/store/store.js';

/** The change in which every cached object comes again as it is. */
export function resyncOf<T>(store: Pick<Store<T>, 'listKeys' | 'getByKey' | 'lastStoreSyncResourceVersion'>): ResourceChange<T> {
  const events: UpdatedEvent<T>[] = [];
  for (const key of store.listKeys()) {
    const object = store.getByKey(key);
    if (object !== undefined) events.push({ type: 'updated', key, object, oldObject: object, resync: true, inferred: false });
  }
  return { cause: 'resync', events, resourceVersion: store.lastStoreSyncResourceVersion(), synced: true };
}
