import { Observable, type OperatorFunction } from 'rxjs';
import { follow } from '../../rx/follow.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { ResourceEvent } from '../../api/events/resourceEvent.js';

/**
 * Tells the events of a change, one after the other, and with `synced` behind a snapshot or a list after which every scope is complete.
 */
export function flattenChange<T>(change: ResourceChange<T>, observer: { next(event: ResourceEvent<T>): void }): void {
  const { cause, events, synced } = change;
  for (const event of events) observer.next(event);
  if (!synced || (cause !== 'snapshot' && cause !== 'list')) return;
  const { resourceVersion = '', previousResourceVersion = '' } = change;
  observer.next({ type: 'synced', resourceVersion, previousResourceVersion });
}

/**
 * An observer of changes who tells another one their events.
 */
export function flattening<T>(observer: { next(event: ResourceEvent<T>): void }): { next(change: ResourceChange<T>): void } {
  return { next: (change) => flattenChange(change, observer) };
}

/**
 * Emits the events of each change one by one, for those who want to look at one object at a time.
 *
 * ```text
 * source  {+a +b synced}   {~a}   {-a +a'}
 * result  (+a +b synced)   ~a     (-a +a')
 * ```
 *
 * `synced` follows a snapshot or a list after which every scope is complete. Where a change ends cannot be told from the result.
 */
export function flattenChanges<T>(): OperatorFunction<ResourceChange<T>, ResourceEvent<T>> {
  return (source) =>
    new Observable((subscriber) => {
      follow(source, subscriber, { next: (change) => flattenChange(change, subscriber) });
    });
}
