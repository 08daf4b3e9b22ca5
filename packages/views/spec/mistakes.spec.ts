import { describe, expect, it } from '@jest/globals';
import { type Collection, createInformer } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { FakeListerWatcher } from 'rx-informer/testing';
import { collectionOf } from '../src/collectionOf.js';
import { derive } from '../src/derive.js';
import { deriveMany } from '../src/deriveMany.js';
import { deriveWithStatus } from '../src/deriveWithStatus.js';
import { groupObjects } from '../src/groupObjects.js';
import { mergeViews } from '../src/mergeViews.js';
import { reduceObjects } from '../src/reduceObjects.js';
import { topObjects } from '../src/topObjects.js';
import type { View } from '../src/view.js';
import { type Item, item } from './items.js';

const quiet = { logger: { warn: () => undefined } };

/** Two collections with an object each, under one key. */
const sources = (): [ReturnType<typeof fakeCollection<Item>>, ReturnType<typeof fakeCollection<Item>>] => [
  fakeCollection([item('a', 1), item('b', 2)], { name: 'items' }),
  fakeCollection([item('a', 3), item('b', 4)], { name: 'others' }),
];

/** A view, with a function that does something first. */
type Make = (collections: readonly [Collection<Item>, Collection<Item>], before: () => void) => View<unknown>;

const first = <R>(before: () => void, value: R): R => (before(), value);

const functions: Readonly<Record<string, Make>> = {
  derive: ([items], before) => derive<Item, number>(items, () => first(before, 1), quiet),
  'filter of read': ([items, others], before) =>
    derive<Item, number>(items, (_, read) => read(others, { filter: () => first(before, true) }).length, quiet),
  deriveMany: ([items], before) => deriveMany<Item, string>(items, ({ metadata }) => first(before, [metadata.name]), { ...quiet, key: (value) => value }), // prettier-ignore
  'key of deriveMany': ([items], before) => deriveMany<Item, string>(items, ({ metadata }) => [metadata.name], { ...quiet, key: (value) => first(before, value) }), // prettier-ignore
  groupsOf: ([items], before) => groupObjects<Item>(items, () => first(before, 'g'), quiet),
  add: ([items], before) => reduceObjects<Item, number>(items, { ...quiet, initial: 0, add: (sum) => first(before, sum + 1) }),
  groupBy: ([items], before) => reduceObjects<Item, number>(items, { ...quiet, initial: 0, add: (sum) => sum + 1, groupBy: () => first(before, 'g') }), // prettier-ignore
  compare: ([items], before) => topObjects<Item>(items, (a, b) => first(before, a.n - b.n), quiet),
  resolve: ([items, others], before) => mergeViews<Item>([items, others], { ...quiet, resolve: ([object]) => first(before, object) }),
};

const cases = Object.entries(functions);

/** The messages of the failures of a view. */
function failuresOf(view: View<unknown>): string[] {
  const messages: string[] = [];
  view.error$.subscribe(({ message }) => messages.push(message));
  view.change$.subscribe({ error: (error: unknown) => messages.push((error as Error).message) });
  return messages;
}

describe('a function of a view', () => {
  it.each(cases)('that reads a lister fails: %s', (_, make) => {
    const [items, others] = sources();
    const view = make([items, others], () => others.lister.list());
    expect(failuresOf(view).join()).toContain('reads a lister or an indexer; only reads with `read` are tracked');
    expect(view.health().degraded.length).toBeGreaterThan(0);
  });

  it.each(cases)('that reads an indexer fails: %s', (_, make) => {
    const [items, others] = sources();
    const messages = failuresOf(make([items, others], () => others.indexer.getByKey('a')));
    expect(messages.join()).toContain('reads a lister or an indexer');
  });

  it.each(cases)('that subscribes fails, and its subscription gets nothing: %s', (_, make) => {
    const [items, others] = sources();
    let told = 0;
    const view = make([items, others], () => others.change$.subscribe(() => (told += 1)));
    expect(failuresOf(view).join()).toContain('subscribes to an informer or a view; read it with `read`, or subscribe outside');
    others.put(item('c', 1));
    expect(told).toBe(0);
  });

  it.each(cases)('works when it does none of that: %s', (_, make) => {
    const [items, others] = sources();
    const view = make([items, others], () => undefined);
    expect(failuresOf(view)).toEqual([]);
    expect(view.indexer.listKeys().length).toBeGreaterThan(0);
  });
});

describe('asynchronous functions', () => {
  const later = (async () => Promise.resolve(1)) as unknown as () => never;
  const [items, others] = sources();
  const options = { initial: 0, add: (sum: number) => sum };
  const refused: Readonly<Record<string, () => unknown>> = {
    derive: () => derive(items, later),
    deriveMany: () => deriveMany(items, later, { key: () => 'a' }),
    'key of deriveMany': () => deriveMany(items, () => ['a'], { key: later }),
    deriveWithStatus: () => deriveWithStatus(items, later),
    groupsOf: () => groupObjects(items, later),
    add: () => reduceObjects(items, { initial: 0, add: later }),
    remove: () => reduceObjects(items, { ...options, remove: later }),
    groupBy: () => reduceObjects(items, { ...options, groupBy: later }),
    compare: () => topObjects(items, later),
    resolve: () => mergeViews([items, others], { resolve: later }),
    equals: () => derive(items, () => 1, { equals: later }),
    labels: () => derive(items, () => 1, { labels: later }),
  };

  it.each(Object.entries(refused))('are refused where the view is made: %s', (_, make) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow('is asynchronous; a view is computed synchronously');
  });

  const hidden = (() => Promise.reject(new Error('too late'))) as unknown as () => never;
  const returned: Readonly<Record<string, () => View<unknown>>> = {
    derive: () => derive(items, hidden, quiet),
    deriveMany: () => deriveMany(items, hidden, { ...quiet, key: () => 'a' }),
    groupsOf: () => groupObjects(items, hidden, quiet),
    add: () => reduceObjects(items, { ...quiet, initial: 0, add: hidden }),
    groupBy: () => reduceObjects(items, { ...quiet, ...options, groupBy: hidden }),
    compare: () => topObjects(items, hidden, quiet),
    resolve: () => mergeViews([items, others], { ...quiet, resolve: hidden }),
    deriveWithStatus: () => deriveWithStatus(items, hidden, quiet).values,
  };

  it.each(Object.entries(returned))('that return a promise end the view, and their rejection ends nothing: %s', async (_, make) => {
    const messages = failuresOf(make());
    expect(messages).toHaveLength(1);
    expect(messages[0]).toContain('is asynchronous; a view is computed synchronously');
    // An unhandled rejection would fail the run.
    await new Promise<void>((resolve) => setImmediate(resolve));
  });
});

describe('what functions return', () => {
  it.each([true, NaN, undefined, '1'])('is refused by topObjects when it is no number: %p', (order) => {
    const [items] = sources();
    const view = topObjects(items, () => order as number, quiet);
    expect(failuresOf(view).join()).toContain('Expected the comparison to return a number, got');
    expect(view.health().degraded).toHaveLength(1);
  });

  it.each([undefined, null])('is refused by reduceObjects when it is no total: %p', (total) => {
    const [items] = sources();
    const view = reduceObjects<Item, number>(items, { ...quiet, initial: 5, add: () => total as never });
    expect(failuresOf(view).join()).toContain(`Expected \`add\` to return the total, got ${String(total)}`);
    expect(view.indexer.getByKey('total')).toBe(5);
  });

  it('is no total that was `initial` and has been changed', () => {
    const [items] = sources();
    const initial: string[] = [];
    const add = (total: string[], { metadata }: Item): string[] => {
      total.push(metadata.name);
      return total;
    };
    const view = reduceObjects<Item, string[]>(items, { ...quiet, initial, add, groupBy: ({ n }) => `g${n}` });
    expect(failuresOf(view).join()).toContain('object is not extensible');
    expect(initial).toEqual([]);
    expect(view.health().degraded).toEqual(['a', 'b']);
  });

  it.each([null, undefined])('is no label selector: %p', (labelSelector) => {
    const [items, others] = sources();
    const view = derive<Item, number>(items, (_, read) => read(others, { labelSelector: labelSelector as never }).length, quiet);
    expect(failuresOf(view).join()).toContain('Expected `labelSelector` of `read` to be a selector');
    expect(view.indexer.listKeys()).toEqual([]);
  });

  it.each([
    [{}, { app: undefined }],
    [{ app: 'web' }, { app: 'web', tier: undefined }],
    [{ matchLabels: {} }, { matchLabels: { app: undefined } }],
  ])('has no undefined value, even where %p has been read before', (selector, mistaken) => {
    const [items, others] = sources();
    const view = derive<Item, number>(items, ({ n }, read) => read(others, { labelSelector: n === 2 ? mistaken : selector }).length, quiet);
    expect(failuresOf(view)).toHaveLength(1);
    items.put(item('a', 3));
    items.put(item('a', 2));
    expect(view.health().degraded).toEqual(['b', 'a']);
  });
});

describe('what is given', () => {
  const filter = (() => true) as object;
  it.each([null, 5, 'app=web', filter, []])('is no selection of `read`: %p', (selection) => {
    const [items, others] = sources();
    const view = derive<Item, number>(items, (_, read) => read(others, selection as never).length, quiet);
    expect(failuresOf(view).join()).toContain('Expected `read` to be given an object with conditions, got');
    expect(view.indexer.listKeys()).toEqual([]);
  });

  it('is no promise of values', () => {
    expect(() => collectionOf(Promise.resolve([]))).toThrow(
      'Expected `collectionOf` to be given an array, a value or an Observable, got a promise',
    );
  });

  it.each([undefined, null, 5])('is no namespace of a lister: %p', (namespace) => {
    expect(() => sources()[0].lister.namespace(namespace as never)).toThrow('Expected the namespace for items to be a string, got');
  });

  it.each([{ vale: 1 }, 'text', 5])('is nothing for two views, and said so: %p', (made) => {
    const [items] = sources();
    const view = deriveWithStatus(items, () => made as never, quiet).values;
    view.start();
    expect(view.health().error?.message).toContain('Expected the function to return `{ value, status }`, got');
  });
});

describe('a view or informer inside a function', () => {
  it.each([
    ['view', () => collectionOf(1, { name: 'inner' })],
    ['informer', () => createInformer(new FakeListerWatcher(), { name: 'inner' })],
  ])('is refused by the name of the view whose function it is: %s', (what, make) => {
    const made: string[] = [];
    const view = derive<Item, number>(
      sources()[0],
      (_, read) => {
        if (made.push('one') > 9) throw new Error('endless');
        return read<unknown>(make()).length;
      },
      { ...quiet, name: 'outer' },
    );
    expect(failuresOf(view).join()).toContain(`The function of the view outer makes the ${what} inner; make it once, outside, and read it`);
  });

  it('that turns out to be made of the reader ends the reader, and names the circle', () => {
    const [items] = sources();
    const inner: View<number> = derive<Item, number>(items, (_, read) => read(outer).length, { ...quiet, name: 'inner' });
    const outer: View<number> = derive<Item, number>(items, (_, read) => read(inner).length, { ...quiet, name: 'outer' });
    expect(failuresOf(outer).join()).toContain('A view cannot be made of itself');
  });

  it('that becomes made of the reader in time ends with the circle by name, and nothing else does', () => {
    const [items, others] = sources();
    let isCircle = false;
    const inner: View<number> = derive<Item, number>(items, ({ n }, read) => (isCircle ? read(outer).length : n), {
      ...quiet,
      name: 'inner',
    });
    const outer: View<number> = derive<Item, number>(others, ({ n }, read) => read(inner).length + n, { ...quiet, name: 'outer' });
    const messages = failuresOf(outer);
    const bystander = derive<Item, number>(items, ({ n }) => n * 2);
    bystander.start();
    expect(messages).toEqual([]);
    isCircle = true;
    items.put(item('a', 10));
    expect(messages.join()).toMatch(/A view cannot be made of itself: .*inner.*outer|A view cannot be made of itself: .*outer.*inner/);
    expect(bystander.indexer.getByKey('a')).toBe(20);
    items.put(item('a', 11));
    expect(bystander.indexer.getByKey('a')).toBe(22);
  });
});
