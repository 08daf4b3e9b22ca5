import type { ResourceEvent } from '../api/resourceEvent.js';
import { revisionOf } from '../cache/storeRevision.js';
import { takesRoom } from './boundedBuffer.js';
import type { EventBuffer } from './eventBuffer.js';
import { createFifo } from './fifo.js';
import { storeDifference } from './storeDifference.js';
import type { StoreOf } from './storeOf.js';

/**
 * The buffer that drops everything when there is no room, and then tells the difference between what its consumer knows and the store.
 *
 * It remembers what it has handed out (references to objects), so that what comes after an overflow fits what came before.
 */
export function createDroppingBuffer<T>(capacity: number, store: StoreOf<T>): EventBuffer<T> {
  const queue = createFifo<ResourceEvent<T>>();
  const revision = revisionOf(store);
  const known = new Map<string, T>();
  let taken = 0;
  let overflown = false;
  /** Whether the store has been complete: only then, the difference makes its consumer synced. */
  let synced = false;
  let toldVersion = '';
  /** The revision of the store that the last difference has led to. */
  let seen: number | undefined;

  const clear = (): void => {
    queue.clear();
    taken = 0;
  };

  /** The rest of a change in the middle of which the difference was taken. */
  const isSeen = (event: ResourceEvent<T>): boolean => {
    if (seen === undefined || (event.type === 'updated' && event.resync)) return false;
    if (seen === revision.value) return event.type !== 'synced' || synced;
    seen = undefined;
    return false;
  };

  const recover = (): void => {
    overflown = false;
    seen = revision.value;
    for (const event of storeDifference(known, store, toldVersion === '')) queue.push(event);
    if (synced) queue.push({ type: 'synced', resourceVersion: store.lastStoreSyncResourceVersion(), previousResourceVersion: toldVersion });
  };

  const remember = (event: ResourceEvent<T>): void => {
    if (event.type === 'synced') toldVersion = event.resourceVersion;
    else if (event.type === 'deleted') known.delete(event.key);
    else known.set(event.key, event.object);
  };

  return {
    clear: () => {
      clear();
      overflown = false;
    },
    isEmpty: () => queue.size === 0 && !overflown,
    push: (event) => {
      const old = isSeen(event);
      if (event.type === 'synced') synced = true;
      if (old || overflown) return true;
      if (takesRoom(event) && taken >= capacity) {
        clear();
        overflown = true;
        return true;
      }
      if (takesRoom(event)) taken += 1;
      queue.push(event);
      return true;
    },
    shift: () => {
      if (overflown) recover();
      const event = queue.shift();
      if (event === undefined) return undefined;
      // Those of a difference have taken no room.
      if (takesRoom(event) && taken > 0) taken -= 1;
      remember(event);
      return event;
    },
  };
}
