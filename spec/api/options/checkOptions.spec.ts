import { describe, expect, it } from '@jest/globals';
import type { SchedulerLike } from 'rxjs';
import { checkOptions, randomOf, rules } from '../../../src/api/options.js';

const secret = { ...rules.nonEmptyString, secret: true };

interface Options {
  readonly namespace?: string | undefined;
  readonly resyncPeriodMs?: number | undefined;
  readonly token?: string | undefined;
  readonly onError?: (() => void) | undefined;
  readonly mode?: 'a' | 'b' | 'c' | undefined;
  readonly random?: (() => number) | undefined;
  readonly scheduler?: SchedulerLike | undefined;
}

const check = (options: unknown): void => {
  checkOptions<Options>('createThing', options as Options, {
    namespace: rules.string,
    resyncPeriodMs: rules.durationOf({ min: 1_000, infinite: true }),
    token: secret,
    onError: rules.function,
    mode: rules.oneOf('a', 'b', 'c'),
    random: rules.function,
    scheduler: rules.scheduler,
  });
};

describe('checkOptions', () => {
  it('accepts known names with right values, and undefined for each', () => {
    expect(() => check({})).not.toThrow();
    expect(() => check({ namespace: 'web', resyncPeriodMs: Infinity, token: 'x', onError: () => undefined, mode: 'b' })).not.toThrow();
    expect(() => check({ namespace: undefined, mode: undefined })).not.toThrow();
  });

  it.each([
    [{ namepsace: 'web' }, 'Unknown option `namepsace` of `createThing`; did you mean `namespace`?'],
    [{ resyncPeriod: 1_000 }, 'Unknown option `resyncPeriod` of `createThing`; did you mean `resyncPeriodMs`?'],
    [
      { zzz: 1 },
      'Unknown option `zzz` of `createThing`; it has `namespace`, `resyncPeriodMs`, `token`, `onError`, `mode`, `random`, `scheduler`',
    ],
    [
      { toString: 1 },
      'Unknown option `toString` of `createThing`; it has `namespace`, `resyncPeriodMs`, `token`, `onError`, `mode`, `random`, `scheduler`',
    ],
    [{ namespace: 5 }, 'Expected `namespace` of `createThing` to be a string, got 5'],
    [{ namespace: { secret: 'x' } }, 'Expected `namespace` of `createThing` to be a string, got an object'],
    [{ resyncPeriodMs: 999 }, 'Expected `resyncPeriodMs` of `createThing` to be a number of milliseconds >= 1000 or Infinity, got 999'],
    [{ resyncPeriodMs: NaN }, 'Expected `resyncPeriodMs` of `createThing` to be a number of milliseconds >= 1000 or Infinity, got NaN'],
    [{ token: '' }, 'Expected `token` of `createThing` to be a non-empty string, got something else'],
    [
      { scheduler: { now: () => NaN, schedule: () => undefined } },
      'Expected `scheduler` of `createThing` to be an RxJS scheduler, got an object',
    ],
    [{ onError: 'retry' }, 'Expected `onError` of `createThing` to be a function, got "retry"'],
    [{ mode: 'd' }, "Expected `mode` of `createThing` to be 'a', 'b' or 'c', got \"d\""],
    [500, 'Expected the options of `createThing` to be an object, got 500'],
    ['http://x', 'Expected the options of `createThing` to be an object, got "http://x"'],
    [null, 'Expected the options of `createThing` to be an object, got null'],
    [[], 'Expected the options of `createThing` to be an object, got an empty list'],
  ])('refuses %j', (options, message) => {
    expect(() => check(options)).toThrow(new TypeError(message));
  });

  it('refuses to do without a required one, and shows no secret of it', () => {
    const checkRequired = (options: object): void =>
      checkOptions('createThing', options, { periodMs: rules.required(rules.number()), token: rules.required(secret) });
    expect(() => checkRequired({ periodMs: 1, token: 'x' })).not.toThrow();
    expect(() => checkRequired({ token: 'x' })).toThrow('Expected `periodMs` of `createThing` to be a finite number, got undefined');
    expect(() => checkRequired({ periodMs: 1, token: undefined })).toThrow(
      'Expected `token` of `createThing` to be a non-empty string, got undefined',
    );
    expect(() => checkRequired({ periodMs: 1, token: 5 })).toThrow(
      'Expected `token` of `createThing` to be a non-empty string, got something else',
    );
  });
});

describe('randomOf', () => {
  it('returns numbers from 0 up to 1, whatever the function of the user returns', () => {
    const values: unknown[] = [0.25, NaN, -1, 2, '0.5', undefined];
    const random = randomOf(() => values.shift());
    const drawn = Array.from({ length: 6 }, random);
    expect(drawn[0]).toBe(0.25);
    for (const value of drawn) {
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
    }
    const thrown = randomOf(() => {
      throw new Error('no luck');
    });
    expect(thrown()).toBeLessThan(1);
  });
});
