import { describe, it } from '@jest/globals';
import { map } from 'rxjs';
import { pairwiseByKey } from '../../../src/operators/keys/pairwiseByKey.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

describe('pairwiseByKey', () => {
  it('pairs the events of each key, and begins anew after a deletion', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.pairwiseByKey;
      const source = hot(inputs.source, values);
      const subs = '^------------------!';
      const pairs = source.pipe(
        pairwiseByKey(),
        map(([before, now]) => `${now.key}: ${before.type} ${now.type}`),
      );
      expectObservable(pairs).toBe(outputs.result, { 1: 'a: added updated', 2: 'a: updated deleted', 3: 'b: added deleted' });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('keeps two subscriptions apart and leaves the source when it is left', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold('-a-A-', values);
      const pairs = source.pipe(
        pairwiseByKey(),
        map(([, now]) => now.type),
      );
      expectObservable(pairs, '^---!').toBe('---u-', { u: 'updated' });
      expectObservable(pairs, '--^---!').toBe('-----u', { u: 'updated' });
      expectSubscriptions(source.subscriptions).toBe(['^---!', '--^---!']);
    });
  });

  it('passes an error on', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-#', values).pipe(pairwiseByKey())).toBe('---#');
    });
  });

  it('takes changes, one pair for each event in them', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-r-', { ...changes, r: changeOf([eventOf('x'), eventOf('B'), eventOf('a')]) });
      const pairs = source.pipe(
        pairwiseByKey(),
        map(([before, now]) => `${now.key}: ${before.type} ${now.type}`),
      );
      expectObservable(pairs).toBe('---(12)', { 1: 'a: added deleted', 2: 'b: added updated' });
    });
  });
});
