import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { config, queueScheduler } from 'rxjs';
import type { Collection } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { deriveMany } from '../src/deriveMany.js';
import { groupObjects } from '../src/groupObjects.js';
import { mergeViews } from '../src/mergeViews.js';
import { objectsByIndex } from '../src/objectsByIndex.js';
import { reduceObjects } from '../src/reduceObjects.js';
import { topObjects } from '../src/topObjects.js';
import { keep, type Read, type View } from '../src/view.js';
import { Fold, type Item, type Random, randomItem, randomKey, randomOf } from './randomViews.js';
import { runs } from '../../../spec/tier.js';

const quiet = { logger: { warn: () => undefined } };
const errors = [Error, TypeError, RangeError];

describe('a last value', () => {
  interface Item {
    readonly metadata: { readonly name: string };
    readonly n: number;
  }
  const item = (name: string, n: number): Item => ({ metadata: { name }, n });
  const valueOf = ({ n }: Item): string => {
    if (n < 0) throw new Error('negative');
    return `value ${n}`;
  };
  const keeping = (each: Item): string | typeof keep => (each.n < 0 ? keep : valueOf(each));

  it.each<[string, (items: Collection<Item>) => View<string>]>([
    ['derive', (items) => derive(items, valueOf, quiet)],
    ['derive with `keep`', (items) => derive(items, keeping)],
    ['derive in slices', (items) => derive(items, valueOf, { ...quiet, sliceSize: 1, scheduler: queueScheduler })],
    ['deriveMany', (items) => deriveMany(items, (each) => [valueOf(each)], { ...quiet, key: () => 'a' })],
    ['groupObjects', (items) => derive(groupObjects(items, valueOf, quiet), ({ objects: [first] }) => `value ${first?.n}`)],
    [
      'reduceObjects',
      (items) => reduceObjects(items, { ...quiet, initial: '', add: (_total, each) => valueOf(each), groupBy: () => 'all' }),
    ],
    [
      'mergeViews',
      (items) => {
        const texts = ['x', 'y'].map(() => derive(items, ({ n }) => `${n}`));
        return mergeViews(texts, { ...quiet, resolve: ([n]) => valueOf(item('', Number(n))) });
      },
    ],
  ])('of %s stays also where the view starts afresh, and goes with its object', (_, viewOf) => {
    const items = fakeCollection([item('a', 1)]);
    const view = viewOf(items);
    const session = (): readonly string[] => {
      const subscription = view.change$.subscribe();
      const values = view.indexer.list();
      subscription.unsubscribe();
      return values;
    };
    expect(session()).toEqual(['value 1']);
    items.put(item('a', -1));
    expect([session(), session()]).toEqual([['value 1'], ['value 1']]);
    items.put(item('a', 2));
    expect(session()).toEqual(['value 2']);
    items.remove('a');
    expect(session()).toEqual([]);
    items.put(item('a', -1));
    expect(session()).toEqual([]);
  });

  it('of topObjects keeps its place where the view starts afresh', () => {
    const items = fakeCollection([item('a', 1), item('b', 5), item('c', 3)]);
    const view = topObjects(items, (a, b) => valueOf(a).localeCompare(valueOf(b)), quiet);
    const session = (change: () => void): readonly number[] => {
      const subscription = view.change$.subscribe();
      change();
      const values = view.ordered().map(({ n }) => n);
      subscription.unsubscribe();
      return values;
    };
    session(() => undefined);
    items.put(item('b', -1));
    expect([session(() => undefined), session(() => items.put(item('b', 2)))]).toEqual([
      [1, 3, 5],
      [1, 2, 3],
    ]);
  });
});

describe('a view whose value cannot be read', () => {
  it('keeps the last value, names the key, and goes on with the next value', async () => {
    const source = fakeCollection<{ metadata: { name: string }; n: number }>([{ metadata: { name: 'a' }, n: 1 }]);
    const view = derive(
      source,
      ({ n }) =>
        n === 1
          ? { n }
          : {
              get n(): number {
                if (n === 2) throw new Error('no value');
                return n;
              },
            },
      { name: 'values', freeze: true, logger: { warn: () => undefined } },
    );
    view.start();
    await view.whenSynced();
    source.put({ metadata: { name: 'a' }, n: 2 });
    expect(view.indexer.getByKey('a')).toEqual({ n: 1 });
    expect(view.explain('a')?.error?.message).toContain('no value');
    source.put({ metadata: { name: 'a' }, n: 3 });
    expect(view.indexer.getByKey('a')).toEqual({ n: 3 });
    expect(view.explain('a')?.error).toBeUndefined();
    await view.stop();
  });

  it('is complete without it, if it is the first', async () => {
    const source = fakeCollection([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }]);
    const view = derive(
      source,
      ({ metadata: { name } }) => ({
        get name(): string {
          if (name === 'a') throw new Error('no value');
          return name;
        },
      }),
      { freeze: true, logger: { warn: () => undefined } },
    );
    view.start();
    await view.whenSynced({ timeoutMs: 1_000 });
    expect(view.indexer.listKeys()).toEqual(['b']);
    expect(view.explain('a')?.error?.message).toContain('no value');
    await view.stop();
  });
});

/** A graph in which every function that is handed in fails now and then. */
class FailingGraph {
  failing = false;
  private readonly random: Random;
  readonly sources: readonly ReturnType<typeof fakeCollection<Item>>[];
  readonly views: readonly View<unknown>[];

  constructor(random: Random) {
    this.random = random;
    const maybe = <A extends unknown[], R>(work: (...args: A) => R): ((...args: A) => R) => {
      return (...args) => {
        this.maybeFail();
        return work(...args);
      };
    };
    const options = {
      equals: maybe((a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)),
      labels: maybe((value: unknown) => (value as Item).metadata?.labels),
      indexers: { all: maybe(() => ['all']) },
      logger: { warn: () => undefined },
    };
    const indexers = { app: maybe((item: Item) => [item.metadata?.labels?.['app'] ?? '']) };
    const [first, second] = [fakeCollection<Item>([], { name: 'first', indexers }), fakeCollection<Item>([], { name: 'second', indexers })];
    const join = maybe((item: Item, read: Read) => ({
      ...item,
      others: read(second, { labelSelector: { app: item.metadata?.labels?.['app'] ?? '' } }).length,
      big: read(second, { filter: maybe(({ n }: Item) => n > 10) }).length,
    }));
    const joined: View<Item> = derive<Item, Item>(first, join, options);
    const merged: View<Item> = mergeViews<Item>([joined, second], { ...options, resolve: maybe(([item]) => item) });
    const totals = {
      initial: 0,
      add: maybe((sum: number, { n }: Item) => sum + n),
      remove: maybe((sum: number, { n }: Item) => sum - n),
      groupBy: maybe(({ n }: Item) => `g${n % 2}`),
    };
    const count = maybe((item: Item, read: Read) => [item.n, read(joined, { labelSelector: 'app=web' }).length]);
    type Row = Pick<Item, 'n' | 'text'>;
    this.sources = [first, second];
    this.views = [
      joined,
      merged,
      derive<Item, number[]>(merged, count, { ...options, labels: undefined }),
      deriveMany<Item, Row>(
        merged,
        maybe(({ n, text }) => [{ n, text }]),
        { ...options, key: maybe(({ text }) => text) },
      ),
      groupObjects<Item>(joined, maybe(({ n }) => [`g${n % 3}`, `h${n % 2}`]), options), // prettier-ignore
      reduceObjects<Item, number>(merged, { ...options, ...totals }),
      topObjects<Item>(joined, maybe((a, b) => a.n - b.n), { ...options, limit: 3 }), // prettier-ignore
      objectsByIndex<Item>(first, 'app', 'web', options),
    ] as View<unknown>[];
  }

  maybeFail(): void {
    const kind = errors[this.random(errors.length)] as typeof Error;
    if (this.failing && this.random(4) === 0) throw new kind('injected');
  }
}

describe('a graph of views whose every function fails now and then', () => {
  const unexpected: unknown[] = [];
  beforeAll(() => {
    config.onUnhandledError = (error) => {
      if ((error as Error).message !== 'injected') unexpected.push(error);
    };
  });
  afterAll(() => {
    config.onUnhandledError = null;
  });

  const textOf = (collection: Collection<unknown>): string => {
    const content = collection.indexer.listKeys().sort();
    return JSON.stringify(content.map((key) => [key, collection.indexer.getByKey(key)]));
  };

  it('loses no change: who was told folds what is there, and all is right when nothing fails any more (property)', async () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (seed) => {
        const random = randomOf(seed);
        const graph = new FailingGraph(random);
        const all: Collection<unknown>[] = [...graph.sources, ...graph.views];
        const folds = all.map((collection) => {
          const fold = new Fold();
          collection.change$.subscribe((change) => {
            fold.take(change as never);
            graph.maybeFail();
          });
          collection.resource$.subscribe(() => graph.maybeFail());
          collection.health$.subscribe(() => graph.maybeFail());
          collection.index$.subscribe(() => graph.maybeFail());
          collection.error$.subscribe(() => graph.maybeFail());
          return fold;
        });
        const change = (): void => {
          const source = graph.sources[random(2)];
          if (random(4) === 0) source?.remove(randomKey(random));
          else source?.put(...[randomKey(random), randomKey(random)].map((key) => randomItem(random, key)));
        };
        const compare = (): void => {
          for (const [at, fold] of folds.entries()) {
            const told = JSON.stringify([...fold.content].sort(([a], [b]) => (a < b ? -1 : 1)));
            expect(`${at}: ${told}`).toBe(`${at}: ${textOf(all[at] as Collection<unknown>)}`);
          }
        };
        for (let at = 0; at < 12; at += 1) {
          graph.failing = at > 2 && at < 9;
          try {
            change();
          } catch (error) {
            if ((error as Error).message !== 'injected') throw error;
          }
          compare();
        }
        // Failed keys are computed again with their objects; deleted keys must not be missed.
        for (const source of graph.sources) {
          source.put(randomItem(random, 'other/new'));
          source.put(...source.indexer.list().map((item) => ({ ...item, n: item.n + 1, text: `${item.text}!` })));
        }
        compare();
        const fresh = new FailingGraph(randomOf(0));
        for (const [at, source] of fresh.sources.entries()) source.put(...(graph.sources[at]?.indexer.list() ?? []));
        for (const view of fresh.views) view.change$.subscribe();
        for (const [at, view] of graph.views.entries()) {
          expect(`${view.name}: ${textOf(view)}`).toBe(`${view.name}: ${textOf(fresh.views[at] as View<unknown>)}`);
          expect([view.name, view.health().degraded, view.health().error?.message]).toEqual([view.name, [], undefined]);
        }
      }),
      { numRuns: runs(240) },
    );
    // RxJS reports errors of subscribers in a separate turn of the event loop.
    await new Promise((resolve) => void setTimeout(resolve));
    expect(unexpected).toEqual([]);
  }, 600_000);

  it('tries again to take away what is gone when one of its totals changes, and not with each change of another', () => {
    const source = fakeCollection<Item>([]);
    const item = (name: string, n: number): Item => ({ metadata: { namespace: 'a', name, labels: {} }, n, text: '' });
    let [calls, isFailing] = [0, false];
    const sums = reduceObjects<Item, number>(source, {
      initial: 0,
      groupBy: ({ n }) => `g${n % 2}`,
      add: (sum, { n }) => {
        calls += 1;
        if (isFailing) throw new Error('injected');
        return sum + n;
      },
      logger: { warn: () => undefined },
    });
    sums.change$.subscribe();
    source.put(item('odd', 1), item('other', 3), item('even', 2));
    isFailing = true;
    source.remove('a/odd');
    isFailing = false;
    calls = 0;
    for (let n = 4; n < 44; n += 2) source.put(item(`even-${n}`, n));
    expect([calls, sums.indexer.getByKey('g1')]).toEqual([20, 4]);
    source.put(item('third', 5));
    expect([sums.indexer.getByKey('g1'), sums.health().degraded]).toEqual([8, []]);
  });

  it('are reported of an object whose getter throws where it is grouped', () => {
    const item = (name: string, text: () => string) => ({
      metadata: { namespace: 'a', name },
      get text() {
        return text();
      },
    });
    const items = fakeCollection([item('first', String)]);
    const view = groupObjects(items, () => 'all', { logger: { warn: () => undefined } });
    view.change$.subscribe();
    const broken = (): never => {
      throw new Error('injected');
    };
    items.put(item('broken', broken));
    items.put(item('last', String));
    expect([view.health().degraded, view.lister.list().map(({ size }) => size)]).toEqual([['a/broken'], [2]]);
  });
});
