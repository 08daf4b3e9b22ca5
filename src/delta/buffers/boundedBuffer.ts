import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { EventBuffer } from './eventBuffer.js';
import { Fifo } from './fifo.js';

/** Whether an event counts against a buffer's capacity. Those of a snapshot do not: nobody could have taken them in time. */
export function takesRoom(event: ResourceEvent<unknown>): boolean {
  return event.type !== 'synced' && !(event.type === 'added' && event.initial);
}

/** The buffer in which everything waits, until there is no room for one more. */
export function createBoundedBuffer<T>(capacity: number): EventBuffer<T> {
  const queue = new Fifo<ResourceEvent<T>>();
  let taken = 0;
  return {
    isEmpty: () => queue.size === 0,
    size: () => queue.size,
    push: (event) => {
      if (takesRoom(event)) {
        if (taken >= capacity) return false;
        taken += 1;
      }
      queue.push(event);
      return true;
    },
    shift: () => {
      const event = queue.shift();
      if (event !== undefined && takesRoom(event)) taken -= 1;
      return event;
    },
    clear: () => {
      queue.clear();
      taken = 0;
    },
  };
}
