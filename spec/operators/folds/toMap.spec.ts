import { describe, expect, it } from '@jest/globals';
import { from, map, type Observable, of } from 'rxjs';
import type { ResourceChange } from '../../../src/api/events.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { toMap, toObjects } from '../../../src/operators/folds/toMap.js';
import { randomHistory } from '../../../src/testing/fakes/randomHistory.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { ChangeFold } from '../../../src/testing/suites/changeFold.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { changes, eventOf, marbles, values } from '../marbles.js';

const fail = (error: unknown): never => {
  throw error;
};
const change = (letter: string): ResourceChange<KubernetesObject> => changes[letter] as ResourceChange<KubernetesObject>;
const texts = (maps: Observable<ReadonlyMap<string, KubernetesObject>>): Observable<string> =>
  maps.pipe(
    map((objects) =>
      [...objects]
        .map(([key, { metadata }]) => `${key}${metadata?.resourceVersion ?? ''}`)
        .sort()
        .join(' '),
    ),
  );

describe('toMap', () => {
  it('emits once for each change', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.toMap;
      const source = hot(inputs.source, changes);
      const subs = '^----------------!';
      expectObservable(texts(source.pipe(toMap()))).toBe(outputs.result, { 1: 'a1 b2', 2: 'a3 b2', 3: 'b2', 4: '' });
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('emits nothing before the first synced change, and from then on after each, also where a scope is not complete', () => {
    marbles(({ hot, expectObservable }) => {
      const scope = (letter: string, synced: boolean) => changeOf([eventOf(letter)], { cause: 'list', synced });
      const source = hot('-p-s-q-', { p: scope('a', false), s: scope('b', true), q: scope('x', false) });
      expectObservable(texts(source.pipe(toMap()))).toBe('---1-2-', { 1: 'a1 b2', 2: 'b2' });
    });
  });

  it('shows a list as one change, a recreated object as the new one, and one that a filter has taken away as gone', () => {
    marbles(({ hot, expectObservable }) => {
      const missed = { ...values['x'], inferred: true, finalStateUnknown: true } as typeof values.x & { type: 'deleted' };
      const source = hot('-s-l-d-', {
        ...changes,
        l: changeOf([missed, eventOf('B'), { ...eventOf('a'), object: { metadata: { name: 'a', resourceVersion: '9' } } }], {
          cause: 'list',
        }),
        d: changeOf([missed]),
      });
      expectObservable(texts(source.pipe(toMap()))).toBe('-1-2-3-', { 1: 'a1 b2', 2: 'a9 b4', 3: 'b4' });
    });
  });

  it('emits the same map again when nothing differs, and never changes one that it has emitted', () => {
    const emitted: ReadonlyMap<string, KubernetesObject>[] = [];
    const again = { ...eventOf('A'), object: eventOf('a').object, oldObject: eventOf('a').object, resync: true } as never;
    from([
      change('s'),
      changeOf<KubernetesObject>([], { cause: 'list' }),
      changeOf<KubernetesObject>([again], { cause: 'resync' }),
      change('x'),
    ])
      .pipe(toMap())
      .subscribe({ next: (objects) => emitted.push(objects), error: fail });
    expect(emitted.map(({ size }) => size)).toEqual([2, 2, 2, 1]);
    expect(emitted[1]).toBe(emitted[0]);
    expect(emitted[2]).toBe(emitted[0]);
  });

  it('emits what can be read like any map', () => {
    let shown: ReadonlyMap<string, KubernetesObject> = new Map();
    of(change('s'))
      .pipe(toMap())
      .subscribe({ next: (objects) => (shown = objects), error: fail });
    const visited: string[] = [];
    shown.forEach(({ metadata }, key, all) => visited.push(`${key} ${metadata?.name ?? ''} ${String(all === shown)}`));
    expect(visited.sort()).toEqual(['a a true', 'b b true']);
    expect([...shown.keys()].sort()).toEqual(['a', 'b']);
    expect([...shown.values()]).toHaveLength(2);
    expect(new Map(shown).size).toBe(2);
    expect([shown.has('a'), shown.has('c'), shown.get('a')]).toEqual([true, false, eventOf('a').object]);
    expect(Object.prototype.toString.call(shown)).toBe('[object Map]');
  });

  it('shows after every change what there is', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const fold = new ChangeFold();
      const wanted: string[] = [];
      const shown: string[] = [];
      const text = (objects: Iterable<readonly [string, unknown]>) => JSON.stringify([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));
      const history = randomHistory(seed);
      of(...history)
        .pipe(toMap())
        .subscribe({ next: (objects) => shown.push(text(objects)), error: fail });
      for (const change of history) {
        fold.apply(change);
        wanted.push(text(fold.objects));
      }
      expect(shown).toEqual(wanted);
    }
  });

  it('fails with events, which do not say where a change ends', () => {
    marbles(({ hot, expectObservable }) => {
      const events = hot('-a', values) as unknown as Observable<ResourceChange<KubernetesObject>>;
      const error = new TypeError('Expected `toMap` to be given changes, got the event "added": take `change$` in place of `resource$`');
      expectObservable(events.pipe(toMap())).toBe('-#', undefined, error);
      const others = hot<never>('-a', { a: 5 as never });
      expectObservable(others.pipe(toObjects())).toBe('-#', undefined, new TypeError('Expected `toObjects` to be given changes, got 5'));
      const nothing = hot<never>('-a', { a: null as never });
      expectObservable(nothing.pipe(toObjects())).toBe(
        '-#',
        undefined,
        new TypeError('Expected `toObjects` to be given changes, got null'),
      );
    });
  });
});

describe('toObjects', () => {
  it('emits a new array for each change, in the order of arrival', () => {
    marbles(({ hot, expectObservable }) => {
      const { inputs, outputs } = operatorPictures.toObjects;
      const source = hot(inputs.source, changes);
      const versions = source.pipe(
        toObjects(),
        map((objects) => objects.map(({ metadata }) => metadata?.resourceVersion).join()),
      );
      expectObservable(versions).toBe(outputs.result, { 1: '1,2', 2: '3,2' });
    });
  });

  it('emits the same array again when nothing differs', () => {
    const emitted: (readonly unknown[])[] = [];
    of(change('s'), changeOf<KubernetesObject>([], { cause: 'list' }), changeOf([eventOf('a')]), change('A'))
      .pipe(toObjects())
      .subscribe({ next: (objects) => emitted.push(objects), error: fail });
    expect(emitted).toHaveLength(4);
    expect(emitted[1]).toBe(emitted[0]);
    // A repeated object is the same instance.
    expect(emitted[2]).toBe(emitted[0]);
    expect(emitted[3]).not.toBe(emitted[0]);
  });

  it('leaves out what is deleted, and nothing else', () => {
    const emitted: (readonly string[])[] = [];
    of(change('s'), change('x'), changeOf([eventOf('x')]))
      .pipe(
        toObjects(),
        map((objects) => objects.map(({ metadata }) => metadata?.name ?? '')),
      )
      .subscribe({ next: (names) => emitted.push(names), error: fail });
    expect(emitted).toEqual([['a', 'b'], ['b'], ['b']]);
  });

  it('emits an array for an empty snapshot', () => {
    const emitted: (readonly unknown[])[] = [];
    of(change('e'))
      .pipe(toObjects())
      .subscribe({ next: (objects) => emitted.push(objects), error: fail });
    expect(emitted).toEqual([[]]);
  });
});
