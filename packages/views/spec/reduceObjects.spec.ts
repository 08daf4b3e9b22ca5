import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject } from 'rxjs';
import { fakeCollection } from '../src/testing/fakeCollection.js';

import { reduceObjects } from '../src/reduceObjects.js';

interface Item {
  readonly metadata: { readonly namespace: string; readonly name: string };
  readonly n: number;
  readonly groups: readonly string[];
}

const item = (name: string, n: number, groups: readonly string[] = ['g']): Item => ({ metadata: { namespace: 'a', name }, n, groups });
const quiet = { logger: { warn: () => undefined } };

/** An `add` that refuses negative numbers, and counts its calls. */
function counting() {
  const count = { calls: 0 };
  const add = (sum: number, { n }: Item): number => {
    count.calls += 1;
    if (n < 0) throw new Error(`negative: ${String(n)}`);
    return sum + n;
  };
  return { count, add };
}

const refusing = {
  'without `remove`': undefined,
  'with a `remove` that throws': (): number => {
    throw new Error('no');
  },
};

describe.each(Object.entries(refusing))('reduceObjects %s', (_, remove) => {
  const list = (size: number, n: number): Item[] => Array.from({ length: size }, (_each, at) => item(`p${String(at)}`, n));

  it('adds a total up once per change, however many of its objects have changed', () => {
    const { count, add } = counting();
    const objects = new BehaviorSubject(list(1000, 0));
    const view = reduceObjects(fakeCollection<Item>(objects), { initial: 0, add, remove, groupBy: ({ groups }) => groups, ...quiet });
    view.change$.subscribe();
    count.calls = 0;
    objects.next(list(1000, 1));
    expect([view.indexer.getByKey('g'), count.calls]).toEqual([1000, 1000]);
  });

  it('adds it up once also when half of them cannot be added', () => {
    const { count, add } = counting();
    const objects = new BehaviorSubject(list(1000, 2));
    const view = reduceObjects(fakeCollection<Item>(objects), { initial: 0, add, remove, groupBy: ({ groups }) => groups, ...quiet });
    view.change$.subscribe();
    count.calls = 0;
    objects.next(list(1000, 1).map((each, at) => (at % 2 === 0 ? each : { ...each, n: -1 })));
    expect([view.indexer.getByKey('g'), view.health().degraded.length]).toEqual([1500, 500]);
    expect(count.calls).toBeLessThanOrEqual(1500);
  });
});

describe('reduceObjects', () => {
  const change = fc.record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    n: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(-1)),
    groups: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 3 }),
    gone: fc.boolean(),
  });

  it.each([...Object.entries(refusing), ['with `remove`', (sum: number, { n }: Item): number => sum - n] as const])(
    'has the sum of the last versions that could be added, in every group, also where it starts afresh, %s',
    (_, remove) => {
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.array(change, { minLength: 1, maxLength: 5 }), fc.boolean()), { maxLength: 12 }), (changes) => {
          const objects = new Map<string, Item>();
          const accepted = new Map<string, Item>();
          const source = new BehaviorSubject<Item[]>([]);
          const view = reduceObjects(fakeCollection<Item>(source), {
            initial: 0,
            add: counting().add,
            remove,
            groupBy: ({ groups }) => groups,
            ...quiet,
          });
          let session = view.change$.subscribe();
          for (const [batch, isAfresh] of changes) {
            if (isAfresh) session.unsubscribe();
            for (const { name, n, groups, gone } of batch) {
              if (gone) objects.delete(name);
              else objects.set(name, item(name, n, groups));
            }
            source.next([...objects.values()]);
            if (isAfresh) session = view.change$.subscribe();
            for (const name of [...accepted.keys()]) if (!objects.has(name)) accepted.delete(name);
            for (const [name, each] of objects) if (each.n >= 0 || each.groups.length === 0) accepted.set(name, each);
            const sums = new Map<string, number>();
            for (const { n, groups } of accepted.values()) for (const group of groups) sums.set(group, (sums.get(group) ?? 0) + n);
            expect(new Map(view.indexer.listKeys().map((key) => [key, view.indexer.getByKey(key)]))).toEqual(sums);
            const failing = [...objects.values()].filter(({ n, groups }) => n < 0 && groups.length > 0);
            expect([...view.health().degraded].sort()).toEqual(failing.map(({ metadata: { name } }) => `a/${name}`).sort());
          }
        }),
      );
    },
  );
});
