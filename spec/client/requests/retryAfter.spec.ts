import { describe, expect, it } from '@jest/globals';
import { concat, defer, NEVER, of, throwError } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { ApiError } from '../../../src/api/errors/apiError.js';
import { retryAfter } from '../../../src/client/requests/wholeRequester.js';

type Helpers = Parameters<Parameters<TestScheduler['run']>[0]>[0];

function run(test: (helpers: Helpers, scheduler: TestScheduler) => void): void {
  const scheduler = new TestScheduler((actual, expected) => expect(actual).toEqual(expected));
  scheduler.run((helpers) => test(helpers, scheduler));
}

const refusal = (code: number, retryAfterMs?: number) => new ApiError({ code, message: 'refused', retryAfterMs });

describe('retryAfter', () => {
  it.each([429, 500, 503])('waits as long as a %i says, then sends again (RT-03)', (code) => {
    run(({ cold, expectObservable, expectSubscriptions }, scheduler) => {
      const attempts = [cold('-#', undefined, refusal(code, 2_000)), cold('-a|')];
      const sent = defer(() => attempts.shift() ?? NEVER);
      const [first, second] = attempts;
      expectObservable(sent.pipe(retryAfter({ deadline: Infinity, scheduler, closed$: NEVER }))).toBe('2002ms a|');
      expectSubscriptions(first?.subscriptions ?? []).toBe('^!');
      expectSubscriptions(second?.subscriptions ?? []).toBe('2001ms ^-!');
    });
  });

  it.each([
    ['429 that does not say when', refusal(429)],
    ['other refusal', refusal(409, 1_000)],
    ['failure of the connection', new Error('reset')],
  ])('passes any %s on (RT-03)', (_, error) => {
    run(({ cold, expectObservable }, scheduler) => {
      expectObservable(cold('-#', undefined, error).pipe(retryAfter({ deadline: Infinity, scheduler, closed$: NEVER }))).toBe(
        '-#',
        undefined,
        error,
      );
    });
  });

  it('gives up after ten retries (RT-03)', () => {
    run(({ expectObservable }, scheduler) => {
      const error = refusal(429, 1_000);
      let sent = 0;
      const attempt = defer(() => {
        sent += 1;
        return throwError(() => error);
      });
      expectObservable(attempt.pipe(retryAfter({ deadline: Infinity, scheduler, closed$: NEVER }))).toBe('10s #', undefined, error);
      scheduler.flush();
      expect(sent).toBe(11);
    });
  });

  it.each([120_000, 4_000_000_000_000, Number.MAX_SAFE_INTEGER])(
    'waits a minute where it is told to wait longer: %i ms',
    (retryAfterMs) => {
      run(({ cold, expectObservable }, scheduler) => {
        const attempts = [cold('#', undefined, refusal(503, retryAfterMs)), cold('a|')];
        const sent = defer(() => attempts.shift() ?? NEVER);
        expectObservable(sent.pipe(retryAfter({ deadline: Infinity, scheduler, closed$: NEVER }))).toBe('1m a|');
      });
    },
  );

  it('does not wait beyond the deadline', () => {
    run(({ expectObservable }, scheduler) => {
      const error = refusal(503, 1_000);
      const attempt = concat(
        of('a'),
        throwError(() => error),
      );
      expectObservable(attempt.pipe(retryAfter({ deadline: 2_500, scheduler, closed$: NEVER }))).toBe(
        'a 999ms a 999ms (a#)',
        undefined,
        error,
      );
    });
  });

  it('leaves no timer when it is given up', () => {
    run(({ cold, expectObservable, flush }, scheduler) => {
      const attempt = cold('#', undefined, refusal(429, 60_000));
      expectObservable(attempt.pipe(retryAfter({ deadline: Infinity, scheduler, closed$: NEVER })), '^ 1s !').toBe('');
      flush();
      expect(scheduler.now()).toBeLessThan(60_000);
    });
  });
});
