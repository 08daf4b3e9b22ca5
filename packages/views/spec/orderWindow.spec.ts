import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { KubernetesObject } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { topObjects } from '../src/topObjects.js';
import { IndexedStore } from '../../../src/cache/store/indexedStore.js';
import { runs } from '../../../spec/tier.js';

type Row = KubernetesObject & { readonly n: number };

const row = (name: string, n: number): Row => ({ metadata: { namespace: 'n', name }, n });
const byNumber = (a: Row, b: Row): number => a.n - b.n;

describe('a window of topObjects', () => {
  it('is a part of the order, as of a table that scrolls', () => {
    const rows = fakeCollection([row('a', 1), row('b', 2), row('c', 3), row('d', 4)]);
    const order = topObjects(rows, byNumber, { limit: Infinity });
    const seen: string[] = [];
    order.window({ offset: 1, limit: 2 }).ordered$.subscribe((all) => seen.push(all.map(({ metadata }) => metadata?.name).join('')));
    rows.put(row('e', 9));
    rows.put(row('d', 0));
    rows.remove('n/d');
    rows.put(row('b', 2.5));
    rows.put(row('b', 3.5));
    expect(seen).toEqual(['bc', 'ab', 'bc', 'bc', 'cb']);
  });

  it('has the arrays of a view of arrays as its objects', () => {
    const arrays = derive(fakeCollection([row('a', 1), row('b', 2)]), ({ n }) => Array.from({ length: n }, (_, at) => at));
    const rows = topObjects(arrays, (a, b) => b.length - a.length).window({ limit: 2 });
    rows.start();
    expect(rows.ordered()).toEqual([[0, 1], [0]]);
  });

  it('begins without reading the whole order', () => {
    const rows = fakeCollection(Array.from({ length: 1_000 }, (_, at) => row(`r${at}`, at)));
    const order = topObjects(rows, byNumber, { limit: Infinity });
    order.window({ limit: 1 }).change$.subscribe();
    const read = jest.spyOn(IndexedStore.prototype, 'getByKey');
    try {
      order.window({ offset: 500, limit: 10 }).change$.subscribe();
      expect(read.mock.calls.length).toBeLessThan(100);
    } finally {
      read.mockRestore();
    }
  });

  it('equals the part of the sorted objects after any changes, and says what its values are made of', () => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const change = fc.record({ name: fc.constantFrom(...keys), n: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }) });
    const part = fc.record({ offset: fc.integer({ min: 0, max: 5 }), limit: fc.integer({ min: 1, max: 4 }) });
    fc.assert(
      fc.property(
        fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12 }),
        part,
        fc.constantFrom(3, Infinity),
        (steps, window, limit) => {
          const rows = fakeCollection<Row>([row('a', 1), row('b', 1), row('c', 0)]);
          const view = topObjects(rows, byNumber, { limit }).window(window);
          const events = new Map<string, Row>();
          view.resource$.subscribe((event) => {
            if (!('key' in event)) return;
            if (event.type === 'deleted') events.delete(event.key);
            else events.set(event.key, event.object);
          });
          for (const step of steps) {
            rows.put(...step.flatMap(({ name, n }) => (n === undefined ? [] : [row(name, n)])));
            rows.remove(...step.filter(({ n }) => n === undefined).map(({ name }) => `n/${name}`));
            const key = ({ metadata }: Row): string => metadata?.name ?? '';
            const sorted = [...rows.indexer.list()].sort((a, b) => byNumber(a, b) || (key(a) < key(b) ? -1 : 1));
            const expected = sorted.slice(0, limit).slice(window.offset, window.offset + window.limit);
            expect([view.ordered(), view.total()]).toEqual([expected, Math.min(limit, sorted.length)]);
            expect(new Set(events.values())).toEqual(new Set(expected));
          }
          for (const key of view.indexer.listKeys()) expect(view.explain(key)?.inputs[0]?.keys).toEqual([key]);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('looks at its own part alone: an order of 20,000 objects is made once for all windows', () => {
    let comparisons = 0;
    const rows = fakeCollection(Array.from({ length: 20_000 }, (_, n) => row(`r${n}`, n)));
    const counted = (a: Row, b: Row): number => {
      comparisons += 1;
      return a.n - b.n;
    };
    const order = topObjects(rows, counted, { limit: Infinity, sliceSize: Infinity });
    order.change$.subscribe();
    comparisons = 0;
    const windows = [0, 5_000, 19_950].map((offset) => order.window({ offset, limit: 50 }));
    for (const window of windows) window.change$.subscribe();
    expect(windows.map((window) => [window.ordered()[0]?.n, window.ordered().length, window.counters().computed])).toEqual([
      [0, 50, 1],
      [5_000, 50, 1],
      [19_950, 50, 1],
    ]);
    expect(comparisons).toBe(0);
  });

  it.each([
    [{ offset: -1, limit: 1 }, 'offset'],
    [{ limit: 0 }, 'limit'],
    [{}, 'limit'],
  ])('refuses %j', (options, name) => {
    const order = topObjects(fakeCollection<Row>([]), byNumber);
    expect(() => order.window(options as never)).toThrow(name);
  });
});
