import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { asyncScheduler, delay, Subscription, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { monotonicScheduler, schedulerOf } from '../../src/rx/schedulerOf.js';

const day = 86_400_000;

// The only spec that observes the timers of the runtime themselves.
describe('monotonicScheduler', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('goes on when the wall clock is set back or forward', () => {
    const before = monotonicScheduler.now();
    jest.setSystemTime(0);
    expect(monotonicScheduler.now()).toBe(before);
    jest.advanceTimersByTime(250);
    jest.setSystemTime(4e12);
    expect(monotonicScheduler.now() - before).toBe(250);
  });

  it('waits for delays that timers cannot keep', () => {
    const ran: number[] = [];
    const begun = monotonicScheduler.now();
    monotonicScheduler.schedule(() => ran.push(monotonicScheduler.now() - begun), 60 * day);
    jest.advanceTimersByTime(60 * day - 1);
    expect(ran).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(ran).toEqual([60 * day]);
  });

  it('is on time in virtual time, however slow the test is', () => {
    // Whoever reads the real clock finds that a second has passed.
    let now = 0;
    const real = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ cold, expectObservable }) => {
      expectObservable(cold('-a---|').pipe(delay(3, monotonicScheduler))).toBe('----a|');
    });
    real.mockRestore();
  });

  it('lets the event loop read its sockets before it fires late, and not for ever', () => {
    const work = jest.fn();
    monotonicScheduler.schedule(work, 100);
    // The event loop has been blocked for a second.
    jest.setSystemTime(Date.now() + 1_000);
    jest.advanceTimersByTime(100);
    expect(work).not.toHaveBeenCalled();
    jest.advanceTimersByTime(5);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('never fires after Infinity, and leaves no timer for it', () => {
    const work = jest.fn();
    monotonicScheduler.schedule(work, Infinity);
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(100 * day);
    expect(work).not.toHaveBeenCalled();
  });

  it('runs again when the work schedules itself, long delays included', () => {
    const seen: number[] = [];
    timer(10, 30 * day, monotonicScheduler).subscribe((value) => seen.push(value));
    jest.advanceTimersByTime(10);
    expect(seen).toEqual([0]);
    jest.advanceTimersByTime(30 * day - 1);
    expect(seen).toEqual([0]);
    jest.advanceTimersByTime(1);
    expect(seen).toEqual([0, 1]);
  });

  it('lets go of work that has run', () => {
    const parent = new Subscription();
    const action = monotonicScheduler.schedule(() => undefined, 5);
    parent.add(action);
    jest.advanceTimersByTime(5);
    expect(action.closed).toBe(true);
    expect((parent as unknown as { _finalizers?: unknown[] })._finalizers ?? []).toEqual([]);
  });

  it('does not run, and leaves no timer, once it is unsubscribed from', () => {
    const work = jest.fn();
    const action = monotonicScheduler.schedule(work, 3_000_000_000);
    jest.advanceTimersByTime(2_500_000_000);
    action.unsubscribe();
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(1_000_000_000);
    expect(work).not.toHaveBeenCalled();
  });
});

describe('schedulerOf', () => {
  it('replaces the scheduler whose clock can be set, and no other', () => {
    const own = { now: () => 0, schedule: () => Subscription.EMPTY };
    expect(schedulerOf()).toBe(monotonicScheduler);
    expect(schedulerOf(asyncScheduler)).toBe(monotonicScheduler);
    expect(schedulerOf(own)).toBe(own);
  });
});
