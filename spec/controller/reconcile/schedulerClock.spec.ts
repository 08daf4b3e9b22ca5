import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';

import { schedulerClock } from '../../../src/controller/reconcile/schedulerClock.js';

describe('schedulerClock', () => {
  it('tells the time of the scheduler and calls back in it, unless cancelled', () => {
    const scheduler = new VirtualTimeScheduler();
    const clock = schedulerClock(scheduler);
    const calls: number[] = [];
    clock.setTimer(() => calls.push(clock.now()), 30);
    clock.setTimer(() => calls.push(clock.now()), 10);
    clock.setTimer(() => calls.push(-1), 20)();
    expect(clock.now()).toBe(0);
    scheduler.flush();
    expect(calls).toEqual([10, 30]);
  });
});
