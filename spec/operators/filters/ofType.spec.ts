import { describe, it } from '@jest/globals';
import { ofType } from '../../../src/operators/filters/ofType.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

describe('ofType', () => {
  it('lets events of the named types pass', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.ofType;
      const source = hot(inputs.source, values);
      const subs = '^----------!';
      expectObservable(source.pipe(ofType('deleted', 'synced'))).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('passes errors on and lets nothing pass when no type is named', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-#', values).pipe(ofType())).toBe('---#');
    });
  });
});
