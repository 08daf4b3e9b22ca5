import type { ResourceEvent, SyncedEvent } from '../../api/events/resourceEvent.js';
import type { EventBuffer } from './eventBuffer.js';
import { mergePending, type PendingEvents } from './pendingEvents.js';

/** No object has this key: `synced` waits under it. */
const boundaryKey = '';

/**
 * The buffer in which at most one state of each object waits: later events are merged into those that wait, in their place.
 *
 * An object that came and went meanwhile is not told. `synced` waits behind everything that came before it.
 */
export function createConflatingBuffer<T>(): EventBuffer<T> {
  const waiting = new Map<string, PendingEvents<T> | SyncedEvent>();
  /** One iterator for as long as there is something to take: a new one would have to walk over all that has been taken before. */
  let taking: IterableIterator<[string, PendingEvents<T> | SyncedEvent]> | undefined;
  /** The second half of what has been taken last. */
  let rest: ResourceEvent<T> | undefined;

  const pushBoundary = (event: SyncedEvent): void => {
    const before = waiting.get(boundaryKey);
    waiting.delete(boundaryKey);
    const merged = before !== undefined && 'type' in before ? { ...event, previousResourceVersion: before.previousResourceVersion } : event;
    waiting.set(boundaryKey, merged);
  };

  const take = (): ResourceEvent<T> | undefined => {
    taking ??= waiting.entries();
    const next = taking.next();
    if (next.done === true) {
      taking = undefined;
      return undefined;
    }
    const [key, entry] = next.value;
    waiting.delete(key);
    if ('type' in entry) return entry;
    if (entry.deleted === undefined) return entry.upserted;
    rest = entry.upserted;
    return entry.deleted;
  };

  return {
    isEmpty: () => waiting.size === 0 && rest === undefined,
    size: () => waiting.size + (rest === undefined ? 0 : 1),
    push: (event) => {
      if (event.type === 'synced') {
        pushBoundary(event);
        return true;
      }
      const known = waiting.get(event.key);
      const entry: PendingEvents<T> = known === undefined || 'type' in known ? {} : known;
      if (!mergePending(entry, event)) waiting.delete(event.key);
      else if (entry !== known) waiting.set(event.key, entry);
      return true;
    },
    shift: () => {
      const event = rest ?? take();
      if (event === rest) rest = undefined;
      return event;
    },
    clear: () => {
      waiting.clear();
      taking = undefined;
      rest = undefined;
    },
  };
}
