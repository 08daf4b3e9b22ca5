import { describe, expect, it } from '@jest/globals';
import { concat, mergeMap, of, range, type SchedulerLike, VirtualTimeScheduler } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { advanceBy } from '../../../src/testing/marbles/advanceBy.js';
import { tokenBucket } from '../../../src/client/requests/rateLimiter.js';

function run(
  test: Parameters<TestScheduler['run']>[0] extends (helpers: infer H) => unknown ? (helpers: H, scheduler: TestScheduler) => void : never,
): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run((helpers) => test(helpers, scheduler));
}

describe('tokenBucket', () => {
  it('lets a burst go at once and the rest at the rate, in order (RT-01)', () => {
    run(({ expectObservable }, scheduler) => {
      const limiter = tokenBucket({ qps: 2, burst: 3, scheduler });
      const turns = range(1, 5).pipe(mergeMap((number) => concat(limiter.turn(), of(String(number)))));
      expectObservable(turns).toBe('(123) 495ms 4 499ms (5|)');
    });
  });

  it('fills up again in a pause, to the burst and no further', () => {
    run(({ cold, expectObservable }, scheduler) => {
      const limiter = tokenBucket({ qps: 1, burst: 2, scheduler });
      const requests = cold('(ab) 10s (cde)').pipe(mergeMap((name) => concat(limiter.turn(), of(name))));
      expectObservable(requests, '^ 12s !').toBe('(ab) 10s (cd) 996ms e');
    });
  });

  it('passes a turn on that is given up', () => {
    run(({ expectObservable }, scheduler) => {
      const limiter = tokenBucket({ qps: 1, burst: 1, scheduler });
      const turn = (name: string) => concat(limiter.turn(), of(name));
      expectObservable(turn('a')).toBe('(a|)');
      expectObservable(turn('b'), '^ 500ms !').toBe('');
      expectObservable(turn('c')).toBe('1s (c|)');
    });
  });

  it('leaves no timer when nobody waits any more', () => {
    run(({ expectObservable, flush }, scheduler) => {
      const limiter = tokenBucket({ qps: 1, burst: 1, scheduler });
      expectObservable(limiter.turn()).toBe('|');
      expectObservable(limiter.turn(), '^ 500ms !').toBe('');
      flush();
      expect(scheduler.now()).toBeLessThan(1_000);
    });
  });

  it('waits for turns that are further away than a timer can be', () => {
    const scheduler = new VirtualTimeScheduler();
    const delays: number[] = [];
    const noted = {
      now: () => scheduler.now(),
      schedule: ((work: never, delay = 0, state: never) => {
        delays.push(delay);
        return scheduler.schedule(work, delay, state);
      }) as SchedulerLike['schedule'],
    };
    const limiter = tokenBucket({ qps: 1e-7, burst: 1, scheduler: noted });
    limiter.turn().subscribe();
    let turns = 0;
    limiter.turn().subscribe({ complete: () => (turns += 1) });
    advanceBy(scheduler, 1e10 - 1);
    expect(turns).toBe(0);
    advanceBy(scheduler, 2);
    expect(turns).toBe(1);
    expect(Math.max(...delays)).toBeLessThan(2 ** 31);
  });
});
