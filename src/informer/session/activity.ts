/**
 * Knows which slow callbacks are running.
 */
export interface Activity {
  /** Takes note of a callback's promise. */
  track(promise: PromiseLike<unknown>): void;
  /** Resolves when none is running any more. */
  whenQuiet(): Promise<void>;
}

export function createActivity(): Activity {
  const running = new Set<PromiseLike<unknown>>();
  return {
    track: (promise) => {
      running.add(promise);
      const forget = (): void => {
        running.delete(promise);
      };
      promise.then(forget, forget);
    },
    whenQuiet: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/**
 * Whether a callback has returned a promise.
 */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
