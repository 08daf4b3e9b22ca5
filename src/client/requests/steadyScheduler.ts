import { asyncScheduler, type SchedulerLike } from 'rxjs';

/**
 * RxJS's `asyncScheduler` on a clock that nobody sets: a wall clock that is set back would stop every limit of time for as long.
 */
export const steadyScheduler: SchedulerLike = {
  now: () => performance.timeOrigin + performance.now(),
  schedule: asyncScheduler.schedule.bind(asyncScheduler),
};
