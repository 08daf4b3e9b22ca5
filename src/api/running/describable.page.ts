import type * as whole from './describable.js';

/** Where a thing keeps what it says of itself. */
export const runningKey: typeof whole.runningKey = Symbol.for('rx-informer.running') as never;

export type Describable = whole.Describable;

/** For `dump`: browsers have an inspector of their own. */
export const describable: typeof whole.describable = (thing, running) => Object.defineProperty(thing, runningKey, { value: running });

export const describedAs: typeof whole.describedAs = (thing, inner) => {
  const running = (inner as Partial<Describable>)[runningKey];
  return running === undefined ? thing : describable(thing, running);
};
