import { describe, expect, it } from '@jest/globals';
import { conflateByKey } from '../../../src/operators/timing/conflateByKey.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

describe('conflateByKey', () => {
  it('tells the newest state of each object at the end of a period', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.conflateByKey;
      const source = hot(inputs.source, values);
      const subs = '^--------------------!';
      const merged = { ...values['a'], object: (values['A'] as { object: object }).object };
      expectObservable(source.pipe(conflateByKey({ periodMs: 10 }))).toBe(outputs.result, { ...values, m: merged });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes an error on at once, and leaves nothing behind when it is left', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const failing = hot('-a-#', values);
      expectObservable(failing.pipe(conflateByKey({ periodMs: 10 }))).toBe('---#');
      const left = hot('-a----', values);
      expectObservable(left.pipe(conflateByKey({ periodMs: 10 })), '^--!').toBe('------');
      expectSubscriptions(left.subscriptions).toBe('^--!');
    });
  });

  it('obeys the law of operators at rest', () => {
    checkOperatorLaw({ operator: (scheduler) => conflateByKey({ periodMs: 10, scheduler }), restMs: 10 });
  });

  it.each([-1, NaN, Infinity])('refuses a period of %d', (periodMs) => {
    expect(() => conflateByKey({ periodMs })).toThrow(`Expected \`periodMs\` to be a number of milliseconds >= 0, got ${String(periodMs)}`);
  });
});
