import { Observable, type OperatorFunction } from 'rxjs';
import type { ResourceChange, ResourceEvent } from '../../../src/api/events.js';
import { flattenChange } from '../../../src/delta/share/shareWithSnapshot.js';
import { follow } from '../../../src/rx/trampoline.js';

/** Emits the events of each change one by one, as `resource$` does. */
export function flattenChanges<T>(): OperatorFunction<ResourceChange<T>, ResourceEvent<T>> {
  return (source) =>
    new Observable((subscriber) => {
      follow(source, subscriber, { next: (change) => flattenChange(change, subscriber) });
    });
}
