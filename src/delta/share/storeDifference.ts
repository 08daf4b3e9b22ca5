import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import { isOtherObject, missedDeletion } from '../index/identity.js';
import type { StoreContent } from './storeContent.js';

/**
 * The events that lead from what somebody knows to what a store holds: deletes first. `initial` is the flag of what is added.
 */
export function storeDifference<T>(known: ReadonlyMap<string, T>, store: StoreContent<T>, initial: boolean): ResourceEvent<T>[] {
  const deleted: ResourceEvent<T>[] = [];
  const upserted: ResourceEvent<T>[] = [];
  for (const [key, object] of known) if (store.getByKey(key) === undefined) deleted.push(missedDeletion(key, object));
  for (const key of store.listKeys()) {
    const object = store.getByKey(key);
    if (object === undefined) continue;
    const before = known.get(key);
    if (before === object) continue;
    const recreated = before !== undefined && isOtherObject(before, object);
    if (before !== undefined && recreated) deleted.push(missedDeletion(key, before));
    if (before === undefined || recreated) upserted.push({ type: 'added', key, object, initial, inferred: true });
    else upserted.push({ type: 'updated', key, object, oldObject: before, resync: false, inferred: true });
  }
  return deleted.concat(upserted);
}
