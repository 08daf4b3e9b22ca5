/**
 * The clock and the timers of this package. RxJS schedulers fit: with a `TestScheduler` or a `VirtualTimeScheduler`, everything that takes a clock runs in virtual
 * time.
 */
export interface Clock {
  /** Milliseconds since any fixed moment. Must be monotonic. */
  now(): number;
  /** Calls `work` once, after `delayMs` milliseconds, never synchronously. Unsubscribing cancels the call. */
  schedule(
    work: () => void,
    delayMs?: number,
  ): {
    /** Cancels the call. */
    unsubscribe(): void;
  };
}

/** The longest delay that the timers of all runtimes support; a longer one fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/** Read once, since each change of a cache reads the clock twice, and that took a sixth of its time. */
const { timeOrigin } = performance;

/**
 * The clock of the machine: monotonic milliseconds, starting from the time since 1970. Its timers support delays of any length, and `Infinity`.
 */
export const systemClock: Clock = {
  now: () => timeOrigin + performance.now(),
  schedule: (work, delayMs = 0) => {
    const due = systemClock.now() + delayMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (leftMs: number): void => {
      if (leftMs <= longestTimerMs) timer = setTimeout(work, leftMs);
      else if (leftMs !== Infinity) timer = setTimeout(() => arm(due - systemClock.now()), longestTimerMs);
    };
    arm(delayMs);
    return { unsubscribe: () => clearTimeout(timer) };
  },
};
