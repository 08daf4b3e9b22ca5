import { describe, expect, it } from '@jest/globals';
import { Subject, type Subscription } from 'rxjs';
import type { Drop } from '../../../src/api/drops.js';
import type { ResourceChange, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { deltaFifo } from '../../../src/delta/fifo/deltaFifo.js';
import { processDeltas } from '../../../src/delta/index/processDeltas.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { added, deleted, init, modified, page, type Pod, pod, ready } from '../pods.js';

const more = (event: SourceEvent<Pod>): SourceEvent<Pod> => ({ ...event, more: true }) as SourceEvent<Pod>;

type Place = 'transform' | 'index function';

const listed = [init(), page([pod('a', '1'), pod('b', '2')]), ready('2')];
const steps: Readonly<Record<string, readonly SourceEvent<Pod>[]>> = {
  'an addition': [added(pod('c', '3')), added(pod('d', '4'))],
  'an update': [modified(pod('a', '3')), added(pod('d', '4'))],
  'another object under the name': [added(pod('a', '3', { uid: 'other' })), added(pod('d', '4'))],
  'a deletion': [deleted(pod('a', '3')), added(pod('d', '4'))],
  'a list': [init('relist'), page([pod('a', '3'), pod('c', '4')]), ready('4')],
  'a change of several events': [
    more(modified(pod('a', '3'))),
    more(deleted(pod('b', '4'))),
    more(added(pod('c', '5'))),
    added(pod('d', '6')),
  ],
};

/** Sends events to a cache whose user's function unsubscribes at its `nth` call after the first list. */
function play(queued: boolean, place: Place, nth: number, events: readonly SourceEvent<Pod>[]) {
  let calls = Infinity;
  let subscription: Subscription | undefined = undefined as Subscription | undefined;
  const leave = (): void => {
    calls -= 1;
    if (calls === 0) subscription?.unsubscribe();
  };
  const transform = (object: Pod): Pod => {
    if (place === 'transform') leave();
    return { ...object };
  };
  const one = (): string[] => {
    if (place === 'index function') leave();
    return ['x'];
  };
  const store = createIndexer<Pod>({ indexers: { one } });
  const source = new Subject<SourceEvent<Pod>>();
  const fold = new Map<string, Pod>();
  let version = '';
  const operator = queued ? deltaFifo(processDeltas<Pod>(store, {}, { transform })) : scanToIndex<Pod>(store, { transform });
  subscription = source.pipe(operator).subscribe(({ events: changed, resourceVersion = version }: ResourceChange<Pod>) => {
    for (const event of changed) {
      if (event.type === 'deleted') fold.delete(event.key);
      else fold.set(event.key, event.object);
    }
    version = resourceVersion;
  });
  for (const event of listed) source.next(event);
  calls = nth;
  for (const event of events) source.next(event);
  return { store, fold, version, ended: subscription.closed };
}

describe.each([
  ['scanToIndex', false],
  ['deltaFifo', true],
])('%s, when its subscriber leaves inside', (_, queued) => {
  describe.each(['transform', 'index function'] as const)('a %s', (place) => {
    it.each(Object.keys(steps))('during %s: what is cached has been emitted', (name) => {
      let ends = 0;
      for (let nth = 1; nth <= 5; nth += 1) {
        const { store, fold, version, ended } = play(queued, place, nth, steps[name] ?? []);
        if (ended) ends += 1;
        expect(Object.fromEntries(store.listKeys().map((key) => [key, store.getByKey(key)]))).toEqual(Object.fromEntries(fold));
        expect(store.byIndex('one', 'x').length).toBe(fold.size);
        expect(queued ? version : store.lastStoreSyncResourceVersion()).toBe(version);
      }
      expect(ends).toBeGreaterThan(0);
    });
  });
});

describe('scanToIndex, when its subscriber leaves where it is told', () => {
  it('that an object of a list changes nothing: the list is not published', () => {
    const drops$ = new Subject<Drop>();
    const store = createIndexer<Pod>();
    const source = new Subject<SourceEvent<Pod>>();
    const emitted: string[] = [];
    const subscription = source
      .pipe(scanToIndex<Pod>(store, { drops$ }))
      .subscribe(({ events }) => emitted.push(...events.map(({ type, key }) => `${type} ${key}`)));
    for (const event of listed) source.next(event);
    const before = [...emitted];
    drops$.subscribe(() => subscription.unsubscribe());
    for (const event of [init('relist'), page([pod('b', '2'), pod('c', '4')]), ready('4')]) source.next(event);
    expect({ closed: subscription.closed, emitted }).toEqual({ closed: true, emitted: before });
    expect({ keys: store.listKeys(), version: store.lastStoreSyncResourceVersion() }).toEqual({
      keys: ['default/a', 'default/b'],
      version: '2',
    });
  });
});
