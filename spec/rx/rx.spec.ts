import { describe, expect, it } from '@jest/globals';
import { concat, mergeMap, of, range } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { TokenBucket } from '../../src/rx/tokenBucket.js';

function run(
  test: Parameters<TestScheduler['run']>[0] extends (helpers: infer H) => unknown ? (helpers: H, scheduler: TestScheduler) => void : never,
): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run((helpers) => test(helpers, scheduler));
}

describe('TokenBucket', () => {
  it('lets a burst go at once and the rest at the rate, in order (RT-01)', () => {
    run(({ expectObservable }, scheduler) => {
      const limiter = new TokenBucket(2, 3, scheduler);
      const turns = range(1, 5).pipe(mergeMap((number) => concat(limiter.turn(), of(String(number)))));
      expectObservable(turns).toBe('(123) 495ms 4 499ms (5|)');
    });
  });

  it('fills up again in a pause, to the burst and no further', () => {
    run(({ cold, expectObservable }, scheduler) => {
      const limiter = new TokenBucket(1, 2, scheduler);
      const requests = cold('(ab) 10s (cde)').pipe(mergeMap((name) => concat(limiter.turn(), of(name))));
      expectObservable(requests, '^ 12s !').toBe('(ab) 10s (cd) 996ms e');
    });
  });

  it('passes a turn on that is given up', () => {
    run(({ expectObservable }, scheduler) => {
      const limiter = new TokenBucket(1, 1, scheduler);
      const turn = (name: string) => concat(limiter.turn(), of(name));
      expectObservable(turn('a')).toBe('(a|)');
      expectObservable(turn('b'), '^ 500ms !').toBe('');
      expectObservable(turn('c')).toBe('1s (c|)');
    });
  });

  it('leaves no timer when nobody waits any more', () => {
    run(({ expectObservable, flush }, scheduler) => {
      const limiter = new TokenBucket(1, 1, scheduler);
      expectObservable(limiter.turn()).toBe('|');
      expectObservable(limiter.turn(), '^ 500ms !').toBe('');
      flush();
      expect(scheduler.now()).toBeLessThan(1_000);
    });
  });
});
