import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, map, type Observable, of, Subject, Subscription } from 'rxjs';
import type { ObjectEvent, ResourceChange, ResourceEvent } from '../../../src/api/events.js';
import { filterObjects, inNamespaces, ownedBy, withLabels } from '../../../src/operators/filters/filterObjects.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import { randomHistory, type SampleObject, seededRandom } from '../../../src/testing/fakes/randomHistory.js';
import { changeOf } from '../../../src/testing/marbles/resourceChanges.js';
import { ChangeFold } from '../../../src/testing/suites/changeFold.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles } from '../marbles.js';

interface Lamp {
  readonly on: boolean;
}
const on: Lamp = { on: true };
const off: Lamp = { on: false };
const isOn = (lamp: Lamp): boolean => lamp.on;
const added = (object: Lamp): ObjectEvent<Lamp> => ({ type: 'added', key: 'a', object, initial: false, inferred: false });
const updated = (oldObject: Lamp, object: Lamp): ObjectEvent<Lamp> => ({
  type: 'updated',
  key: 'a',
  object,
  oldObject,
  resync: false,
  inferred: false,
});
const deleted = (object: Lamp, inferred = false): ObjectEvent<Lamp> => ({
  type: 'deleted',
  key: 'a',
  object,
  finalStateUnknown: false,
  inferred,
});
const values: Record<string, ResourceEvent<Lamp>> = {
  a: added(on),
  n: added(off),
  i: updated(on, off),
  o: updated(off, on),
  u: updated(on, on),
  d: deleted(on),
  x: deleted(off),
  s: { type: 'synced', resourceVersion: '1', previousResourceVersion: '' },
};

describe('filterObjects', () => {
  it('turns the crossing of the filter into additions and deletions (EH-02)', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const { inputs, outputs } = operatorPictures.filterObjects;
      const source = hot(inputs.source, values);
      const subs = '^------------------!';
      expectObservable(source.pipe(filterObjects(isOn))).toBe(outputs.result, values);
      expectSubscriptions(source.subscriptions).toBe(subs);
    });
  });

  it('deletes what it has told even if the last state does not pass (EH-03)', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-x-', values).pipe(filterObjects(isOn))).toBe('-a-x-', values);
    });
  });

  it('fails with what the predicate throws', () => {
    marbles(({ hot, expectObservable }) => {
      const failing = filterObjects<Lamp, ResourceEvent<Lamp>>(() => {
        throw new Error('no');
      });
      expectObservable(hot('-a-', values).pipe(failing)).toBe('-#', values, new Error('no'));
    });
  });

  it('keeps two subscriptions apart', () => {
    marbles(({ cold, expectObservable }) => {
      const result = cold('-a-i', values).pipe(filterObjects(isOn));
      expectObservable(result).toBe('-a-d', values);
      expectObservable(result, '--^').toBe('---a-d', values);
    });
  });

  it('makes a change of each change of the predicate', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const everything = (): boolean => true;
      const { inputs, outputs } = operatorPictures.filterObjectsLive;
      const snapshot = changeOf([{ ...added(off), initial: true } as ObjectEvent<Lamp>], { cause: 'snapshot' });
      const shown = { s: snapshot, u: changeOf([updated(off, on)]) };
      const source = hot(inputs.source, shown);
      const predicates = hot(inputs.predicates, { p: everything, q: isOn });
      const subs = '^----------------!';
      expectObservable(source.pipe(filterObjects(predicates))).toBe(outputs.result, {
        ...shown,
        v: changeOf([deleted(off, true)], { cause: 'view' }),
        w: changeOf([{ ...added(off), inferred: true }], { cause: 'view' }),
      });
      expectSubscriptions(predicates.subscriptions).toBe(subs);
    });
  });

  it('emits the difference that another predicate makes for events, and then synced', () => {
    marbles(({ hot, expectObservable }) => {
      const everything = (): boolean => true;
      const source = hot('    -n-s-------------u-|', values);
      const predicates = hot('-----p---q---p------', { p: everything, q: isOn });
      expectObservable(source.pipe(filterObjects(predicates))).toBe('-----(as)(xs)(bs)u-|', {
        ...values,
        a: { ...added(off), initial: true },
        b: { ...added(off), inferred: true },
        x: deleted(off, true),
      });
    });
  });

  it('takes a predicate that is there before the events, and does not mind its completion', () => {
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-n-s-o-|', values).pipe(filterObjects(of(isOn)))).toBe('---s-a-|', values);
    });
  });

  it('ends with an error of the predicates', () => {
    marbles(({ hot, expectObservable }) => {
      const predicates = hot<(lamp: Lamp) => boolean>('p--#', { p: isOn });
      expectObservable(hot('-a---', values).pipe(filterObjects(predicates))).toBe('-a-#', values);
    });
  });

  it('stays in order when a subscriber changes the predicate while it is being told', () => {
    const predicates = new BehaviorSubject<(lamp: Lamp) => boolean>(isOn);
    const source = new Subject<ResourceEvent<Lamp>>();
    const told: string[] = [];
    source.pipe(filterObjects(predicates)).subscribe({
      next: (event) => {
        told.push(event.type);
        if (told.length === 1) predicates.next(() => false);
      },
      error: (error: unknown) => {
        throw error;
      },
    });
    source.next(added(on));
    source.next(updated(on, on));
    expect(told).toEqual(['added', 'deleted']);
  });

  it('asks no predicate any more when it has been left while it told', () => {
    const predicates = new BehaviorSubject<(lamp: Lamp) => boolean>(isOn);
    const source = new Subject<ResourceEvent<Lamp>>();
    let asked = 0;
    const subscription = new Subscription();
    subscription.add(
      source.pipe(filterObjects(predicates)).subscribe(() => {
        predicates.next(() => (asked += 1) > 0);
        subscription.unsubscribe();
      }),
    );
    source.next(added(on));
    expect(asked).toBe(0);
  });

  it('takes what a predicate does not answer for no', () => {
    marbles(({ hot, expectObservable }) => {
      const labelled = ((lamp: Partial<Lamp>) => lamp.on || undefined) as (lamp: Lamp) => boolean;
      expectObservable(hot('-n-o-i-', values).pipe(filterObjects(of(labelled)))).toBe('---a-d-', values);
      expectObservable(hot('-n-o-i-', values).pipe(filterObjects(labelled))).toBe('---a-d-', values);
    });
  });

  it('obeys the law of operators', () => {
    const running = ({ status }: SampleObject): boolean => status.phase === 'Running';
    checkOperatorLaw({
      operator: () => filterObjects(running),
      expected: (objects) => new Map([...objects].filter(([, object]) => running(object))),
    });
    checkOperatorLaw({
      operator: () => inNamespaces('one'),
      expected: (objects) => new Map([...objects].filter(([key]) => key.startsWith('one/'))),
    });
    checkOperatorLaw({
      operator: () => withLabels('app in (web)'),
      expected: (objects) => new Map([...objects].filter(([, { metadata }]) => metadata?.labels?.['app'] === 'web')),
    });
  });

  it('obeys the law while its predicate changes', () => {
    const tests = ['Running', 'Pending', 'Failed'].map(
      (phase) =>
        ({ status }: SampleObject): boolean =>
          status.phase === phase,
    );
    const text = (objects: Iterable<readonly [string, SampleObject]>) =>
      [...objects].map(([key, { metadata }]) => `${key} ${metadata?.resourceVersion ?? ''}`).sort();
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seededRandom(seed);
      const source = new Subject<ResourceChange<SampleObject>>();
      const predicates = new Subject<(object: SampleObject) => boolean>();
      const before = new ChangeFold<SampleObject>();
      const after = new ChangeFold<SampleObject>();
      let passes: ((object: SampleObject) => boolean) | undefined;
      source.pipe(filterObjects(predicates)).subscribe({
        next: (change) => after.apply(change),
        error: (error: unknown) => {
          throw error;
        },
      });
      for (const change of randomHistory(seed)) {
        if (random() < 0.2) {
          passes = tests[Math.floor(random() * tests.length)];
          if (passes !== undefined) predicates.next(passes);
        }
        before.apply(change);
        source.next(change);
        expect(text(after.objects)).toEqual(text([...before.objects].filter(([, object]) => passes?.(object) ?? false)));
      }
    }
  });

  it('never shows half a list, also when a subscriber changes the predicate in the middle of it', () => {
    const predicates = new BehaviorSubject<(name: string) => boolean>(() => true);
    const source = new Subject<ResourceChange<string>>();
    const event = (type: 'added' | 'deleted', key: string): ObjectEvent<string> =>
      type === 'added'
        ? { type, key, object: key, initial: false, inferred: false }
        : { type, key, object: key, finalStateUnknown: false, inferred: false };
    const shown: string[] = [];
    const fold = new ChangeFold<string>();
    const shownTwice = source.pipe(filterObjects(predicates));
    shownTwice.subscribe({
      next: (change) => {
        fold.apply(change);
        shown.push(`${change.cause} ${[...fold.objects.keys()].join('')}`);
        if (change.cause === 'list') predicates.next((name) => name === 'c');
      },
      error: (error: unknown) => {
        throw error;
      },
    });
    source.next(changeOf([event('added', 'a'), event('added', 'b')], { cause: 'snapshot' }));
    source.next(changeOf([event('deleted', 'a'), event('deleted', 'b'), event('added', 'c'), event('added', 'd')], { cause: 'list' }));
    source.next(changeOf([event('added', 'e')]));
    expect(shown).toEqual(['snapshot ab', 'list cd', 'view c']);
  });
});

describe('filterObjects, of changes', () => {
  const changes = {
    n: changeOf([added(off)]),
    o: changeOf([updated(off, on)]),
    l: changeOf([added(off)], { cause: 'list', resourceVersion: '5' }),
    r: changeOf([deleted(on), added(off)]),
    q: changeOf([deleted(off), added(on)]),
  };

  it('drops changes of which nothing is left, but no snapshots and no lists', () => {
    marbles(({ hot, expectObservable }) => {
      const snapshot = changeOf([added(off)], { cause: 'snapshot' });
      const source = hot('-s-u-l-', { ...changes, s: snapshot, u: changeOf([updated(off, off)]) });
      expectObservable(source.pipe(filterObjects(isOn))).toBe('-s---l-', {
        s: { ...snapshot, events: [] },
        l: { ...changes.l, events: [] },
      });
    });
  });

  it('makes of a recreated object what it means to those who see only what passes', () => {
    marbles(({ hot, expectObservable }) => {
      const source = hot('-s-r-q-', { ...changes, s: changeOf([added(on)], { cause: 'snapshot' }) });
      expectObservable(source.pipe(filterObjects(isOn))).toBe('-s-d-a-', {
        s: changeOf([added(on)], { cause: 'snapshot' }),
        d: changeOf([deleted(on)]),
        a: changeOf([added(on)]),
      });
    });
  });

  it('puts deletions first, those too that were updates', () => {
    const other = { ...added(on), key: 'b' } as ObjectEvent<Lamp>;
    const seen: string[] = [];
    of(changeOf([added(on)], { cause: 'snapshot' }), changeOf([other, updated(on, off)]))
      .pipe(filterObjects(isOn))
      .subscribe({ next: ({ events }) => seen.push(events.map(({ type, key }) => `${type} ${key}`).join()), error: () => undefined });
    expect(seen).toEqual(['added a', 'deleted a,added b']);
  });

  it('passes a change on as it is when all of it passes', () => {
    const change = changeOf([added(on)]);
    const seen: unknown[] = [];
    of(change)
      .pipe(filterObjects(isOn))
      .subscribe({ next: (value) => seen.push(value), error: () => undefined });
    expect(seen[0]).toBe(change);
  });

  it('refuses what is no predicate', () => {
    expect(() => filterObjects('phase=Running' as never)).toThrow(
      'Expected `predicate` of `filterObjects` to be a function, or an Observable, got "phase=Running"',
    );
    expect(() => filterObjects(undefined as never)).toThrow('Expected `predicate` of `filterObjects` to be');
    expect(() => inNamespaces(['a'] as never)).toThrow('Expected `namespaces` of `inNamespaces` to be a string, got a list of 1');
    const changesOfPredicates = of(5) as unknown as Observable<(lamp: Lamp) => boolean>;
    let failure: unknown;
    of(change())
      .pipe(filterObjects(changesOfPredicates))
      .subscribe({ error: (error: unknown) => (failure = error) });
    expect(failure).toEqual(new TypeError('Expected `predicate` of `filterObjects` to be a function, got 5'));
  });

  const change = (): ResourceChange<Lamp> => changeOf([added(on)], { cause: 'snapshot' });
});

describe('inNamespaces', () => {
  it('has what has no namespace in the one without a name', () => {
    const inNone = { type: 'added', key: 'a', object: { metadata: { name: 'a' } }, initial: false, inferred: false } as const;
    const keys = (...namespaces: readonly string[]): readonly string[] => {
      const seen: string[] = [];
      of<ResourceEvent<object>[]>(
        inNone,
        { ...inNone, key: 'b', object: {} },
        { ...inNone, key: 'c', object: { metadata: { namespace: 'n' } } },
      )
        .pipe(inNamespaces(...namespaces))
        .subscribe({ next: (event) => seen.push(event.type === 'synced' ? '' : event.key), error: () => undefined });
      return seen;
    };
    expect([keys(''), keys('n'), keys()]).toEqual([['a', 'b'], ['c'], []]);
  });
});

describe('withLabels', () => {
  it('takes an object without metadata, or without labels, for one that has none', () => {
    const bare = { type: 'added', key: 'a', object: {}, initial: false, inferred: false } as const;
    const keysWith = (selector: string): readonly string[] => {
      const seen: string[] = [];
      of<ResourceEvent<object>[]>(bare, { ...bare, key: 'b', object: { metadata: {} } })
        .pipe(withLabels(selector))
        .subscribe({
          next: (event) => seen.push(event.type === 'synced' ? '' : event.key),
          error: (error: unknown) => {
            throw error;
          },
        });
      return seen;
    };
    expect([keysWith('!app'), keysWith('app')]).toEqual([['a', 'b'], []]);
  });
});

describe('ownedBy', () => {
  const owner = { metadata: { name: 'web', uid: 'u1' } };
  const owned = (uid: string): ResourceEvent<object> => ({
    type: 'added',
    key: uid,
    object: { metadata: { name: uid, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid }] } },
    initial: false,
    inferred: false,
  });

  it('shows the objects of one owner, not those of another with the same name, nor those of none', () => {
    const keys: string[] = [];
    const reference = (uid: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid });
    const other = (key: string, object: object): ResourceEvent<object> => ({ ...owned(key), key, object }) as ResourceEvent<object>;
    const ownedByBoth = other('both', { metadata: { ownerReferences: [reference('u0'), reference('u1')] } });
    of(other('no owners', { metadata: {} }), other('no metadata', {}), owned('u1'), owned('u2'), ownedByBoth)
      .pipe(
        ownedBy(owner),
        map((event) => (event.type === 'synced' ? '' : event.key)),
      )
      .subscribe({
        next: (key) => keys.push(key),
        error: (error: unknown) => {
          throw error;
        },
      });
    expect(keys).toEqual(['u1', 'both']);
  });

  it('refuses an owner without a uid', () => {
    expect(() => ownedBy({ metadata: { name: 'web' } })).toThrow('Expected `owner` to have a `metadata.uid`, got "web" without one');
    expect(() => ownedBy({})).toThrow('Expected `owner` to have a `metadata.uid`, got an object without one');
    expect(() => ownedBy({ metadata: {} })).toThrow('Expected `owner` to have a `metadata.uid`, got an object without one');
    expect(() => ownedBy(undefined as never)).toThrow('Expected `owner` to have a `metadata.uid`, got undefined without one');
  });
});
