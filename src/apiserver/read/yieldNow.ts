/** Lets everything that waits on the event loop run first. */
export function yieldNow(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How long one piece of work may keep the event loop, in milliseconds. */
export const sliceMs = 5;
