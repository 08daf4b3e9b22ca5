import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { Deadline } from '../../../src/source/reflector/deadline.js';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';

function watched(): { scheduler: VirtualTimeScheduler; deadline: Deadline; expired: number[] } {
  const scheduler = new VirtualTimeScheduler();
  const expired: number[] = [];
  const deadline = new Deadline(scheduler, () => expired.push(scheduler.now()));
  return { scheduler, deadline, expired };
}

describe('Deadline', () => {
  it('expires once', () => {
    const { scheduler, deadline, expired } = watched();
    deadline.set(100);
    advanceBy(scheduler, 1000);
    expect(expired).toEqual([100]);
  });

  it('can be pushed forward without touching a timer', () => {
    const { scheduler, deadline, expired } = watched();
    deadline.set(100);
    const timers = [...scheduler.actions];
    for (let at = 0; at < 500; at += 50) {
      advanceBy(scheduler, 50);
      deadline.set(100);
    }
    expect(scheduler.actions).toHaveLength(timers.length);
    advanceBy(scheduler, 1000);
    expect(expired).toEqual([600]);
  });

  it('can be pulled back', () => {
    const { scheduler, deadline, expired } = watched();
    deadline.set(1000);
    deadline.set(10);
    advanceBy(scheduler, 2000);
    expect(expired).toEqual([10]);
  });

  it('never expires at Infinity', () => {
    const { scheduler, deadline, expired } = watched();
    deadline.set(Infinity);
    expect(scheduler.actions).toHaveLength(0);
    deadline.set(10);
    deadline.set(Infinity);
    advanceBy(scheduler, 1000);
    expect(expired).toEqual([]);
    deadline.set(10);
    advanceBy(scheduler, 1000);
    expect(expired).toEqual([1010]);
  });

  it('expires after more time than a timer can hold', () => {
    const { scheduler, deadline, expired } = watched();
    deadline.set(2 ** 33);
    const longest = Math.max(...scheduler.actions.map(({ delay }) => delay));
    expect(longest).toBeLessThan(2 ** 31);
    advanceBy(scheduler, 2 ** 34);
    expect(expired).toEqual([2 ** 33]);
  });

  it('leaves no timer behind when it is cleared', () => {
    const { scheduler, deadline, expired } = watched();
    deadline.set(100);
    deadline.clear();
    expect(scheduler.actions).toHaveLength(0);
    advanceBy(scheduler, 1000);
    expect(expired).toEqual([]);
  });
});
