import { type Clock } from 'rx-informer/workqueue';
import { longestTimerMs } from 'rx-informer/internal';

/** The wall clock of the machine. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (work, delayMs = 0) => {
    const timer = setTimeout(work, Math.min(Math.max(delayMs, 0), longestTimerMs));
    timer.unref();
    return { unsubscribe: () => clearTimeout(timer) };
  },
};

let lastSecond = NaN;
let lastText = '';

/** A time as the API writes it: RFC 3339 with whole seconds. Cached for the current second. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1_000);
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`;
    lastSecond = second;
  }
  return lastText;
}
