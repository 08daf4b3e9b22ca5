import type * as whole from './describable.js';

/** The member of an object with its entry for the registry. */
export const runningKey: typeof whole.runningKey = Symbol.for('rx-informer.running') as never;

export type Describable = whole.Describable;

/** For `dump`; without `util.inspect`, which browsers lack. */
export const describable: typeof whole.describable = (thing, running) => Object.defineProperty(thing, runningKey, { value: running });

export const describedAs: typeof whole.describedAs = (thing, inner) => {
  const running = (inner as Partial<Describable>)[runningKey];
  return running === undefined ? thing : describable(thing, running);
};
