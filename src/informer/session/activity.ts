/**
 * Knows which slow callbacks are running.
 */
export interface Activity {
  /** Takes note of a callback's promise. */
  track(promise: Promise<unknown>): void;
  /** Resolves when none is running any more. */
  whenQuiet(): Promise<void>;
}

export function createActivity(): Activity {
  const running = new Set<Promise<unknown>>();
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
