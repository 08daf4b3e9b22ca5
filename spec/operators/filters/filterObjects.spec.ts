import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, map, of, Subject } from 'rxjs';
import type { ResourceEvent } from '../../../src/api/events/resourceEvent.js';
import { filterObjects } from '../../../src/operators/filters/filterObjects.js';
import { inNamespaces } from '../../../src/operators/filters/inNamespaces.js';
import { ownedBy } from '../../../src/operators/filters/ownedBy.js';
import { withLabels } from '../../../src/operators/filters/withLabels.js';
import { checkOperatorLaw } from '../../../src/testing/suites/checkOperatorLaw.js';
import { randomHistory, type SampleObject, seededRandom } from '../../../src/testing/fakes/randomHistory.js';
import * as operatorPictures from '../../docs/operatorPictures.js';
import { marbles } from '../marbles.js';

interface Lamp {
  readonly on: boolean;
}
const on: Lamp = { on: true };
const off: Lamp = { on: false };
const isOn = (lamp: Lamp): boolean => lamp.on;
const added = (object: Lamp): ResourceEvent<Lamp> => ({ type: 'added', key: 'a', object, initial: false, inferred: false });
const updated = (oldObject: Lamp, object: Lamp): ResourceEvent<Lamp> => ({
  type: 'updated',
  key: 'a',
  object,
  oldObject,
  resync: false,
  inferred: false,
});
const deleted = (object: Lamp, inferred = false): ResourceEvent<Lamp> => ({
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
      const failing = filterObjects<Lamp>(() => {
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

  it('tells the difference that another predicate makes', () => {
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      const everything = (): boolean => true;
      const { inputs, outputs } = operatorPictures.filterObjectsLive;
      const source = hot(inputs.source, values);
      const predicates = hot(inputs.predicates, { p: everything, q: isOn });
      const subs = '^------------------!';
      const result = source.pipe(filterObjects(predicates));
      const told = {
        ...values,
        a: { ...added(off), initial: true } as ResourceEvent<Lamp>,
        b: { ...added(off), inferred: true } as ResourceEvent<Lamp>,
        x: deleted(off, true),
      };
      expectObservable(result).toBe(outputs.result, told);
      expectSubscriptions(predicates.subscriptions).toBe(subs);
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
    for (let seed = 1; seed <= 100; seed += 1) {
      const random = seededRandom(seed);
      const source = new Subject<ResourceEvent<SampleObject>>();
      const predicates = new Subject<(object: SampleObject) => boolean>();
      const objects = new Map<string, SampleObject>();
      const known = new Map<string, SampleObject>();
      let passes: ((object: SampleObject) => boolean) | undefined;
      source.pipe(filterObjects(predicates)).subscribe({
        next: (event) => {
          if (event.type === 'synced') return;
          expect(known.has(event.key)).toBe(event.type !== 'added');
          if (event.type === 'deleted') known.delete(event.key);
          else known.set(event.key, event.object);
        },
        error: (error: unknown) => {
          throw error;
        },
      });
      for (const event of randomHistory(seed).flat()) {
        if (random() < 0.2) {
          passes = tests[Math.floor(random() * tests.length)];
          if (passes !== undefined) predicates.next(passes);
        }
        if (event.type === 'deleted') objects.delete(event.key);
        else if (event.type !== 'synced') objects.set(event.key, event.object);
        source.next(event);
        const wanted = [...objects]
          .filter(([, object]) => passes?.(object) ?? false)
          .map(([key, { metadata }]) => [key, metadata?.resourceVersion]);
        expect([...known].map(([key, { metadata }]) => [key, metadata?.resourceVersion]).sort()).toEqual(wanted.sort());
      }
    }
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

  it('shows the objects of one owner, not those of another with the same name', () => {
    const keys: string[] = [];
    of(owned('u1'), owned('u2'))
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
    expect(keys).toEqual(['u1']);
  });

  it('refuses an owner without a uid', () => {
    expect(() => ownedBy({ metadata: { name: 'web' } })).toThrow('Expected `owner` to have a `metadata.uid`, got "web" without one');
  });
});
