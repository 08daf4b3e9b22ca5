import { lineOf } from './lineOf.js';
import type { Running } from './registry.js';

/** Where a thing keeps what it says of itself. */
export const runningKey: unique symbol = Symbol.for('rx-informer.running') as never;

/** What has something to say of itself, whether it runs or not. */
export interface Describable {
  readonly [runningKey]: Running;
}

const inspectKey = Symbol.for('nodejs.util.inspect.custom');

/** Makes a thing describable: for `dump`, and for `util.inspect` as one line. */
export function describable<O extends object>(thing: O, running: Running): O {
  Object.defineProperty(thing, runningKey, { value: running });
  Object.defineProperty(thing, inspectKey, { value: () => `<${lineOf(running.facts())}>` });
  return thing;
}

/** The same for a thing that is made around another one, and says the same of itself. */
export function describedAs<O extends object>(thing: O, inner: object): O {
  const running = (inner as Partial<Describable>)[runningKey];
  return running === undefined ? thing : describable(thing, running);
}
