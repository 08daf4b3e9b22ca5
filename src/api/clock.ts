/**
 * The time and the timers of everything here. An RxJS scheduler is one: with a `TestScheduler` or a `VirtualTimeScheduler`, virtual time moves whatever takes a
 * clock.
 */
export interface Clock {
  /** Milliseconds since any fixed moment. Must not go backwards. */
  now(): number;
  /** Calls `work` once, `delayMs` milliseconds from now and never before `schedule` has returned. Unsubscribing cancels that. */
  schedule(
    work: () => void,
    delayMs?: number,
  ): {
    /** Cancels the call. */
    unsubscribe(): void;
  };
}

/** The longest delay that the timers of all runtimes keep; a longer one fires at once. */
export const longestTimerMs: number = 2 ** 31 - 1;

/**
 * The clock of the machine: milliseconds since 1970 that no change of the system time can turn back. Its timers keep delays of any length, and `Infinity`.
 */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
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
