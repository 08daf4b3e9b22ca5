import type { VirtualTimeScheduler } from 'rxjs';

/**
 * Advances virtual time, and runs everything that is due meanwhile.
 *
 * @example
 * ```ts
 * import { VirtualTimeScheduler } from 'rxjs';
 * import { reflect } from 'rx-informer/pipeline';
 * import { advanceBy, FakeListerWatcher } from 'rx-informer/testing';
 *
 * const scheduler = new VirtualTimeScheduler();
 * reflect(new FakeListerWatcher({ scheduler }), { scheduler }).subscribe((event) => console.log(event.type));
 * advanceBy(scheduler, 60_000);
 * ```
 *
 * @param ms - How long, in milliseconds.
 */
export function advanceBy(scheduler: VirtualTimeScheduler, ms: number): void {
  const until = scheduler.now() + ms;
  // The clock stops at the last scheduled action: schedule one at the end.
  scheduler.schedule(() => undefined, ms);
  scheduler.maxFrames = until;
  scheduler.flush();
}
