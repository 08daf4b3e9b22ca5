import type { SchedulerLike } from 'rxjs';

/** Waits for promises that never reject; false when one of them is still pending at `until`. */
export function settleBefore(promises: Iterable<Promise<unknown>>, until: number, scheduler: SchedulerLike): Promise<boolean> {
  const pending = [...promises];
  if (pending.length === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const late = scheduler.schedule(() => resolve(false), Math.max(until - scheduler.now(), 0));
    void Promise.all(pending).then(() => {
      late.unsubscribe();
      resolve(true);
    });
  });
}
