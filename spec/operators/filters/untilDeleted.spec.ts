import { describe, expect, it } from '@jest/globals';
import { untilDeleted } from '../../../src/operators/filters/untilDeleted.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

describe('untilDeleted', () => {
  it('completes with the deletion of the object, and with no other', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.untilDeleted;
      const source = hot(inputs.source, values);
      const subs = '^----------!';
      expectObservable(source.pipe(untilDeleted('a'))).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('completes with the change that has the deletion, also when the object is created again', () => {
    marbles(({ hot, expectObservable }) => {
      const recreated = changeOf([eventOf('x'), eventOf('a')]);
      expectObservable(hot('-s-y-r-A', { ...changes, r: recreated }).pipe(untilDeleted('a'))).toBe('-s-y-(r|)', {
        ...changes,
        r: recreated,
      });
    });
  });

  it('refuses what is no key', () => {
    expect(() => untilDeleted(undefined as never)).toThrow('Expected `key` of `untilDeleted` to be a non-empty string, got undefined');
  });
});
