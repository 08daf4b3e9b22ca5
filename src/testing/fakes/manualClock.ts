import type { Clock } from '../../api/clock.js';

/** A clock that a test advances. */
export type ManualClock = Readonly<
  Clock & {
    /** Advances the time, and calls every timer at its time, including timers set meanwhile. */
    advanceBy(ms: number): void;
    /** The number of pending timers. */
    timers: number;
  }
>;

/**
 * Makes a clock for a work queue or an embedded API server that advances only when the test says so.
 *
 * @example
 * ```ts
 * import { createManualClock } from 'rx-informer/testing';
 * import { createDelayingQueue } from 'rx-informer/workqueue';
 *
 * const clock = createManualClock();
 * const queue = createDelayingQueue<string>({ clock });
 * queue.addAfter('default/web', 1_000);
 * clock.advanceBy(1_000);
 * queue.len(); // 1
 * ```
 */
export function createManualClock(startMs = 0): ManualClock {
  let now = startMs;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const earliest = (): { readonly at: number; readonly callback: () => void } | undefined => {
    const [first, ...others] = timers;
    return others.reduce((best, timer) => (best === undefined || timer.at < best.at ? timer : best), first);
  };
  return {
    now: () => now,
    schedule: (work, delayMs = 0) => {
      const timer = { at: now + Math.max(delayMs, 0), callback: work };
      timers.add(timer);
      return { unsubscribe: () => void timers.delete(timer) };
    },
    advanceBy: (ms) => {
      const end = now + ms;
      for (let next = earliest(); next !== undefined && next.at <= end; next = earliest()) {
        timers.delete(next);
        now = next.at;
        next.callback();
      }
      now = end;
    },
    get timers() {
      return timers.size;
    },
  };
}
