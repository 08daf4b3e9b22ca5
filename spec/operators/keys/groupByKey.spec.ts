import { describe, expect, it } from '@jest/globals';
import { concatMap, filter, map, mergeAll, mergeMap, Subject, take, toArray } from 'rxjs';
import type { ResourceChange } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { groupByKey } from '../../../src/operators/keys/groupByKey.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

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

  it('opens another group for what is created again in the same change', () => {
    const lives: string[][] = [];
    const source = new Subject<ResourceChange<KubernetesObject>>();
    source.pipe(groupByKey()).subscribe((group) => {
      const life: string[] = [];
      lives.push(life);
      group.subscribe({ next: ({ type }) => life.push(type), complete: () => life.push('|') });
    });
    source.next(changes['s'] as ResourceChange<KubernetesObject>);
    source.next(changeOf([eventOf('x'), eventOf('a')]));
    expect(lives).toEqual([['added', 'deleted', '|'], ['added'], ['added']]);
  });

  it('leaves the source when its result is left, and holds no group', () => {
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const lives = source.pipe(
      groupByKey(),
      mergeMap((group) => group.pipe(concatMap((event) => [event.type]))),
    );
    for (const until of ['s', 'x', 'y'] as const) {
      const subscription = lives.subscribe();
      source.next(changes['s'] as ResourceChange<KubernetesObject>);
      source.next(changes[until] as ResourceChange<KubernetesObject>);
      subscription.unsubscribe();
      expect(source.observed).toBe(false);
    }
  });

  it('can be left in the middle of a change that deletes what it has not seen', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const source = hot('-x--', { x: changeOf([eventOf('x'), eventOf('y')]) });
      const first = source.pipe(
        groupByKey(),
        map(({ key }) => key),
        take(1),
      );
      expectObservable(first).toBe('-(a|)');
      expectSubscriptions(source.subscriptions).toBe('^!');
    });
  });

  it('goes on for a group that is still subscribed to, as groupBy does, and no longer', () => {
    const source = new Subject<ResourceChange<KubernetesObject>>();
    const seen: string[] = [];
    const subscription = source
      .pipe(
        groupByKey(),
        take(1),
        mergeMap((group) => group),
      )
      .subscribe(({ type }) => seen.push(type));
    source.next(changes['s'] as ResourceChange<KubernetesObject>);
    source.next(changes['A'] as ResourceChange<KubernetesObject>);
    expect(seen).toEqual(['added', 'updated']);
    subscription.unsubscribe();
    expect(source.observed).toBe(false);
  });
});
