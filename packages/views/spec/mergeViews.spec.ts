import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, Subject } from 'rxjs';
import type { Collection, KubernetesObject } from 'rx-informer';
import { fakeCollection } from '../src/testing/fakeCollection.js';
import { derive } from '../src/derive.js';
import { mergeViews } from '../src/mergeViews.js';

interface Pod extends KubernetesObject {
  readonly n: number;
}

const pod = (name: string, n: number): Pod => ({ metadata: { namespace: 'n', name }, n });
const signs = { added: '+', updated: '~', deleted: '-' };

function record(collection: Collection<Pod>): string[] {
  const seen: string[] = [];
  collection.change$.subscribe({
    next: ({ events, synced }) => {
      const shown = events.map(({ type, key, object }) => `${signs[type]}${key.slice(2)}${type === 'deleted' ? '' : String(object.n)}`);
      seen.push(`${shown.join(' ')}${synced ? '' : ' incomplete'}`);
    },
    error: (error: unknown) => seen.push(String(error)),
    complete: () => seen.push('complete'),
  });
  return seen;
}

describe('mergeViews', () => {
  it('is the union of what is in several, the first one first', () => {
    const first = fakeCollection([pod('a', 1)], { name: 'first' });
    const second = fakeCollection([pod('a', 2), pod('b', 2)], { name: 'second' });
    const seen = record(mergeViews([first, second]));
    first.remove('n/a');
    second.put(pod('b', 3));
    first.put(pod('b', 4));
    expect(seen).toEqual(['+a1 +b2', '~a2', '~b3', '~b4']);
  });

  it('asks a rule about several', () => {
    const collections = [1, 2, 3].map((n) => fakeCollection([pod('a', n)], { name: String(n) }));
    const total = (pods: readonly Pod[]): number => pods.reduce((sum, { n }) => sum + n, 0);
    const seen = record(mergeViews(collections, { resolve: (pods) => pod('a', total(pods)) }));
    collections[1]?.remove('n/a');
    expect(seen).toEqual(['+a6', '~a4']);
  });

  it('refuses what is no list of collections', () => {
    expect(() => mergeViews([])).toThrow('Expected `mergeViews` to be given at least one informer or view');
    expect(() => mergeViews({} as never)).toThrow('Expected `mergeViews` to be given a list of informers and views, got');
    expect(() => mergeViews([1 as never])).toThrow('Expected `mergeViews` to be given an informer or a view, got 1');
  });
});

describe('mergeViews of collections that come and go', () => {
  it('takes objects in and away with their collections, each time in one change', () => {
    const first = fakeCollection([pod('a', 1), pod('b', 1)], { name: 'first' });
    const second = fakeCollection([pod('b', 2), pod('c', 2)], { name: 'second' });
    const lists = new Subject<readonly Collection<Pod>[]>();
    const all = mergeViews(lists);
    const seen = record(all);
    expect([seen, all.hasSynced()]).toEqual([[], false]);
    lists.next([]);
    lists.next([first]);
    lists.next([first, second]);
    second.put(pod('c', 3));
    lists.next([second, first]);
    lists.next([second]);
    first.put(pod('a', 9));
    lists.next([]);
    expect(seen).toEqual(['', '+a1 +b1', '+c2', '~c3', '~b2', '-a', '-b -c']);
    expect([first.subscriptions(), second.subscriptions()]).toEqual([0, 0]);
  });

  it('keeps everything else while one that comes is not complete', () => {
    const first = fakeCollection([pod('a', 1)], { name: 'first' });
    const slow = fakeCollection<Pod>([], { name: 'slow', synced: false });
    const lists = new BehaviorSubject<readonly Collection<Pod>[]>([first]);
    const all = mergeViews(lists);
    const seen = record(all);
    lists.next([first, slow]);
    expect(all.health()).toMatchObject({ state: 'listing', synced: false });
    first.put(pod('a', 2));
    slow.replace([pod('b', 3)]);
    expect(seen).toEqual(['+a1', ' incomplete', '~a2 incomplete', '+b3']);
    expect(all.explain('n/b')?.inputs).toEqual([{ collection: 'slow', read: 'key n/b', keys: ['n/b'] }]);
  });

  it('is complete when what never was goes', () => {
    const first = fakeCollection([pod('a', 1)], { name: 'first' });
    const broken = fakeCollection<Pod>([], { name: 'broken', synced: false });
    const lists = new BehaviorSubject<readonly Collection<Pod>[]>([first, broken]);
    const seen = record(mergeViews(lists));
    expect(seen).toEqual([]);
    lists.next([first]);
    expect(seen).toEqual(['+a1']);
  });

  it('keeps what one had that has ended, until it goes, and ends with all of them', () => {
    const contents = new Subject<readonly Pod[]>();
    const ending = fakeCollection(contents, { name: 'ending' });
    const lists = new BehaviorSubject<readonly Collection<Pod>[]>([ending]);
    const seen = record(mergeViews(lists));
    contents.next([pod('a', 1)]);
    contents.complete();
    expect(seen).toEqual(['+a1']);
    lists.complete();
    expect(seen).toEqual(['+a1', 'complete']);
  });

  it('takes a list that comes in a callback when everybody has been told', () => {
    const first = fakeCollection([pod('a', 1)], { name: 'first' });
    const second = fakeCollection([pod('b', 1)], { name: 'second' });
    const lists = new BehaviorSubject<readonly Collection<Pod>[]>([first]);
    const all = mergeViews(lists);
    const order: string[] = [];
    first.change$.subscribe(({ cause }) => {
      if (cause === 'watch') lists.next([second]);
      order.push(`first, while all have ${all.indexer.listKeys().join()}`);
    });
    all.change$.subscribe(({ events }) => order.push(events.map(({ type, key }) => `${signs[type]}${key}`).join(' ')));
    order.length = 0;
    first.put(pod('a', 2));
    expect(order).toEqual(['first, while all have n/a', '~n/a', '-n/a +n/b']);
  });

  it('fails with the stream of lists, with a wrong list and with a circle', () => {
    const first = fakeCollection([pod('a', 1)], { name: 'first' });
    const seenOf = (act: (lists: Subject<readonly Collection<Pod>[]>, view: Collection<Pod>) => void): string[] => {
      const lists = new Subject<readonly Collection<Pod>[]>();
      const view = mergeViews(lists, { name: 'all' });
      const seen = record(view);
      act(lists, view);
      return seen;
    };
    expect(seenOf((lists) => lists.error(new Error('gone')))).toEqual(['Error: gone']);
    expect(seenOf((lists) => lists.next([first, 7 as never]))).toEqual([
      'TypeError: Expected `mergeViews` to be given an informer or a view, got 7',
    ]);
    expect(seenOf((lists, view) => lists.next([derive(view, (value) => value, { name: 'of all' })]))).toEqual([
      'TypeError: A view cannot be made of itself: all reads of all reads all',
    ]);
    expect(first.subscriptions()).toBe(0);
  });

  it('starts afresh with the list that there is then', () => {
    const first = fakeCollection([pod('a', 1)], { name: 'first' });
    const second = fakeCollection([pod('b', 1)], { name: 'second' });
    const lists = new BehaviorSubject<readonly Collection<Pod>[]>([first]);
    const all = mergeViews(lists);
    const known: string[] = [];
    const subscription = all.change$.subscribe();
    subscription.unsubscribe();
    expect([lists.observed, first.subscriptions()]).toEqual([false, 0]);
    lists.next([second]);
    all.change$.subscribe(({ events }) => known.push(...events.map(({ type, key }) => `${signs[type]}${key}`)));
    expect([known, all.indexer.listKeys(), first.subscriptions()]).toEqual([['+n/b'], ['n/b'], 0]);
  });

  it('explains a value by the collection that has left, also where several leave', () => {
    const named = (name: string): Collection<Pod> => fakeCollection([pod('a', name.length)], { name });
    const [first, second, last] = [named('first'), named('second'), named('last')];
    const lists = new BehaviorSubject([first, second, last]);
    const all = mergeViews(lists);
    all.change$.subscribe();
    lists.next([second, last]);
    expect(all.explain('n/a')?.cause?.collection).toBe('first');
    lists.next([last]);
    expect(all.explain('n/a')?.cause?.collection).toBe('second');
  });
});
