import type { ResourceEvent } from '../api/events/resourceEvent.js';

interface Handler<T> {
  onAdd?(object: T, isInInitialList: boolean): unknown;
  onUpdate?(oldObject: T, object: T): unknown;
  onDelete?(object: T, finalStateUnknown: boolean): unknown;
}

/** Calls the function of a handler that is meant for an event, and returns what it returns. */
export function callHandler<T>(handler: Handler<T>, event: ResourceEvent<T>): unknown {
  switch (event.type) {
    case 'added':
      return handler.onAdd?.(event.object, event.initial);
    case 'updated':
      return handler.onUpdate?.(event.oldObject, event.object);
    case 'deleted':
      return handler.onDelete?.(event.object, event.finalStateUnknown);
    default:
      return undefined;
  }
}
