import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

describe('advanceBy', () => {
  it('lets everything happen that is due, and the clock stand at the end', () => {
    const scheduler = new VirtualTimeScheduler();
    const ticks: number[] = [];
    scheduler.schedule(function tick() {
      ticks.push(scheduler.now());
      this.schedule(undefined, 100);
    }, 100);
    advanceBy(scheduler, 250);
    expect([scheduler.now(), ticks]).toEqual([250, [100, 200]]);
    advanceBy(scheduler, 50);
    expect([scheduler.now(), ticks]).toEqual([300, [100, 200, 300]]);
  });
});
