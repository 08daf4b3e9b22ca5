import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../src/workqueue/systemClock.js';

describe('systemClock', () => {
  // What it does with the timers of the runtime can only be seen in them.
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => void jest.useRealTimers());

  it('keeps delays that the timers of the runtime do not, and waits for ever for Infinity', () => {
    const delays: (number | undefined)[] = [];
    const set = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((_: unknown, ms?: number) => delays.push(ms)) as never);
    systemClock.setTimer(() => undefined, 5);
    systemClock.setTimer(() => undefined, 2 ** 40);
    systemClock.setTimer(() => undefined, Infinity)();
    set.mockRestore();
    expect(delays).toEqual([5, 2 ** 31 - 1]);
  });

  it('does not follow a system time that is set back', () => {
    const before = systemClock.now();
    jest.setSystemTime(0);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});
