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
export class ConflatingBuffer<T> implements EventBuffer<T> {
  private readonly waiting = new Map<string, PendingEvents<T> | SyncedEvent>();
  /** One iterator for as long as there is something to take: a new one would have to walk over all that has been taken before. */
  private taking: IterableIterator<[string, PendingEvents<T> | SyncedEvent]> | undefined;
  /** The second half of what has been taken last. */
  private rest: ResourceEvent<T> | undefined;

  isEmpty(): boolean {
    return this.size() === 0;
  }

  size(): number {
    return this.waiting.size + (this.rest === undefined ? 0 : 1);
  }

  push(event: ResourceEvent<T>): boolean {
    const { waiting } = this;
    const known = waiting.get(event.type === 'synced' ? boundaryKey : event.key);
    if (event.type === 'synced') {
      waiting.delete(boundaryKey);
      const { previousResourceVersion } = known !== undefined && 'type' in known ? known : event;
      waiting.set(boundaryKey, { ...event, previousResourceVersion });
      return true;
    }
    const entry: PendingEvents<T> = known === undefined || 'type' in known ? {} : known;
    if (!mergePending(entry, event)) waiting.delete(event.key);
    else if (entry !== known) waiting.set(event.key, entry);
    return true;
  }

  shift(): ResourceEvent<T> | undefined {
    const event = this.rest ?? this.take();
    if (event === this.rest) this.rest = undefined;
    return event;
  }

  clear(): void {
    this.waiting.clear();
    this.taking = undefined;
    this.rest = undefined;
  }

  private take(): ResourceEvent<T> | undefined {
    this.taking ??= this.waiting.entries();
    const next = this.taking.next();
    if (next.done === true) {
      this.taking = undefined;
      return undefined;
    }
    const [key, entry] = next.value;
    this.waiting.delete(key);
    if ('type' in entry) return entry;
    if (entry.deleted === undefined) return entry.upserted;
    this.rest = entry.upserted;
    return entry.deleted;
  }
}
