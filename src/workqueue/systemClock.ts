import type { Clock } from './clock.js';

/**
 * The clock of the machine: milliseconds since 1970 that no change of the system time can turn back.
 */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimer: (callback, delayMs) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
