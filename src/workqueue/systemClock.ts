import type { Clock } from './clock.js';

/** Longer timers fire at once in Node and browsers: such a wait is made of several. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * The clock of the machine: milliseconds since 1970 that no change of the system time can turn back. Its timers keep delays of any length, and `Infinity`.
 */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimer: (callback, delayMs) => {
    const due = systemClock.now() + delayMs;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = (leftMs: number): void => {
      if (leftMs <= longestTimerMs) timer = setTimeout(callback, leftMs);
      else if (leftMs !== Infinity) timer = setTimeout(() => arm(due - systemClock.now()), longestTimerMs);
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};
