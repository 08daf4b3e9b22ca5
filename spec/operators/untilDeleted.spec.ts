import { describe, it } from '@jest/globals';
import { untilDeleted } from '../../src/operators/untilDeleted.js';
import { marbles, values } from './marbles.js';

describe('untilDeleted', () => {
  it('completes with the deletion of the object, and with no other', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-a-b-s-y-A-x-a-', values);
      const subs = '      ^----------!   ';
      const expected = '  -a-b-s-y-A-(x|)';
      expectObservable(source.pipe(untilDeleted('a'))).toBe(expected, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });
});
