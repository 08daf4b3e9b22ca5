import { describe, expect, it } from '@jest/globals';
import type { Collection, KubernetesObject } from 'rx-informer';
import { type FakeCollection, fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { deriveWithStatus } from '../src/deriveWithStatus.js';
import { toSignal } from '../src/toSignal.js';
import { groupObjects } from '../src/groupObjects.js';
import type { Bucket, InputIndex } from '../src/kernel/reads/inputIndex.js';
import { objectsByIndex } from '../src/objectsByIndex.js';
import { reduceObjects } from '../src/reduceObjects.js';
import { topObjects } from '../src/topObjects.js';

interface Pod extends KubernetesObject {
  readonly n: number;
}

const pod = (name: string, n: number, app = 'web'): Pod => ({ metadata: { namespace: 'n', name, labels: { app } }, n });
const quiet = { logger: { warn: () => undefined } };

function record<T>(collection: Collection<T>, show: (value: T) => unknown): string[] {
  const seen: string[] = [];
  const signs = { added: '+', updated: '~', deleted: '-' };
  collection.change$.subscribe({
    next: ({ events }) =>
      seen.push(
        events.map(({ type, key, object }) => `${signs[type]}${key}${type === 'deleted' ? '' : `:${String(show(object))}`}`).join(' '),
      ),
    error: (error: unknown) => seen.push(String(error)),
  });
  return seen;
}

describe('groupObjects', () => {
  it('keeps groups, and deletes those without objects', () => {
    const pods = fakeCollection([pod('a', 1, 'x'), pod('b', 2, 'x'), pod('c', 3, 'y')]);
    const seen = record(
      groupObjects(pods, ({ metadata }) => metadata?.labels?.['app']),
      ({ objects }) => objects.map(({ metadata }) => metadata?.name).join(''),
    );
    pods.put(pod('c', 3, 'x'));
    pods.remove('n/b');
    expect(seen).toEqual(['+x:ab +y:c', '-y ~x:abc', '~x:ac']);
  });

  it('freezes the objects of a group like any value', () => {
    const pods = fakeCollection([pod('b', 1, 'x'), pod('a', 2, 'x')]);
    const sortsIn = (freeze: boolean) => (): void => {
      const groups = groupObjects(pods, ({ metadata }) => metadata?.labels?.['app'], { freeze });
      groups.start();
      (groups.indexer.getByKey('x')?.objects as Pod[]).sort((a, b) => a.n - b.n);
    };
    expect(sortsIn(true)).toThrow(TypeError);
    expect(sortsIn(false)).not.toThrow();
  });

  it('leaves an object whose group cannot be told where it was', () => {
    const pods = fakeCollection([pod('a', 1, 'x')]);
    const view = groupObjects(
      pods,
      ({ metadata, n }) => {
        if (n === 2) throw new Error('no 2');
        return metadata?.labels?.['app'];
      },
      quiet,
    );
    const seen = record(view, ({ objects }) => objects.map(({ n }) => n).join());
    pods.put(pod('a', 2, 'y'));
    expect([seen, view.health().degraded]).toEqual([['+x:1'], ['n/a']]);
    pods.put(pod('a', 3, 'y'));
    expect([seen, view.health().degraded]).toEqual([['+x:1', '-x +y:3'], []]);
  });
});

describe('reduceObjects', () => {
  it('keeps a total, which is there without any object', () => {
    const pods = fakeCollection<Pod>([]);
    const counted: string[] = [];
    const total = reduceObjects(pods, {
      initial: 0,
      add: (sum, { n }) => (counted.push(`+${String(n)}`), sum + n),
      remove: (sum, { n }) => (counted.push(`-${String(n)}`), sum - n),
    });
    const seen = record(total, String);
    pods.put(pod('a', 1), pod('b', 2));
    pods.put(pod('b', 5));
    pods.remove('n/a');
    expect(seen).toEqual(['+total:0', '~total:3', '~total:6', '~total:5']);
    expect(counted).toEqual(['+1', '+2', '-2', '+5', '-1']);
  });

  it('explains the total of no objects', () => {
    const pods = fakeCollection<Pod>([]);
    const total = reduceObjects(pods, { initial: 0, add: (sum, { n }) => sum + n });
    total.start();
    expect(total.explain('total')).toMatchObject({ key: 'total', inputs: [{ read: 'everything', keys: [] }], cause: undefined });
    pods.put(pod('a', 1));
    expect(total.explain('total')).toMatchObject({ inputs: [{ keys: ['n/a'] }], cause: { keys: ['n/a'] } });
  });

  it('leaves totals as they were when an object cannot be added', () => {
    const pods = fakeCollection([pod('a', 1), pod('b', 2)]);
    const add = (sum: number, { n }: Pod): number => {
      if (n < 0) throw new Error('negative');
      return sum + n;
    };
    const total = reduceObjects(pods, { initial: 0, add, ...quiet });
    const seen = record(total, String);
    pods.put(pod('b', -1));
    expect([seen, total.health().degraded]).toEqual([['+total:3'], ['n/b']]);
    pods.remove('n/b');
    expect([seen, total.health().degraded]).toEqual([['+total:3', '~total:1'], []]);
  });
});

describe('a value that is NaN', () => {
  it('is told once, not with each computation', () => {
    const pods = fakeCollection([pod('a', 1)]);
    const view = derive(pods, () => NaN);
    const seen = record(view, String);
    pods.put(pod('a', 2));
    expect([seen, view.counters().changes]).toEqual([['+n/a:NaN'], 1]);
  });
});

describe('topObjects', () => {
  it('keeps the first objects of an order', () => {
    const pods = fakeCollection([pod('a', 3), pod('b', 1), pod('c', 2)]);
    const seen = record(
      topObjects(pods, (a, b) => a.n - b.n, { limit: 2 }),
      ({ n }) => n,
    );
    pods.put(pod('a', 0));
    pods.remove('n/b');
    pods.put(pod('z', 9));
    expect(seen).toEqual(['+n/b:1 +n/c:2', '-n/c +n/a:0', '-n/b +n/c:2']);
  });

  it('hands out in order what it holds, also where a new version equals the one before', () => {
    const pods = fakeCollection([pod('a', 1), pod('b', 2)]);
    const view = topObjects(pods, (a, b) => a.n - b.n, { equals: (a, b) => a.n === b.n });
    const seen: (readonly Pod[])[] = [];
    view.ordered$.subscribe((objects) => seen.push(objects));
    pods.put(pod('a', 1, 'db'));
    pods.put(pod('b', 0));
    expect(seen.map((objects) => objects.map(({ metadata }) => metadata?.labels?.['app']))).toEqual([
      ['web', 'web'],
      ['web', 'web'],
    ]);
    expect(seen[1]?.[1]).toBe(seen[0]?.[0]);
    expect(view.ordered()).toEqual([view.indexer.getByKey('n/b'), view.indexer.getByKey('n/a')]);
  });

  it('explains an object that is among the first since another has gone', () => {
    const pods = fakeCollection([pod('a', 1), pod('b', 2)], { name: 'pods' });
    const view = topObjects(pods, (a, b) => a.n - b.n, { limit: 1 });
    view.start();
    expect(view.explain('n/b')).toBeUndefined();
    pods.remove('n/a');
    expect(view.explain('n/b')).toMatchObject({ inputs: [{ keys: ['n/b'] }], cause: { collection: 'pods', keys: ['n/a'] } });
  });

  it('hands its objects out in their order, after each change', () => {
    const pods = fakeCollection([pod('a', 3), pod('b', 1), pod('c', 2)]);
    const view = topObjects(pods, (a, b) => a.n - b.n, { limit: 2 });
    const seen: number[][] = [];
    const subscription = view.ordered$.subscribe((objects) => seen.push(objects.map(({ n }) => n)));
    pods.put(pod('a', 0));
    pods.put(pod('b', 5));
    expect(view.ordered()).toEqual([pod('a', 0), pod('c', 2)]);
    expect(seen).toEqual([[1, 2], [0, 1], [0, 2]]); // prettier-ignore
    subscription.unsubscribe();
    expect(view.ordered()).toEqual([]);
  });

  it('finds what goes by a few comparisons, and also when the comparison fails', () => {
    const pods = fakeCollection(Array.from({ length: 4096 }, (_, n) => pod(`p${String(n).padStart(4, '0')}`, n % 7)));
    let comparisons = 0;
    let broken = false;
    const compare = (a: Pod, b: Pod): number => {
      comparisons += 1;
      if (broken) throw new Error('broken');
      return a.n - b.n;
    };
    const seen = record(topObjects(pods, compare, { limit: 1 }), ({ n }) => n);
    comparisons = 0;
    pods.remove('n/p0000');
    expect(comparisons).toBeLessThanOrEqual(13);
    broken = true;
    pods.remove('n/p0007');
    expect(seen).toEqual(['+n/p0000:0', '-n/p0000 +n/p0007:0', '-n/p0007 +n/p0014:0']);
  });

  it.each([
    ['is gone', (pods: FakeCollection<Pod>): void => pods.remove('n/bad'), []],
    ['has changed', (pods: FakeCollection<Pod>): void => pods.put(pod('bad', 4)), ['n/bad']],
  ])('places what could not be compared with an object once that object %s', (_, mend, bad) => {
    const pods = fakeCollection([pod('bad', NaN)]);
    const view = topObjects(pods, (a, b) => a.n - b.n, { ...quiet, limit: 5 });
    view.change$.subscribe();
    pods.put(pod('a', 3), pod('b', 1));
    pods.put(pod('c', 2));
    pods.remove('n/c');
    expect([view.indexer.listKeys(), view.health().degraded]).toEqual([['n/bad'], ['n/a', 'n/b']]);
    mend(pods);
    expect([view.ordered().map(({ n }) => n), view.health().degraded]).toEqual([[1, 3, ...bad.map(() => 4)], []]);
    pods.put(pod('a', 0));
    expect(view.ordered().map(({ n }) => n)).toEqual([0, 1, ...bad.map(() => 4)]);
  });
});

describe('objectsByIndex', () => {
  it('is one value of an index, live', () => {
    const indexers = { app: ({ metadata }: Pod): string[] => [metadata?.labels?.['app'] ?? ''] };
    const pods = fakeCollection([pod('a', 1, 'x'), pod('b', 2, 'y')], { name: 'pods', indexers });
    const view = objectsByIndex(pods, 'app', 'x');
    const seen = record(view, ({ n }) => n);
    pods.put(pod('b', 2, 'x'));
    pods.put(pod('c', 3, 'y'));
    pods.put(pod('a', 4, 'y'));
    expect(seen).toEqual(['+n/a:1', '+n/b:2', '-n/a']);
    expect(view.counters().computed).toBe(3);
    expect(record(objectsByIndex(pods, 'ap', 'x'), () => '')[0]).toContain(
      'Expected `indexName` to be the name of an index of pods (existing: "app"), got "ap"',
    );
  });
});

describe('an index that is added to an input later', () => {
  it('is there for those who read it from then on, and kept up, also when it is removed', () => {
    const pods = fakeCollection([pod('a', 1), pod('b', 2)]);
    const groups = fakeCollection([pod('odd', 1)]);
    const doubled = derive(pods, ({ metadata, n }) => ({ ...(metadata && { metadata }), n: 2 * n }));
    const before = derive(groups, (_, read) => read(doubled).length);
    const seenBefore = record(before, String);
    const remove = doubled.addIndexers({ half: ({ n }) => [n % 4 === 0 ? 'even' : 'odd'] });
    const after = derive(groups, ({ metadata }, read) => read.byIndex(doubled, 'half', metadata?.name ?? '').map(({ n }) => n));
    const seen = record(after, String);
    pods.put(pod('c', 3), pod('a', 4));
    remove();
    pods.put(pod('c', 5));
    expect([seenBefore, seen]).toEqual([
      ['+n/odd:2', '~n/odd:3'],
      ['+n/odd:2', '~n/odd:6', '~n/odd:10'],
    ]);
    expect(() => doubled.indexer.byIndex('half', 'odd')).toThrow('got "half"');
  });

  it('is another one than one of that name that was removed while somebody reads it', () => {
    const pods = fakeCollection([pod('a', 1, 'web'), pod('b', 2, 'db')]);
    const doubled = derive(pods, ({ metadata, n }) => ({ ...(metadata && { metadata }), n: 2 * n }));
    const apps = fakeCollection([pod('web', 1)]);
    const viewOf = () => derive(apps, ({ metadata }, read) => read.byIndex(doubled, 'by', metadata?.name ?? '').map(({ n }) => n));
    const remove = doubled.addIndexers({ by: ({ metadata }) => [metadata?.labels?.['app'] ?? ''] });
    const before = record(viewOf(), String);
    remove();
    doubled.addIndexers({ by: ({ n }) => [n === 4 ? 'web' : 'db'] });
    const after = record(viewOf(), String);
    expect([before, after]).toEqual([['+n/web:2'], ['+n/web:4']]);
    // A view that computes again reads the index that is there.
    apps.put(pod('web', 2));
    expect(before).toEqual(['+n/web:2', '~n/web:4']);
  });

  it('is all that a view of one of its values has, once it is another one of that name', () => {
    const pods = fakeCollection([pod('a', 1, 'web'), pod('b', 2, 'web'), pod('c', 3, 'db')]);
    const copies = derive(pods, ({ metadata, n }) => ({ ...(metadata && { metadata }), n }));
    const remove = copies.addIndexers({ by: ({ metadata }) => [metadata?.labels?.['app'] ?? ''] });
    const web = objectsByIndex(copies, 'by', 'web');
    const seen = record(web, ({ n }) => String(n));
    remove();
    copies.addIndexers({ by: ({ n }) => [n >= 2 ? 'web' : 'db'] });
    pods.put(pod('b', 4, 'web'));
    expect(web.indexer.listKeys().sort()).toEqual(
      copies.indexer
        .byIndex('by', 'web')
        .map(({ metadata }) => `n/${metadata?.name}`)
        .sort(),
    );
    expect(seen).toHaveLength(2);
    pods.put(pod('a', 5, 'db'));
    expect(web.indexer.listKeys().sort()).toEqual(['n/a', 'n/b', 'n/c']);
  });
});

describe('deriveWithStatus', () => {
  it('makes two views with one computation', () => {
    const pods = fakeCollection([pod('a', 1)]);
    let calls = 0;
    const { values, statuses } = deriveWithStatus(pods, ({ n }) => {
      calls += 1;
      return n < 5 ? { value: n, status: 'Accepted' } : { status: 'Rejected' };
    });
    const [seenValues, seenStatuses] = [record(values, String), record(statuses, String)];
    pods.put(pod('a', 2));
    pods.put(pod('a', 7));
    pods.remove('n/a');
    expect(seenValues).toEqual(['+n/a:1', '~n/a:2', '-n/a']);
    expect(seenStatuses).toEqual(['+n/a:Accepted', '~n/a:Rejected', '-n/a']);
    expect(calls).toBe(3);
  });

  it.each(['equals', 'labels', 'indexers'])('refuses an option that is about one of them: %s', (name) => {
    const make = (): unknown => deriveWithStatus(fakeCollection<Pod>([]), () => undefined, { [name]: () => true });
    expect(make).toThrow(new RegExp(`^Unknown option \`${name}\` of \`deriveWithStatus\``));
  });
});

describe('toSignal', () => {
  it('leaves when the first call throws', () => {
    const pods = fakeCollection([pod('a', 1)]);
    const subscribe = (): unknown =>
      toSignal(pods).subscribe(() => {
        throw new Error('cannot render');
      });
    expect(subscribe).toThrow('cannot render');
    expect(pods.subscriptions()).toBe(0);
  });
});

describe('a graph of views', () => {
  it('holds on to nothing of what is gone', () => {
    const pods = fakeCollection([pod('keep', 1)], { name: 'pods' });
    const owners = fakeCollection<Pod>([], { name: 'owners' });
    const joined = derive(owners, ({ metadata }, read) => [
      read(pods, { namespace: 'n', labelSelector: { app: metadata?.name ?? '' } }).length,
      read.get(pods, `n/${metadata?.name ?? ''}`)?.n,
      read(pods, { filter: ({ n }) => n === -1 }).length,
    ]);
    const groups = groupObjects(joined, ([count]) => `g${String(count)}`);
    const subscription = groups.change$.subscribe();
    const link = (collection: Collection<Pod>): Record<string, { size: number }> =>
      (joined as unknown as { links: Map<unknown, { reads: unknown }> }).links.get(collection)?.reads as Record<string, { size: number }>;

    const sizes = (): number[] => ['byKey', 'selections', 'reads'].map((name) => link(pods)[name]?.size ?? -1);
    /** Of each index: its buckets, and all reads of them. */
    const buckets = (): number[][] => {
      const { indexes } = link(pods)['indexes'] as unknown as { indexes: Map<string, InputIndex<Pod>> };
      return [...indexes.values()].map((index) => {
        const { scopes } = index as unknown as { scopes: Map<string, Map<string, Bucket<Pod>>> };
        const all = [...scopes.values()].flatMap((scope) => [...scope.values()]);
        return [all.length, all.flatMap(({ reads }) => [...reads]).length];
      });
    };
    owners.put(pod('first', 0));
    const before = [sizes(), buckets()];
    expect(before).toEqual([
      [1, 1, 2],
      [
        [2, 1],
        [1, 1],
      ],
    ]);
    for (let at = 0; at < 10_000; at += 1) {
      const name = `owner-${String(at)}`;
      owners.put(pod(name, at));
      pods.put(pod(name, at, name));
      owners.remove(`n/${name}`);
      pods.remove(`n/${name}`);
    }
    expect([sizes(), buckets()]).toEqual(before);
    const internals = joined as unknown as Record<string, { size: number }> & { computations: { byKey: { size: number } } };
    const left = ['dirty', 'waiting', 'results', 'dependencies'].map((name) => internals[name]?.size);
    expect([...left, internals.computations.byKey.size]).toEqual([0, 0, 0, 1, 1]);
    owners.remove('n/first');
    // No value reads the pods any more.
    expect([link(pods), pods.subscriptions(), owners.subscriptions()]).toEqual([undefined, 0, 1]);
    subscription.unsubscribe();
    expect(owners.subscriptions()).toBe(0);
  });
});
