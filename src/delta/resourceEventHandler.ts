import { checkOptions, describeValue, type OptionRules, rules } from '../api/options.js';
import type { LeaveReason, ResourceEvent } from '../api/events.js';

/**
 * Functions to call for events of objects. All of them are optional.
 *
 * An informer awaits a promise that a function returns before the next call. When a function throws or its promise rejects, the error goes to `error$`
 * (`ERR_HANDLER`), and the next call follows. `processDeltas` waits for nothing.
 *
 * @see client-go: `ResourceEventHandlerDetailedFuncs`
 */
export interface ResourceEventHandler<T> {
  /** An object came into the cache. `isInInitialList`: it was in the first list, or in the cache when the handler was added. */
  onAdd?(object: T, isInInitialList: boolean): unknown;
  /** An object was replaced by a newer version. In a resync both are the same object. */
  onUpdate?(oldObject: T, object: T): unknown;
  /** An object left the cache. `finalStateUnknown`: its deletion was missed, and `object` is its last known state. With a `reason`, it was not deleted. */
  onDelete?(object: T, finalStateUnknown: boolean, reason?: LeaveReason): unknown;
}

type HandlerFunctions = Readonly<Partial<Record<'onAdd' | 'onUpdate' | 'onDelete', unknown>>>;

const handlerRules: OptionRules<HandlerFunctions> = { onAdd: rules.function, onUpdate: rules.function, onDelete: rules.function };

/**
 * Checks the functions of a handler. An instance of a class may have other members.
 *
 * @throws TypeError that names what is wrong.
 */
export function checkHandler(owner: string, handler: HandlerFunctions): void {
  const given: unknown = handler;
  if (!rules.object.holds(given)) {
    throw new TypeError(
      `Expected the handler of \`${owner}\` to be an object with onAdd, onUpdate or onDelete, got ${describeValue(given)}`,
    );
  }
  const { onAdd, onUpdate, onDelete } = handler;
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(given) as object | null);
  checkOptions<HandlerFunctions>(owner, isPlain ? handler : { onAdd, onUpdate, onDelete }, handlerRules);
}

/** Calls the handler's function for the type of an event, and returns its result. */
export function callHandler<T>(handler: ResourceEventHandler<T>, event: ResourceEvent<T>): unknown {
  if (event.type === 'added') return handler.onAdd?.(event.object, event.initial);
  if (event.type === 'updated') return handler.onUpdate?.(event.oldObject, event.object);
  if (event.type === 'synced') return undefined;
  return handler.onDelete?.(event.object, event.finalStateUnknown, ...(event.reason === undefined ? [] : [event.reason]));
}
