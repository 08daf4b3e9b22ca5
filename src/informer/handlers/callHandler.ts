import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { ResourceEventHandler } from './eventHandler.js';

/**
 * Calls the function of a handler that is meant for an event, and returns what it returns.
 */
export function callHandler<T>(handler: ResourceEventHandler<T>, event: ResourceEvent<T>): unknown {
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

/**
 * @throws TypeError when it is none.
 */
export function checkHandler(handler: ResourceEventHandler<never>): void {
  const given: unknown = handler;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const kind = Array.isArray(given) ? 'an array' : typeof given;
    throw new TypeError(`Expected \`handler\` to be an object with onAdd, onUpdate or onDelete, got ${given === null ? 'null' : kind}`);
  }
  for (const name of ['onAdd', 'onUpdate', 'onDelete'] as const) {
    if (handler[name] !== undefined && typeof handler[name] !== 'function') {
      throw new TypeError(`Expected \`${name}\` of a handler to be a function, got ${typeof handler[name]}`);
    }
  }
}
