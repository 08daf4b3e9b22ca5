import { describe, expect, it } from '@jest/globals';
import type { Collection } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { groupObjects } from '../src/groupObjects.js';
import { mergeViews } from '../src/mergeViews.js';
import { reduceObjects } from '../src/reduceObjects.js';
import type { View } from '../src/view.js';

interface Item {
  readonly metadata: { readonly name: string };
  readonly n: number;
}

const item = (name: string, n: number): Item => ({ metadata: { name }, n });
const isSame = (before: unknown, after: unknown): boolean => JSON.stringify(before) === JSON.stringify(after);
const valueOf = (value: unknown): unknown => (value as { readonly objects?: unknown } | undefined)?.objects ?? value;

type Made = (items: Collection<Item>, others: Collection<Item>, within: (place: string) => void) => View<unknown>;

/** Views whose functions tell when they run. */
const kinds: Readonly<Record<string, Made>> = {
  derive: (items, others, within) =>
    derive(
      items,
      ({ n }, read) => {
        within('function');
        return { n, others: read(others).length };
      },
      {
        equals: (before, after) => {
          within('equals');
          return isSame(before, after);
        },
        indexers: {
          n: ({ n }) => {
            within('index');
            return [String(n)];
          },
        },
      },
    ),
  groupObjects: (items, _, within) =>
    groupObjects(
      items,
      ({ n }) => {
        within('function');
        return n % 2 === 0 ? 'even' : 'odd';
      },
      {
        equals: () => {
          within('equals');
          return false;
        },
      },
    ),
  mergeViews: (items, others, within) =>
    mergeViews([items, others], {
      resolve: ([one, other]) => {
        within('function');
        return { ...one, n: one.n + other.n };
      },
      equals: (before, after) => {
        within('equals');
        return isSame(before, after);
      },
    }),
  reduceObjects: (items, _, within) =>
    reduceObjects(items, {
      initial: 0,
      add: (total, { n }) => {
        within('function');
        return total + n;
      },
      remove: (total, { n }) => total - n,
      groupBy: ({ n }) => (n % 2 === 0 ? 'even' : 'odd'),
      equals: (before, after) => {
        within('equals');
        return before === after;
      },
    }),
};

function following(view: View<unknown>) {
  const fold = new Map<string, unknown>();
  const subscription = view.change$.subscribe(({ cause, events }) => {
    if (cause === 'snapshot') fold.clear();
    for (const event of events) {
      if (event.type === 'deleted') fold.delete(event.key);
      else fold.set(event.key, event.object);
    }
  });
  const content = (): unknown => Object.fromEntries([...fold].sort().map(([key, value]) => [key, valueOf(value)]));
  return { subscription, content };
}

const contentOf = ({ indexer }: View<unknown>): unknown =>
  Object.fromEntries(
    indexer
      .listKeys()
      .sort()
      .map((key) => [key, valueOf(indexer.getByKey(key))]),
  );

/** Changes the inputs of a view whose `nth` call in a place ends its session; `whole` is the same view with nobody who ends it. */
async function play(kind: string, place: string, nth: number, end: (view: View<unknown>, leave: () => void) => void) {
  const items = fakeCollection([item('a', 1), item('b', 2), item('c', 3)], { name: 'items' });
  const others = fakeCollection([item('a', 10)], { name: 'others' });
  let calls = 0;
  let leave = (): void => undefined;
  const make = kinds[kind] as Made;
  const whole = make(items, others, () => undefined);
  const view: View<unknown> = make(items, others, (where) => {
    if (where !== place) return;
    calls += 1;
    if (calls === nth) end(view, () => leave());
  });
  whole.start();
  const first = following(view);
  leave = () => first.subscription.unsubscribe();
  items.put(item('a', 4), item('d', 5));
  others.put(item('b', 7));
  items.remove('b');
  items.replace([item('a', 4), item('e', 8), item('c', 6)]);
  await Promise.resolve();
  return { items, others, view, whole, first, ended: calls >= nth };
}

const cases = Object.keys(kinds).flatMap((kind) =>
  ['function', 'equals', ...(kind === 'derive' ? ['index'] : [])].map((place) => [kind, place] as const),
);

describe('a view whose user ends it inside of what it calls', () => {
  it.each(cases)('%s, stopped inside its %s: what it has was emitted', async (kind, place) => {
    let ends = 0;
    for (let nth = 1; nth <= 12; nth += 1) {
      const { view, whole, first, ended } = await play(kind, place, nth, (each) => void each.stop());
      if (ended) ends += 1;
      expect(view.health().state === 'stopped').toBe(ended);
      expect(contentOf(view)).toEqual(first.content());
      await whole.stop();
      await view.stop();
    }
    expect(ends).toBeGreaterThan(0);
  });

  it.each(cases)('%s, left inside its %s: the next session has what is there', async (kind, place) => {
    for (let nth = 1; nth <= 12; nth += 1) {
      const { items, others, view, whole } = await play(kind, place, nth, (_, leave) => leave());
      const again = following(view);
      expect(contentOf(view)).toEqual(contentOf(whole));
      items.put(item('a', 14), item('q', 19));
      others.put(item('a', 11));
      expect(contentOf(view)).toEqual(contentOf(whole));
      expect(again.content()).toEqual(contentOf(view));
      again.subscription.unsubscribe();
      await whole.stop();
      await view.stop();
    }
  });
});
