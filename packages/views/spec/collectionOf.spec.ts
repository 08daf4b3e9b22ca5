import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, concat, Observable, of, Subject, throwError } from 'rxjs';
import type { Collection } from 'rx-informer';
import { collectionOf } from '../src/collectionOf.js';
import { derive } from '../src/derive.js';
import { type Item, item } from './items.js';

/** The changes of a collection in short form. */
function record(collection: Collection<unknown>): string[] {
  const seen: string[] = [];
  const signs = { added: '+', updated: '~', deleted: '-' };
  collection.change$.subscribe({
    next: ({ events }) => seen.push(events.map(({ type, key }) => `${signs[type]}${key}`).join(' ')),
    error: (error: unknown) => seen.push(String(error)),
    complete: () => seen.push('complete'),
  });
  return seen;
}

describe('collectionOf', () => {
  it('is what an array has, complete at once', () => {
    const items = collectionOf([item('a', 1), item('b', 2)]);
    expect(record(items)).toEqual(['+a +b']);
    expect(items.hasSynced()).toBe(true);
    expect(items.lister.list()).toHaveLength(2);
  });

  it('is empty and complete for an empty array', () => {
    const items = collectionOf<Item>([]);
    expect(record(items)).toEqual(['']);
    expect(items.hasSynced()).toBe(true);
  });

  it('files a single value under its metadata, under `value`, or under its key', () => {
    const keysOf = (collection: Collection<unknown>): string[] => (record(collection), collection.indexer.listKeys());
    expect(keysOf(collectionOf(item('a', 1)))).toEqual(['a']);
    expect(keysOf(collectionOf({ limit: 10 }))).toEqual(['value']);
    expect(keysOf(collectionOf('text'))).toEqual(['value']);
    expect(keysOf(collectionOf(0))).toEqual(['value']);
    expect(keysOf(collectionOf({ limit: 10 }, { key: ({ limit }) => `limit-${limit}` }))).toEqual(['limit-10']);
  });

  it('follows an Observable of whole contents, by what differs', () => {
    const source = new Subject<readonly Item[] | undefined>();
    const items = collectionOf(source);
    const seen = record(items);
    expect(items.hasSynced()).toBe(false);
    source.next([item('a', 1), item('b', 2)]);
    source.next([item('a', 1), item('b', 3)]);
    source.next([item('b', 3)]);
    source.next(undefined);
    expect(seen.filter((text) => text !== '')).toEqual(['+a +b', '~b', '-a', '-b']);
  });

  it('follows an Observable of values, and views read it', () => {
    const limit$ = new BehaviorSubject<number | null>(1);
    const limits = collectionOf(limit$);
    const over = derive(collectionOf([item('a', 1), item('b', 2)]), ({ n }, read) =>
      n > (read.get(limits, 'value') ?? 0) ? n : undefined,
    );
    const seen = record(over);
    limit$.next(0);
    limit$.next(5);
    limit$.next(null);
    expect(seen).toEqual(['+b', '+a', '-b -a', '+b +a']);
  });

  it('is subscribed to its source only while it has a subscriber, once', () => {
    const source = new Subject<readonly Item[]>();
    const items = collectionOf(source);
    expect(source.observed).toBe(false);
    const subscriptions = [items.change$.subscribe(), items.index$.subscribe()];
    for (const subscription of subscriptions) subscription.unsubscribe();
    expect(source.observed).toBe(false);
    items.start();
    expect(source.observed).toBe(true);
    void items.stop();
    expect(source.observed).toBe(false);
  });

  it('is complete after the first emission, also when its source is subscribed to again', () => {
    const source = new Subject<readonly Item[]>();
    const items = collectionOf(source);
    const seen: string[][] = [[], [], []];
    const watch = (at: number, { change$ }: Pick<typeof items, 'change$'>) =>
      change$.subscribe(({ events }) => seen[at]?.push(events.map(({ type, key }) => `${type} ${key}`).join(' ')));
    const first = watch(0, items);
    source.next([item('a', 1), item('b', 1)]);
    first.unsubscribe();
    watch(1, items);
    watch(
      2,
      derive(items, (one) => one),
    );
    expect([seen, items.hasSynced(), items.indexer.listKeys()]).toEqual([[['added a added b'], [], []], false, ['a', 'b']]);
    source.next([item('a', 1), item('c', 1)]);
    expect(seen.slice(1)).toEqual([['added a added c'], ['added a added c']]);
    expect(items.hasSynced()).toBe(true);
  });

  it('fails with its source, and completes with it', () => {
    const [failing, ending] = [new Subject<readonly Item[]>(), new Subject<readonly Item[]>()];
    const [failed, ended] = [record(collectionOf(failing)), record(collectionOf(ending))];
    failing.error(new Error('broken'));
    ending.next([item('a', 1)]);
    ending.complete();
    expect([failed, ended]).toEqual([['Error: broken'], ['+a', 'complete']]);
  });

  it('has what its source has emitted before it failed, also at once', () => {
    const failing = concat(
      of([item('a', 1)]),
      throwError(() => new Error('broken')),
    );
    expect(record(collectionOf(failing))).toEqual(['+a', 'Error: broken']);
  });

  it('can be started and awaited again after it has failed', async () => {
    let [attempts, subscribers] = [0, 0];
    const source = new Observable<readonly Item[]>((subscriber) => {
      attempts += 1;
      subscribers += 1;
      subscriber.add(() => (subscribers -= 1));
      if (attempts % 2 === 1) subscriber.error(new Error('broken'));
      else subscriber.next([item('a', 1)]);
    });
    const quiet = { logger: { warn: () => undefined } };
    const [started, awaited] = [collectionOf(source, quiet), collectionOf(source, quiet)];
    started.start();
    started.start();
    expect([attempts, started.hasSynced()]).toEqual([2, true]);
    awaited.start();
    await awaited.whenSynced();
    expect([attempts, subscribers, awaited.hasSynced()]).toEqual([4, 2, true]);
    await expect(collectionOf(source).whenSynced()).rejects.toThrow('broken');
    await Promise.all([started.stop(), awaited.stop()]);
    expect(subscribers).toBe(0);
  });

  it('says on `error$` that it has failed, and so do views, where nobody else has the error', async () => {
    const source = new Subject<readonly Item[]>();
    const lines: string[] = [];
    const logger = { warn: (line: string): number => lines.push(line) };
    const items = collectionOf(source, { name: 'items', logger });
    const view = derive(items, ({ n }) => n, { name: 'view', logger });
    items.start();
    const synced = view.whenSynced();
    source.next([item('a', 1)]);
    await synced;
    source.error(new Error('broken'));
    expect(lines.sort()).toEqual(['items', 'view'].map((name) => `rx-informer: ${name}: ERR_VIEW: The view ${name} has failed: broken`));
  });

  it('refuses values without a key, or with that of another one', () => {
    const twice = [item('a', 1), item('a', 2)];
    expect(() => collectionOf(twice)).toThrow('Expected values with keys of their own, got two with the key a');
    expect(() => collectionOf([1], { key: () => '' })).toThrow('Expected the key of a value to be a non-empty string');
    expect(() => collectionOf(undefined as never)).toThrow('Expected `collectionOf` to be given an array, a value or an Observable');
    expect(() => collectionOf([], { nme: 'x' } as never)).toThrow('nme');
    const source = new Subject<readonly Item[]>();
    const seen = record(collectionOf(source));
    source.next(twice);
    expect(seen).toEqual(['TypeError: Expected values with keys of their own, got two with the key a']);
  });

  it('fails, and changes nothing, when `equals` throws, also for a content that comes during a change', () => {
    const equals = (): never => {
      throw new Error('incomparable');
    };
    const source = new Subject<readonly Item[]>();
    const items = collectionOf(source, { equals });
    const seen = record(items);
    items.change$.subscribe({ next: () => source.next([item('b', 1), item('a', 2)]), error: () => undefined });
    source.next([item('a', 1)]);
    expect(seen).toEqual(['+a', 'Error: incomparable']);
    expect(items.indexer.listKeys()).toEqual(['a']);
  });

  it('goes by `equals` in what is an update', () => {
    const source = new BehaviorSubject([item('a', 1)]);
    const seen = record(collectionOf(source, { equals: (before, after) => before.n % 2 === after.n % 2 }));
    source.next([item('a', 3)]);
    source.next([item('a', 4)]);
    expect(seen.filter((text) => text !== '')).toEqual(['+a', '~a']);
  });
});
