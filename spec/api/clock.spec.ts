import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from '../../src/api/clock.js';

describe('systemClock', () => {
  afterEach(() => void jest.useRealTimers());

  it('tells the time of day', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
  });

  it('calls back once and later, unless cancelled', async () => {
    const calls: string[] = [];
    const timer = systemClock.schedule(() => calls.push('cancelled'), 0);
    timer.unsubscribe();
    await new Promise<void>((resolve) => {
      systemClock.schedule(() => {
        calls.push('called');
        resolve();
      }, 1);
      calls.push('set');
    });
    expect(calls).toEqual(['set', 'called']);
  });

  it('keeps delays that the timers of the runtime do not, and waits for ever for Infinity', () => {
    // The delays that the clock passes to the timers of the runtime are visible only there.
    const delays: (number | undefined)[] = [];
    const set = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((_: unknown, ms?: number) => delays.push(ms)) as never);
    systemClock.schedule(() => undefined, 5);
    systemClock.schedule(() => undefined, 2 ** 40);
    systemClock.schedule(() => undefined, Infinity).unsubscribe();
    set.mockRestore();
    expect(delays).toEqual([5, 2 ** 31 - 1]);
  });

  it('does not follow a system time that is set back', () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    const before = systemClock.now();
    jest.setSystemTime(0);
    expect(systemClock.now()).toBeGreaterThanOrEqual(before);
  });
});
