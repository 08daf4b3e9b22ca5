import type { ObjectEvent, ResourceChange, ResourceEvent } from '../../api/events.js';
import { briefly } from '../marbles/briefly.js';

const types: ReadonlySet<unknown> = new Set(['added', 'updated', 'deleted', 'synced']);

/** Folds changes (or events) into the resulting content, and throws for those that contradict it. */
export class ChangeFold<T> {
  readonly objects: Map<string, T> = new Map<string, T>();
  synced = false;

  /**
   * @throws Error when the change has an event that contradicts the content, two transitions of one key, a deletion after another event, or
   * no effect at all.
   */
  apply(value: ResourceChange<T> | ResourceEvent<T>): void {
    const given: unknown = value;
    const { events: several, type } = (given ?? {}) as { readonly events?: unknown; readonly type?: unknown };
    if (!Array.isArray(several) && !types.has(type)) throw new Error(`expected a change or an event, got ${briefly(given)}`);
    if (!('events' in value)) {
      if (value.type === 'synced') this.synced = true;
      else this.applyEvent(value);
      return;
    }
    const { cause, events, synced } = value;
    if (events.length === 0 && cause !== 'snapshot' && cause !== 'list') throw new Error(`a change of the cause ${cause} is empty`);
    const seen = new Map<string, ObjectEvent<T>['type']>();
    let deletesAreOver = false;
    for (const event of events) {
      const before = seen.get(event.key);
      if (event.type !== 'deleted') deletesAreOver = true;
      else if (deletesAreOver) throw new Error(`${briefly(event)} follows an event that is not a deletion`);
      if (before !== undefined && !(before === 'deleted' && event.type === 'added')) {
        throw new Error(`${briefly(event)} follows ${before} of the same key in one change`);
      }
      seen.set(event.key, event.type);
      this.applyEvent(event);
    }
    this.synced = synced;
  }

  private applyEvent(event: ObjectEvent<T>): void {
    const isKnown = this.objects.has(event.key);
    if (isKnown === (event.type === 'added')) {
      throw new Error(`${event.type} ${event.key}, but the key is ${isKnown ? 'known already' : 'not known'}`);
    }
    if (event.type === 'deleted') this.objects.delete(event.key);
    else this.objects.set(event.key, event.object);
  }
}
