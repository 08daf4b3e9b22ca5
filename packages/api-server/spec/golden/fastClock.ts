import type { Clock } from 'rx-informer/workqueue';
import { systemClock } from '../../src/clock.js';

const speed = 10;

/** Ten seconds of it pass in one. */
export function fastClock(): Clock {
  const begun = Date.now();
  return {
    now: () => begun + (Date.now() - begun) * speed,
    schedule: (work, delayMs = 0) => systemClock.schedule(work, delayMs / speed),
  };
}
