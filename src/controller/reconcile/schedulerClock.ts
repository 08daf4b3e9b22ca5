import type { SchedulerLike } from 'rxjs';
import { schedulerOf } from '../../rx/schedulerOf.js';
import type { Clock } from '../../workqueue/clock.js';

/**
 * The clock of a work queue that runs on an RxJS scheduler: real time on `asyncScheduler`, which is then monotonic, virtual time on a TestScheduler.
 *
 * @example
 * ```ts
 * import { VirtualTimeScheduler } from 'rxjs';
 * import { schedulerClock } from 'rx-informer/controller';
 * import { createDelayingQueue } from 'rx-informer/workqueue';
 *
 * const scheduler = new VirtualTimeScheduler();
 * const queue = createDelayingQueue<string>({ clock: schedulerClock(scheduler) });
 * ```
 */
export function schedulerClock(given: SchedulerLike): Clock {
  const scheduler = schedulerOf(given);
  return {
    now: () => scheduler.now(),
    setTimer: (callback, delayMs) => {
      const action = scheduler.schedule(() => callback(), delayMs);
      return () => action.unsubscribe();
    },
  };
}
