/** Resolves in a later turn of the event loop, so that pending work runs first. */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How long one piece of work may occupy the event loop, in milliseconds. */
export const sliceMs = 5;
