import { lineOf } from './lineOf.js';
import type { Running } from './registry.js';

/** The member of an object with its entry for the registry. */
export const runningKey: unique symbol = Symbol.for('rx-informer.running') as never;

/** An object that can be dumped, whether it is running or not. */
export interface Describable {
  readonly [runningKey]: Running;
}

const inspectKey = Symbol.for('nodejs.util.inspect.custom');

/** Makes an object describable: for `dump`, and on one line for `util.inspect`. */
export function describable<O extends object>(thing: O, running: Running): O {
  Object.defineProperty(thing, runningKey, { value: running });
  Object.defineProperty(thing, inspectKey, { value: () => `<${lineOf(running.facts())}>` });
  return thing;
}

/** Makes a wrapper describable like the object that it wraps. */
export function describedAs<O extends object>(thing: O, inner: object): O {
  const running = (inner as Partial<Describable>)[runningKey];
  return running === undefined ? thing : describable(thing, running);
}
