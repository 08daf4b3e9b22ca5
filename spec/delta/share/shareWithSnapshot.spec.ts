import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defer, map, NEVER, retry, Subject, take, takeUntil } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import type { ResourceChange, SourceEvent } from '../../../src/api/events.js';
import { createIndexer } from '../../../src/cache/store/createIndexer.js';
import { readGuard } from '../../../src/cache/store/readGuard.js';
import { scanToIndex } from '../../../src/delta/index/cache.js';
import { flattenChanges } from './flattenChanges.js';
import { flattenChange, shareWithSnapshot } from '../../../src/delta/share/shareWithSnapshot.js';
import { trampoline, Trampoline } from '../../../src/rx/trampoline.js';
import { added, bookmark, brief, createStrictFollower, deleted, list, modified, type Pod, pod, type StrictFollower } from '../pods.js';
import { runs } from '../../tier.js';

const createTestScheduler = () => new TestScheduler((actual, expected) => expect(actual).toEqual(expected));

const a1 = pod('a', '1');
const b2 = pod('b', '2');

/** How events are received: out of whole changes, or one by one. */
const ways = ['changes', 'resource$'] as const;

function pipeline(way: (typeof ways)[number] = 'changes') {
  const store = createIndexer<Pod>();
  const source = new Subject<SourceEvent<Pod>>();
  const changes = shareWithSnapshot(store)(source.pipe(trampoline(), scanToIndex(store)));
  const shared = way === 'changes' ? changes.pipe(flattenChanges()) : changes.resource$;
  const send = (...events: readonly SourceEvent<Pod>[]) => {
    for (const event of events) source.next(event);
  };
  const collect = () => {
    const seen: string[] = [];
    return { seen, subscription: shared.subscribe((event) => seen.push(brief(event))) };
  };
  return { store, source, changes, shared, send, collect };
}

/** Changes with one event, with many, with none, and with deletions and recreations among them. */
const script: readonly (readonly SourceEvent<Pod>[])[] = [
  list('3', [a1, b2, pod('c', '3')]),
  [modified(pod('a', '4'))],
  [added(pod('d', '5')), bookmark('6')],
  list('10', [pod('e', '8'), pod('a', '4'), pod('b', '7'), pod('f', '9')]),
  [modified(pod('b', '11', { uid: 'recreated' }))],
  [deleted(pod('a', '12'))],
  list('15', [pod('b', '14', { uid: 'again' }), pod('e', '8')]),
  list('16', []),
  [added(pod('a', '17'))],
];

describe('shareWithSnapshot', () => {
  it('counts those who keep the source subscribed or follow late, not those who follow early', () => {
    const { changes } = pipeline();
    const followers = [changes.follow(() => undefined, true), changes.follow(() => undefined)];
    expect(changes.figures().subscribers).toBe(1);
    const subscribers = [changes.subscribe(), changes.settled$.subscribe()];
    expect(changes.figures().subscribers).toBe(3);
    for (const each of [...followers, ...subscribers]) each.unsubscribe();
    expect(changes.figures().subscribers).toBe(0);
  });

  it('is not subscribed to by the function of a view, which fails for that', () => {
    const { shared, source } = pipeline();
    const seen: unknown[] = [];
    const work = (): unknown => shared.subscribe({ complete: () => seen.push('complete') });
    expect(() => readGuard.run((what) => new TypeError(`sums: ${what as string}`), work)).toThrow('sums: subscribe');
    expect([seen, source.observed]).toEqual([['complete'], false]);
  });

  it('refuses what is no store, and options that it does not have', () => {
    expect(() => shareWithSnapshot({} as never)).toThrow(/^Expected the store of `shareWithSnapshot` to be /);
    expect(() => shareWithSnapshot(createIndexer<Pod>(), { resink: true } as never)).toThrow(
      'Unknown option `resink` of `shareWithSnapshot`; did you mean `resync`?',
    );
  });

  it.each(ways)('tells a subscriber from before the first list everything as it happens: %s', (way) => {
    const { collect, send } = pipeline(way);
    const { seen } = collect();
    send(...list('3', [a1]), modified(pod('a', '4')), deleted(pod('a', '5')), ...list('9', [b2]));
    expect(seen).toEqual(['+default/a@1 initial', 'synced@3', '~default/a@4<1', '-default/a@5', '+default/b@2 inferred', 'synced@9']);
  });

  it('tells a late subscriber the content of the store, synced, and then what happens (SI-10, SI-11)', () => {
    const { collect, send } = pipeline();
    collect();
    send(...list('3', [a1, b2]), modified(pod('a', '4')));
    const { seen } = collect();
    expect(seen).toEqual(['+default/a@4 initial', '+default/b@2 initial', 'synced@4']);
    send(deleted(pod('b', '5')));
    expect(seen.slice(3)).toEqual(['-default/b@5']);
  });

  it('tells the same one event at a time as `resource$`, among the subscribers to changes', () => {
    const { changes, send } = pipeline();
    const seen: string[] = [];
    changes.subscribe(({ cause, events }) => seen.push(`first: ${cause} ${events.length}`));
    send(...list('3', [a1]));
    const late = changes.resource$.subscribe((event) => seen.push(`second: ${brief(event)}`));
    changes.pipe(take(2)).subscribe(({ cause }) => seen.push(`third: ${cause}`));
    send(modified(pod('a', '4')));
    late.unsubscribe();
    send(deleted(pod('a', '5')));
    expect(seen).toEqual([
      'first: list 1',
      'second: +default/a@1 initial',
      'second: synced@3',
      'third: snapshot',
      'first: watch 1',
      'second: ~default/a@4<1',
      'third: watch',
      'first: watch 1',
    ]);
  });

  it('tells no more of a change to who leaves in the middle of it', () => {
    const { changes, send } = pipeline();
    const seen: string[] = [];
    const early = changes.subscribe(() => follower.unsubscribe());
    const follower = changes.follow(() => seen.push('told'));
    send(...list('3', [a1]));
    early.unsubscribe();
    expect(seen).toEqual([]);
  });

  it('tells who follows with `settled` before all others, and of the content as one change', () => {
    const { changes, send } = pipeline();
    const seen: string[] = [];
    changes.subscribe(({ cause }) => seen.push(`subscriber: ${cause}`));
    changes.follow(({ cause }) => seen.push(`follower: ${cause}`), true);
    send(...list('3', [a1, b2]));
    changes.follow(({ cause, events }) => seen.push(`late follower: ${cause} of ${events.length}`), true);
    expect(seen).toEqual(['follower: list', 'subscriber: list', 'late follower: snapshot of 2']);
  });

  it('tells nothing to a late subscriber before the first list is complete', () => {
    const { collect, send } = pipeline();
    collect();
    send(...list('3', [a1, b2]).slice(0, 2));
    const { seen } = collect();
    expect(seen).toEqual([]);
    send(list('3', []).at(-1) as SourceEvent<Pod>);
    expect(seen).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@3']);
  });

  it('tells of the part that is complete before all scopes are', () => {
    const store = createIndexer<Pod>();
    const source = new Subject<SourceEvent<Pod>>();
    const shared = source.pipe(scanToIndex(store, { scopes: ['n', 'm'] }), shareWithSnapshot(store), flattenChanges());
    shared.subscribe();
    for (const event of list('3', [a1], 'n')) source.next(event);
    const seen: string[] = [];
    shared.subscribe((event) => seen.push(brief(event)));
    expect(seen).toEqual(['+default/a@1 initial']);
    for (const event of list('4', [b2], 'm')) source.next(event);
    expect(seen.slice(1)).toEqual(['+default/b@2 initial', 'synced@4']);
  });

  describe.each(ways)('with a subscriber at every position of a history: %s', (way) => {
    const positions = (() => {
      const { collect, send } = pipeline(way);
      const { seen } = collect();
      for (const change of script) send(...change);
      return seen.length;
    })();

    it('has enough positions to be worth it', () => expect(positions).toBeGreaterThan(20));

    it.each(Array.from({ length: positions }, (_, position) => position))(
      'tells everything exactly once from inside event %i on',
      (position) => {
        const { shared, send, store } = pipeline(way);
        const early = createStrictFollower<Pod>();
        const late = createStrictFollower<Pod>();
        let count = 0;
        let syncsBefore = 0;
        shared.subscribe((event) => {
          early.follow(event);
          if (count === position) {
            syncsBefore = early.syncs();
            shared.subscribe((lateEvent) => late.follow(lateEvent));
          }
          count += 1;
        });
        for (const change of script) {
          send(...change);
          const cached = new Map(store.listKeys().map((key) => [key, store.getByKey(key)]));
          expect(early.known).toEqual(cached);
          expect(late.known).toEqual(count > position ? cached : new Map());
        }
        expect([...early.misfits, ...late.misfits]).toEqual([]);
        const relistsInHistory = script.filter((change) => change.length === 3).length;
        expect(early.syncs()).toBe(relistsInHistory);
        // A snapshot's own synced stands for the one of the change in the middle of which it was taken.
        expect(late.syncs()).toBeGreaterThanOrEqual(relistsInHistory - syncsBefore);
        expect(late.syncs()).toBeLessThanOrEqual(relistsInHistory - syncsBefore + 1);
      },
    );
  });

  it.each(ways)('holds for any history, any number of subscribers and changes caused by them: %s', (way) => {
    const object = fc
      .record({ name: fc.constantFrom('a', 'b', 'c', 'd'), uid: fc.constantFrom('u', 'v') })
      .map(({ name, uid }) => ({ name, uid }));
    const step = fc.oneof(
      fc.record({ kind: fc.constant('list' as const), objects: fc.array(object, { maxLength: 4 }) }),
      fc.record({ kind: fc.constantFrom('added' as const, 'modified' as const, 'deleted' as const), object }),
    );
    /** At the n-th event anyone sees, someone subscribes, leaves, or causes a step. */
    const reactions = fc.dictionary(
      fc.integer({ min: 0, max: 60 }).map(String),
      fc.oneof(fc.constant('join' as const), fc.constant('leave' as const), step),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), reactions, (steps, reaction) => {
        const { shared, send, store } = pipeline(way);
        let version = 1;
        let events = 0;
        let joined = 0;
        const followers = new Set<StrictFollower<Pod>>();
        const play = (todo: (typeof steps)[number]): void => {
          if (todo.kind === 'list') {
            const objects = new Map(
              todo.objects.map(({ name, uid }) => [name, pod(name, String((version += 1)), { uid: `${name}-${uid}` })]),
            );
            send(...list(String((version += 1)), [...objects.values()]));
          } else {
            const next = pod(todo.object.name, String((version += 1)), { uid: `${todo.object.name}-${todo.object.uid}` });
            send({ added, modified, deleted }[todo.kind](next));
          }
        };
        const join = (): void => {
          if ((joined += 1) > 20) return;
          const follower = createStrictFollower<Pod>();
          followers.add(follower);
          const left = new Subject<void>();
          shared.pipe(takeUntil(left)).subscribe((event) => {
            follower.follow(event);
            const react = reaction[events];
            events += 1;
            if (react === 'join') join();
            else if (react === 'leave' && followers.size > 1) {
              followers.delete(follower);
              left.next();
            } else if (typeof react === 'object') play(react);
          });
        };
        join();
        play({ kind: 'list', objects: [] });
        for (const todo of steps) {
          play(todo);
          const cached = new Map(store.listKeys().map((key) => [key, store.getByKey(key)]));
          for (const { known, misfits } of followers) expect({ known, misfits }).toEqual({ known: cached, misfits: [] });
        }
      }),
      { numRuns: runs(400) },
    );
  });

  it.each(ways)('queues what happens while a snapshot is being told behind it: %s', (way) => {
    const { shared, send, collect } = pipeline(way);
    collect();
    send(...list('3', [a1, b2]));
    const seen: string[] = [];
    shared.subscribe((event) => {
      seen.push(brief(event));
      if (seen.length === 1) send(deleted(pod('b', '9')));
    });
    expect(seen).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@3', '-default/b@9']);
  });

  it('does not disturb a dispatch when subscribers join and leave in it', () => {
    const { shared, send, collect } = pipeline();
    const order: string[] = [];
    shared.subscribe((event) => {
      order.push(`1 ${brief(event)}`);
      if (event.type === 'updated') second.unsubscribe();
    });
    const second = shared.subscribe((event) => order.push(`2 ${brief(event)}`));
    shared.subscribe((event) => order.push(`3 ${brief(event)}`));
    send(...list('3', [a1]));
    order.length = 0;
    send(modified(pod('a', '4')));
    expect(order).toEqual(['1 ~default/a@4<1', '3 ~default/a@4<1']);
    collect();
  });

  it('tells nothing to a subscriber that leaves in the middle of its snapshot', () => {
    const { shared, send, collect } = pipeline();
    collect();
    send(...list('3', [a1, b2]));
    const seen: string[] = [];
    shared.pipe(take(1)).subscribe((event) => seen.push(brief(event)));
    send(modified(pod('a', '4')));
    expect(seen).toEqual(['+default/a@1 initial']);
  });

  it('does not let a subscriber that fails harm the others', () => {
    const { shared, send, collect } = pipeline();
    const failures: unknown[] = [];
    shared
      .pipe(
        map(() => {
          throw new Error('broken');
        }),
      )
      .subscribe({ error: (error: unknown) => failures.push(error) });
    const { seen } = collect();
    send(...list('3', [a1]));
    expect(failures).toHaveLength(1);
    expect(seen).toEqual(['+default/a@1 initial', 'synced@3']);
  });

  it.each([
    [false, []],
    [true, ['~default/a@1<1 resync']],
  ])('emits resyncs where that is %s (RP-07)', (resync, expected) => {
    const store = createIndexer<Pod>();
    const source = new Subject<ResourceChange<Pod>>();
    const seen: string[] = [];
    source.pipe(shareWithSnapshot(store, { resync }), flattenChanges()).subscribe((event) => seen.push(brief(event)));
    const event = { type: 'updated', key: 'default/a', object: a1, oldObject: a1, resync: true, inferred: false } as const;
    source.next({ cause: 'resync', events: [event], synced: true });
    expect(seen).toEqual(expected);
  });

  it('gives a late subscriber its snapshot as one change', () => {
    const { changes, send } = pipeline();
    changes.subscribe();
    send(...list('3', [a1, b2]), modified(pod('a', '4')));
    const seen: ResourceChange<Pod>[] = [];
    changes.subscribe((change) => seen.push(change));
    const flags = { type: 'added', initial: true, inferred: false } as const;
    expect(seen).toEqual([
      {
        cause: 'snapshot',
        events: [
          { ...flags, key: 'default/a', object: pod('a', '4') },
          { ...flags, key: 'default/b', object: b2 },
        ],
        resourceVersion: '4',
        synced: true,
      },
    ]);
    send(...list('9', [pod('a', '4'), b2]));
    expect(seen[1]).toEqual({ cause: 'list', events: [], scope: '', resourceVersion: '9', previousResourceVersion: '4', synced: true });
  });

  it('shows a later session as a snapshot to those who come with it, and as a difference to those who know the content', () => {
    const { changes, send } = pipeline();
    const brieflyOf = ({ cause, events }: ResourceChange<Pod>): string => [cause, ...events.map(brief)].join(' ');
    const follower: string[] = [];
    changes.follow((change) => follower.push(brieflyOf(change)));
    const first = changes.subscribe();
    send(...list('3', [a1, b2]));
    first.unsubscribe();
    expect(follower.splice(0)).toEqual(['list +default/a@1 initial +default/b@2 initial']);

    const [seen, settled]: [string[], string[]] = [[], []];
    changes.subscribe((change) => seen.push(brieflyOf(change)));
    changes.settled$.subscribe((change) => settled.push(brieflyOf(change)));
    expect([seen, settled]).toEqual([[], []]);
    send(...list('9', [pod('a', '8')]));
    const snapshot = 'snapshot +default/a@8 initial';
    expect([seen, settled]).toEqual([[snapshot], [snapshot]]);
    expect(follower).toEqual(['list -default/b@2 finalStateUnknown inferred ~default/a@8<1 inferred']);
  });

  it('does not call a later session synced before all of it is', () => {
    const store = createIndexer<Pod>();
    const source = new Subject<SourceEvent<Pod>>();
    const changes = source.pipe(scanToIndex(store, { scopes: ['n', 'm'] }), shareWithSnapshot(store));
    const send = (...events: readonly SourceEvent<Pod>[]): void => events.forEach((event) => source.next(event));
    const first = changes.subscribe();
    send(...list('3', [a1], 'n'), ...list('4', [b2], 'm'));
    first.unsubscribe();
    changes.subscribe();
    send(...list('5', [a1], 'n'));
    const seen: boolean[] = [];
    changes.subscribe(({ synced }) => seen.push(synced));
    send(...list('6', [b2], 'm'));
    expect(seen).toEqual([false, true]);
  });

  it('tells the boundary of a snapshot that its source passes on', () => {
    const store = createIndexer<Pod>();
    const source = new Subject<ResourceChange<Pod>>();
    const changes = shareWithSnapshot(store)(source);
    const seen: string[] = [];
    changes.resource$.subscribe((event) => seen.push(brief(event)));
    store.add(a1);
    const added = { type: 'added', key: 'default/a', object: a1, initial: true, inferred: false } as const;
    source.next({ cause: 'snapshot', events: [added], resourceVersion: '1', synced: true });
    expect(seen).toEqual(['+default/a@1 initial', 'synced@1']);
  });

  it('emits settled$ before anybody else is told, in the same turn', () => {
    const { changes, send, store } = pipeline();
    const order: string[] = [];
    changes.subscribe(({ cause }) => order.push(`1 ${cause}`));
    changes.settled$.subscribe(({ cause }) => order.push(`settled ${cause} of ${store.listKeys().length}`));
    send(...list('3', [a1]), added(b2));
    expect(order).toEqual(['settled list of 1', '1 list', 'settled watch of 2', '1 watch']);
  });

  it('tells a later subscriber what happens after changes that only settled$ has emitted', () => {
    const { changes, collect, send } = pipeline();
    changes.settled$.subscribe();
    send(...list('3', [a1]), modified(pod('a', '4')));
    const { seen } = collect();
    send(modified(pod('a', '5')));
    expect(seen).toEqual(['+default/a@4 initial', 'synced@4', '~default/a@5<4']);
  });

  it('emits nothing twice on resource$ for who joins while a change that the snapshot contains still waits', () => {
    const store = createIndexer<Pod>();
    const source = new Subject<ResourceChange<Pod>>();
    const turns = new Trampoline();
    const changes = shareWithSnapshot(store, { trampoline: turns })(source);
    const seen: string[] = [];
    changes.pipe(take(1)).subscribe(() => changes.resource$.subscribe((event) => seen.push(brief(event))));
    const add = (object: Pod): void => {
      store.add(object);
      const key = `default/${object.metadata.name}`;
      source.next({ cause: 'watch', events: [{ type: 'added', key, object, initial: false, inferred: false }], synced: true });
    };
    turns.run(() => {
      add(a1);
      add(b2);
    });
    expect(seen).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@2']);
  });

  it('subscribes to its source with the first subscriber and leaves with the last', () => {
    createTestScheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<ResourceChange<Pod>>('---------');
      const first = '        -^---!';
      const second = '       ---^----!';
      const third = '        ----------^--!';
      const subs = ['        -^------!', '----------^--!'];
      const shared = source.pipe(shareWithSnapshot(createIndexer<Pod>()));
      for (const subscription of [first, second, third]) expectObservable(shared, subscription.trimEnd()).toBe('-');
      expectSubscriptions(source.subscriptions).toBe(subs.map((line) => line.trim()));
    });
  });

  it('tells an error to all, and starts afresh with the next subscriber', () => {
    createTestScheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<ResourceChange<Pod>>('--#');
      const shared = source.pipe(shareWithSnapshot(createIndexer<Pod>()));
      expectObservable(shared).toBe('--#');
      expectObservable(shared, '-^').toBe('--#');
      expectObservable(shared, '-----^').toBe('-------#');
      expectSubscriptions(source.subscriptions).toBe(['^-!', '-----^-!']);
    });
  });

  it('gives a late subscriber its snapshot also in a session that has followed a failed one at once', () => {
    const store = createIndexer<Pod>();
    const sources: Subject<SourceEvent<Pod>>[] = [];
    const source$ = defer(() => {
      const source = new Subject<SourceEvent<Pod>>();
      sources.push(source);
      return source.pipe(scanToIndex(store));
    });
    const shared = source$.pipe(shareWithSnapshot(store));
    shared.pipe(retry(1)).subscribe();
    sources[0]?.error(new Error('broken'));
    for (const event of list('3', [a1])) sources[1]?.next(event);
    const seen: string[] = [];
    shared.pipe(flattenChanges()).subscribe((event) => seen.push(brief(event)));
    expect(seen).toEqual(['+default/a@1 initial', 'synced@3']);
    expect(sources).toHaveLength(2);
  });

  it('completes a subscriber that comes after completion', () => {
    createTestScheduler().run(({ cold, expectObservable, expectSubscriptions }) => {
      const source = cold<ResourceChange<Pod>>('--|');
      const shared = source.pipe(shareWithSnapshot(createIndexer<Pod>()));
      expectObservable(shared).toBe('--|');
      expectObservable(shared, '-----^').toBe('-----|');
      expectSubscriptions(source.subscriptions).toBe(['^-!']);
    });
  });

  it('keeps two applications of one operator apart', () => {
    const operator = shareWithSnapshot<Pod>(createIndexer<Pod>());
    const seen: string[] = [];
    NEVER.pipe(operator).subscribe(() => seen.push('one'));
    new Subject<ResourceChange<Pod>>().pipe(operator).subscribe(() => seen.push('two'));
    expect(seen).toEqual([]);
  });
});

it('a list of unknown version is told with an empty one', () => {
  const told: unknown[] = [];
  flattenChange<Pod>({ cause: 'list', events: [], synced: true }, { next: (event) => told.push(event) });
  expect(told).toEqual([{ type: 'synced', resourceVersion: '', previousResourceVersion: '' }]);
});
