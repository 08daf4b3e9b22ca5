import type { ObjectEvent } from '../../api/events/resourceChange.js';
import { mergePending, type PendingEvents } from '../../delta/buffers/pendingEvents.js';

/**
 * What several changes come to: at most one transition of each object, or a deletion and then an addition.
 */
export class NetEvents<T> {
  private readonly pending = new Map<string, PendingEvents<T>>();

  add(events: Iterable<ObjectEvent<T>>): void {
    for (const event of events) {
      const known = this.pending.get(event.key);
      const pending = known ?? {};
      if (!mergePending(pending, event)) this.pending.delete(event.key);
      else if (known === undefined) this.pending.set(event.key, pending);
    }
  }

  /** Takes them out, deletes first. */
  take(): ObjectEvent<T>[] {
    const deleted: ObjectEvent<T>[] = [];
    const upserted: ObjectEvent<T>[] = [];
    for (const pending of this.pending.values()) {
      if (pending.deleted !== undefined) deleted.push(pending.deleted);
      if (pending.upserted !== undefined) upserted.push(pending.upserted);
    }
    this.pending.clear();
    return [...deleted, ...upserted];
  }
}
