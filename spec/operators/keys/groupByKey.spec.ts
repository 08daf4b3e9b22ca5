import { describe, expect, it } from '@jest/globals';
import { filter, map, mergeAll, mergeMap, take, toArray } from 'rxjs';
import { groupByKey } from '../../../src/operators/keys/groupByKey.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles, values } from '../marbles.js';

describe('groupByKey', () => {
  it('opens a group for the life of each object, and a new one when it is created again', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  -a-b-s-A-x-a-y-|', values);
      const groups = source.pipe(
        groupByKey(),
        map((group) => group.key),
      );
      expectObservable(groups).toBe('-a-b-------a---|');
    });
  });

  it('shows each object its own life', () => {
    marbles(({ hot, expectObservable }) => {
      const { inputs, outputs, subscriptions } = operatorPictures.groupByKey;
      const group = (at: number) =>
        hot(inputs.source, values).pipe(
          groupByKey(),
          filter((_, index) => index === at),
          take(1),
          mergeMap((events) => events),
        );
      for (const [at, name] of (['group a', 'group b', 'group a again'] as const).entries()) {
        expectObservable(group(at)).toBe(outputs[name], values);
        expect(outputs[name].trim().search(/[ab]/)).toBe(subscriptions?.[name]?.indexOf('^'));
      }
    });
  });

  it('completes a group with the deletion of its object', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('  -a-b-A-x-a-y-|', values);
      const whole = source.pipe(
        groupByKey(),
        mergeMap((group) =>
          group.pipe(
            toArray(),
            map((events) => events.map(({ type }) => type).join()),
          ),
        ),
      );
      const expected = '    -------1---2-3';
      expectObservable(whole).toBe(expected.replace('3', '(3|)'), { 1: 'added,updated,deleted', 2: 'added,deleted', 3: 'added' });
    });
  });

  it('loses nothing: its groups taken together tell the same', () => {
    checkOperatorLaw({ operator: () => (source) => source.pipe(groupByKey(), mergeAll()) });
  });
});
