import { describe, it } from '@jest/globals';
import { untilDeleted } from '../../../src/operators/filters/untilDeleted.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

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
});
