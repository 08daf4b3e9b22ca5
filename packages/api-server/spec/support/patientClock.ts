import type { Clock } from 'rx-informer/workqueue';
import { systemClock } from '../../src/clock.js';

/** A request takes four turns or so of the event loop. */
const turns = 20;

/**
 * The clock of a server that minutes of the protocol take seconds of: `speed` seconds pass in one.
 *
 * A timer that is due waits for some turns of the event loop more. On a machine that has stalled, what was under way comes first.
 */
export function patientClock(speed = 10): Clock {
  const begun = Date.now();
  return {
    now: () => begun + (Date.now() - begun) * speed,
    schedule: (work, delayMs = 0) => {
      let left = delayMs > 0 ? turns : 0;
      let timer: ReturnType<Clock['schedule']>;
      const arm = (ms: number): void => {
        timer = systemClock.schedule(() => {
          left -= 1;
          if (left < 0) work();
          else arm(1);
        }, ms);
      };
      arm(delayMs / speed);
      return { unsubscribe: () => timer.unsubscribe() };
    },
  };
}
