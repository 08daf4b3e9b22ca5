import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Subject, Subscription, takeUntil, VirtualTimeScheduler } from 'rxjs';
import { InformerError } from '../../src/api/errors/informerError.js';
import type { SourceEvent } from '../../src/api/events.js';
import type { IndexSnapshot } from '../../src/cache/snapshotWith.js';
import {
  added,
  bookmark,
  brief,
  createStrictFollower,
  deleted,
  init,
  list,
  modified,
  page,
  type Pod,
  pod,
  ready,
  type StrictFollower,
} from '../delta/pods.js';
import type { SharedInformer } from '../../src/informer/sharedInformer.js';
import { collect, outcome, scripted, settle } from './scripted.js';
import { collectionPort } from '../../src/informer/collection.js';
import { runs } from '../tier.js';

type PodInformer = SharedInformer<Pod>;

const a1 = pod('a', '1');
const b2 = pod('b', '2');
const cacheOf = (informer: { indexer: { listKeys(): string[]; getByKey(key: string): Pod | undefined } }) =>
  new Map(informer.indexer.listKeys().map((key) => [key, informer.indexer.getByKey(key)]));

describe('Informer', () => {
  describe('when it is idle', () => {
    it('starts with the first subscriber, not before (SI-04)', () => {
      const { informer, sessions, isRunning } = scripted();
      expect([sessions(), informer.health().state, informer.indexer.list()]).toEqual([0, 'idle', []]);
      const { subscription } = collect(informer.resource$);
      expect([sessions(), isRunning(), informer.health().state]).toEqual([1, true, 'listing']);
      collect(informer.resource$);
      expect(sessions()).toBe(1);
      subscription.unsubscribe();
      expect(isRunning()).toBe(true);
    });

    it('starts once, however often it is started (SI-02)', () => {
      const { informer, sessions } = scripted();
      informer.start();
      informer.start();
      void informer.whenSynced();
      expect(sessions()).toBe(1);
    });

    it('takes its options as they are when it is made (SI-07)', () => {
      const options = { transform: (object: Pod): Pod => ({ ...object, value: 'first' }) };
      const { informer, send } = scripted(options);
      options.transform = (object) => ({ ...object, value: 'second' });
      informer.start();
      send(...list('3', [a1]));
      expect(informer.indexer.getByKey('default/a')?.value).toBe('first');
    });

    it('tells whether it has synced without waiting (WS-04)', () => {
      const { informer, send } = scripted();
      expect(informer.hasSynced()).toBe(false);
      informer.start();
      send(...list('3', []));
      expect(informer.hasSynced()).toBe(true);
    });

    it.each<[string, (informer: PodInformer) => unknown]>([
      ['events', (informer) => informer.events().subscribe()],
      ['process', (informer) => informer.process(() => []).subscribe()],
      ['index$', (informer) => informer.index$.subscribe()],
      ['start', (informer) => informer.start()],
      ['whenSynced', (informer) => void informer.whenSynced()],
    ])('is started by %s', (_, start) => {
      const { informer, isRunning } = scripted();
      start(informer);
      expect(isRunning()).toBe(true);
    });

    it.each<[string, (informer: PodInformer) => unknown]>([
      ['addEventHandler', (informer) => informer.addEventHandler({})],
      ['addIndexers', (informer) => informer.addIndexers({ byName: ({ metadata }) => [metadata.name] })],
      ['health$', (informer) => informer.health$.subscribe()],
      ['error$', (informer) => informer.error$.subscribe()],
    ])('is not started by %s', (_, call) => {
      const { informer, isRunning } = scripted();
      call(informer);
      expect(isRunning()).toBe(false);
    });
  });

  describe('when its last subscriber leaves', () => {
    it('is idle: it keeps its content and has not synced', () => {
      const { informer, isRunning, send } = scripted();
      const { subscription } = collect(informer.resource$);
      send(...list('3', [a1]));
      expect(informer.hasSynced()).toBe(true);
      subscription.unsubscribe();
      expect([isRunning(), informer.hasSynced(), informer.health().state]).toEqual([false, false, 'idle']);
      expect(informer.indexer.listKeys()).toEqual(['default/a']);
    });

    it('goes on for idleGraceMs', () => {
      const scheduler = new VirtualTimeScheduler();
      const { informer, isRunning, sessions, send } = scripted({ idleGraceMs: 100, scheduler });
      const at = (ms: number, action: () => void) => scheduler.schedule(action, ms);
      const first = collect(informer.resource$);
      const states: boolean[] = [];
      send(...list('3', [a1]));
      at(10, () => first.subscription.unsubscribe());
      at(50, () => {
        const second = collect(informer.resource$);
        expect(second.seen).toEqual(['+default/a@1 initial', 'synced@3']);
        second.subscription.unsubscribe();
      });
      at(149, () => states.push(isRunning()));
      at(151, () => states.push(isRunning()));
      scheduler.flush();
      expect([states, sessions()]).toEqual([[true, false], 1]);
    });

    it.each<[string, (informer: PodInformer) => unknown]>([
      ['start', (informer) => informer.start()],
      ['whenSynced', (informer) => informer.whenSynced()],
    ])('goes on when %s holds it', async (_, hold) => {
      const { informer, isRunning, send } = scripted();
      const { subscription } = collect(informer.resource$);
      send(...list('3', [a1]));
      await hold(informer);
      subscription.unsubscribe();
      expect(isRunning()).toBe(true);
      await informer.stop();
      expect(isRunning()).toBe(false);
    });

    it('starts afresh with the next one, who is told the new content as a snapshot', () => {
      const { informer, send } = scripted();
      const first = collect(informer.resource$);
      send(...list('3', [a1, b2]));
      first.subscription.unsubscribe();
      const second = collect(informer.resource$);
      expect(second.seen).toEqual([]);
      send(...list('9', [pod('a', '8'), pod('c', '7')]));
      expect(second.seen).toEqual(['+default/a@8 initial', '+default/c@7 initial', 'synced@9']);
      expect(informer.indexer.listKeys().sort()).toEqual(['default/a', 'default/c']);
    });
  });

  describe('stop', () => {
    it('completes every stream and aborts the source', async () => {
      const { informer, isRunning, send } = scripted();
      const resource = collect(informer.resource$);
      const done: string[] = [];
      informer.index$.subscribe({ complete: () => done.push('index$') });
      informer.events().subscribe({ complete: () => done.push('events') });
      informer.process(() => []).subscribe({ complete: () => done.push('process') });
      informer.health$.subscribe({ complete: () => done.push('health$') });
      informer.error$.subscribe({ complete: () => done.push('error$') });
      send(...list('3', [a1]));
      await informer.stop();
      expect(resource.seen.at(-1)).toBe('|');
      expect(done.sort()).toEqual(['error$', 'events', 'health$', 'index$', 'process']);
      expect(isRunning()).toBe(false);
      await informer.stopped;
    });

    it('keeps the last content, and that it has synced (SI-04, SI-15)', async () => {
      const { informer, send } = scripted();
      informer.start();
      send(...list('3', [a1]));
      await informer.stop();
      expect(informer.indexer.listKeys()).toEqual(['default/a']);
      expect([informer.hasSynced(), informer.health().state, informer.isStopped()]).toEqual([true, 'stopped', true]);
    });

    it('is final (SI-01, SI-05)', async () => {
      const { informer, sessions } = scripted();
      await informer.stop();
      await informer.stop();
      expect(collect(informer.resource$).seen).toEqual(['|']);
      expect(collect(informer.events()).seen).toEqual(['|']);
      expect(() => informer.start()).toThrow(expect.objectContaining({ code: 'ERR_STOPPED' }));
      expect(() => informer.addEventHandler({})).toThrow(expect.objectContaining({ code: 'ERR_STOPPED' }));
      await expect(informer.whenSynced()).rejects.toMatchObject({ code: 'ERR_STOPPED' });
      expect(sessions()).toBe(0);
    });

    it('refuses indexers afterwards (SI-06)', async () => {
      const { informer } = scripted();
      await informer.stop();
      expect(() => informer.addIndexers({ x: () => [] })).toThrow(expect.objectContaining({ code: 'ERR_STOPPED' }));
    });

    it('takes effect in the middle of a change', () => {
      const { informer, send } = scripted();
      const seen: string[] = [];
      informer.resource$.subscribe({
        next: (event) => {
          seen.push(`1 ${brief(event)}`);
          void informer.stop();
        },
        complete: () => seen.push('1 |'),
      });
      informer.resource$.subscribe({ next: (event) => seen.push(`2 ${brief(event)}`), complete: () => seen.push('2 |') });
      send(...list('3', [a1, b2]));
      expect(seen).toEqual(['1 +default/a@1 initial', '1 |', '2 |']);
    });
  });

  it('stays stopped when somebody subscribes after its end', async () => {
    const { informer, isRunning } = scripted();
    await informer.stop();
    expect(collect(informer.resource$).seen).toEqual(['|']);
    expect([informer.health().state, isRunning()]).toEqual(['stopped', false]);
  });

  it('fails its streams with the error that ended it, and is stopped then', async () => {
    const { informer, fail, isRunning } = scripted();
    const errors: unknown[] = [];
    informer.error$.subscribe({ next: (each) => errors.push(each), complete: () => errors.push('|') });
    const { seen } = collect(informer.resource$);
    const index = outcome(
      new Promise((resolve, reject) => informer.index$.subscribe({ complete: () => resolve(undefined), error: reject })),
    );
    const waiting = outcome(informer.whenSynced());
    const error = new InformerError({ code: 'ERR_LIST', message: 'no' });
    fail(error);
    await informer.stopped;
    await settle();
    expect([seen, index.value, waiting.value]).toEqual([['# InformerError: no'], 'InformerError: no', 'InformerError: no']);
    expect(informer.health()).toMatchObject({ state: 'stopped', error });
    expect(errors).toEqual([error, '|']);
    expect([informer.isStopped(), isRunning()]).toEqual([true, false]);
    expect([informer.resource$, informer.change$, informer.index$].map((late) => collect(late as typeof informer.resource$).seen)).toEqual(
      Array(3).fill(['# InformerError: no']),
    );
  });

  it('ends when onError says stop about a failure behind the source', async () => {
    const { informer, send } = scripted({ onError: ({ code }) => (code === 'ERR_KEY' ? 'stop' : 'retry') });
    const { seen } = collect(informer.resource$);
    send(...list('3', [a1, { metadata: {} } as Pod]));
    await informer.stopped;
    const failure = '# InformerError: An object of pods has no key and is left out: The object has no metadata.name';
    expect([seen, collect(informer.resource$).seen]).toEqual([[failure], [failure]]);
    expect(informer.health().error).toMatchObject({ code: 'ERR_KEY' });
  });

  describe('whenSynced', () => {
    it('resolves with the first complete list, also an empty one', async () => {
      const { informer, send } = scripted();
      const waiting = outcome(informer.whenSynced());
      send(init(), page([]));
      await settle();
      expect(waiting.value).toBe('pending');
      send(ready('1'));
      await settle();
      expect(waiting.value).toBe('resolved');
    });

    it('rejects with the reason of its signal, and releases its hold', async () => {
      const { informer, isRunning } = scripted();
      const abort = new AbortController();
      const waiting = outcome(informer.whenSynced({ signal: abort.signal }));
      expect(isRunning()).toBe(true);
      abort.abort(new Error('changed my mind'));
      await settle();
      expect([waiting.value, isRunning()]).toEqual(['Error: changed my mind', false]);
    });

    it('leaves nothing on its signal, however it ends', async () => {
      const scheduler = new VirtualTimeScheduler();
      const { informer, send } = scripted({ scheduler });
      const { signal } = new AbortController();
      const late = outcome(informer.whenSynced({ signal, timeoutMs: 10 }));
      scheduler.flush();
      const synced = outcome(informer.whenSynced({ signal, timeoutMs: 10 }));
      expect(getEventListeners(signal, 'abort')).toHaveLength(1);
      send(...list('3', []));
      await settle();
      expect([late.value.slice(0, 14), synced.value]).toEqual(['InformerError:', 'resolved']);
      expect([getEventListeners(signal, 'abort').length, scheduler.actions.length]).toEqual([0, 0]);
    });

    it('rejects after timeoutMs with the last failure, and releases its hold', async () => {
      const scheduler = new VirtualTimeScheduler();
      const { informer, isRunning, send } = scripted({ scheduler });
      const cause = new InformerError({ code: 'ERR_LIST', message: 'Cannot list pods: connection refused' });
      const waiting = informer.whenSynced({ timeoutMs: 500 }).catch((error: unknown) => error);
      send({ type: 'status', state: 'retrying', error: cause, attempt: 1 });
      scheduler.flush();
      const error = await waiting;
      expect(error).toMatchObject({ code: 'ERR_TIMEOUT', cause });
      expect(String(error)).toBe('InformerError: The informer pods did not sync within 500 ms: Cannot list pods: connection refused');
      expect(isRunning()).toBe(false);
    });

    it('counts what is true already, even if the signal is aborted (WS-03)', async () => {
      const { informer, send } = scripted();
      informer.start();
      send(...list('3', []));
      await expect(informer.whenSynced({ signal: AbortSignal.abort() })).resolves.toBeUndefined();
    });

    it('rejects when the informer is stopped meanwhile', async () => {
      const { informer } = scripted();
      const waiting = outcome(informer.whenSynced());
      await informer.stop();
      await settle();
      expect(waiting.value).toBe('InformerError: The informer pods has been stopped');
    });

    it('rejects when a subscriber of the first complete list stops the informer', async () => {
      const { informer, send } = scripted();
      informer.resource$.subscribe(({ type }) => void (type === 'synced' && informer.stop()));
      const waiting = outcome(informer.whenSynced());
      send(...list('3', [a1]));
      await settle();
      expect(waiting.value).toBe('InformerError: The informer pods has been stopped');
    });

    it('resolves in a callback of the first complete list, even if the signal is aborted', async () => {
      const { informer, send } = scripted();
      const waiting: { readonly value: string }[] = [];
      informer.resource$.subscribe(() => waiting.push(outcome(informer.whenSynced({ signal: AbortSignal.abort() }))));
      send(...list('3', [a1]));
      await settle();
      expect(waiting.map(({ value }) => value)).toEqual(['resolved', 'resolved']);
    });

    it('resolves with the list, not some callbacks of promises later', async () => {
      const { informer, send } = scripted();
      const order: string[] = [];
      void informer.whenSynced().then(() => order.push('synced'));
      send(...list('3', [a1]));
      void Promise.resolve().then(() => order.push('later'));
      await settle();
      expect(order).toEqual(['synced', 'later']);
    });

    it('refuses a timeout that is none', async () => {
      const { informer, isRunning } = scripted();
      await expect(informer.whenSynced({ timeoutMs: -1 })).rejects.toThrow(
        new TypeError('Expected `timeoutMs` of `whenSynced` to be a number of milliseconds >= 0 or Infinity, got -1'),
      );
      expect(isRunning()).toBe(false);
    });
  });

  describe('to a subscriber at every position of a history', () => {
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
    const length = (() => {
      const { informer, send } = scripted();
      const { seen } = collect(informer.resource$);
      send(...script.flat());
      return seen.length;
    })();

    const ways: [string, (informer: PodInformer, follow: (event: never) => void) => unknown][] = [
      ['resource$', (informer, follow) => informer.resource$.subscribe(follow as never)],
      ['events()', (informer, follow) => informer.events({ sliceMs: 1000 }).subscribe(follow as never)],
      [
        'process()',
        (informer, follow) =>
          informer
            .process((event) => {
              follow(event as never);
              return [];
            })
            .subscribe(),
      ],
      [
        'addEventHandler()',
        (informer, follow) => {
          const keyOf = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
          const tell = follow as (event: unknown) => void;
          return informer.addEventHandler({
            onAdd: (object) => tell({ type: 'added', key: keyOf(object), object }),
            onUpdate: (oldObject, object) => tell({ type: 'updated', key: keyOf(object), object, oldObject }),
            onDelete: (object) => tell({ type: 'deleted', key: keyOf(object), object }),
          });
        },
      ],
    ];

    describe.each(ways)('%s', (_, join) => {
      it.each(Array.from({ length }, (__, position) => position))(
        'tells everything exactly once from inside event %i on (SI-10)',
        (position) => {
          const { informer, send } = scripted();
          const late = createStrictFollower<Pod>();
          let count = 0;
          informer.resource$.subscribe(() => {
            if (count === position) join(informer, late.follow);
            count += 1;
          });
          for (const change of script) {
            send(...change);
            const expected = count > position ? cacheOf(informer) : new Map();
            expect({ known: late.known, misfits: late.misfits }).toEqual({ known: expected, misfits: [] });
          }
          expect(count).toBe(length);
        },
      );
    });
  });

  it('makes every fold equal the cache, whoever joins, leaves and causes changes, and whenever', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('list' as const), names: fc.uniqueArray(name) }),
      fc.record({ kind: fc.constantFrom('added' as const, 'modified' as const, 'deleted' as const), name, uid: fc.constantFrom('u', 'v') }),
      fc.record({ kind: fc.constantFrom('join' as const, 'leave' as const, 'handler' as const) }),
    );
    const reactions = fc.dictionary(fc.nat({ max: 60 }).map(String), step);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), reactions, (steps, reaction) => {
        const { informer, send, isRunning } = scripted();
        const followers = new Map<StrictFollower<Pod>, () => void>();
        const handlers = new Set<StrictFollower<Pod>>();
        let [version, events, joined] = [1, 0, 0];
        const next = (): string => String((version += 1));
        const follow = (follower: StrictFollower<Pod>) => (event: Parameters<typeof follower.follow>[0]) => {
          follower.follow(event);
          const react = reaction[events];
          events += 1;
          if (react !== undefined) play(react);
        };
        const play = (todo: (typeof steps)[number]): void => {
          if (todo.kind === 'list')
            send(
              ...list(
                next(),
                todo.names.map((listed) => pod(listed, next())),
              ),
            );
          else if (todo.kind === 'leave') {
            const [follower, leave] = [...followers][0] ?? [];
            if (follower !== undefined) followers.delete(follower);
            leave?.();
          } else if (todo.kind === 'join' || todo.kind === 'handler') {
            if ((joined += 1) > 15) return;
            const follower = createStrictFollower<Pod>();
            if (todo.kind === 'join') {
              const left = new Subject<void>();
              followers.set(follower, () => left.next());
              informer.resource$.pipe(takeUntil(left)).subscribe(follow(follower));
            } else {
              const tell = follow(follower) as (event: unknown) => void;
              const key = ({ metadata }: Pod): string => `default/${metadata.name}`;
              handlers.add(follower);
              informer.addEventHandler({
                onAdd: (object) => tell({ type: 'added', key: key(object), object }),
                onUpdate: (oldObject, object) => tell({ type: 'updated', key: key(object), object, oldObject }),
                onDelete: (object) => tell({ type: 'deleted', key: key(object), object }),
              });
            }
          } else if ('name' in todo) send({ added, modified, deleted }[todo.kind](pod(todo.name, next(), { uid: todo.uid })));
        };
        for (const todo of [{ kind: 'join' as const }, { kind: 'list' as const, names: [] }, ...steps]) {
          play(todo);
          if (!isRunning() || !informer.hasSynced()) continue;
          for (const { known, misfits } of [...followers.keys(), ...handlers]) {
            expect({ known, misfits }).toEqual({ known: cacheOf(informer), misfits: [] });
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });

  describe('index$', () => {
    it('tells the content once per change, after resource$', () => {
      const { informer, send } = scripted();
      const order: string[] = [];
      informer.index$.subscribe((index) => order.push(`index ${[...index.keys()].sort().join()} @${index.resourceVersion}`));
      informer.resource$.subscribe((event) => order.push(brief(event)));
      send(...list('3', [a1, b2]));
      expect(order).toEqual(['+default/a@1 initial', '+default/b@2 initial', 'synced@3', 'index default/a,default/b @3']);
      order.length = 0;
      send(modified(pod('a', '4', { uid: 'new' })));
      expect(order).toEqual(['-default/a@1 finalStateUnknown inferred', '+default/a@4', 'index default/a,default/b @4']);
    });

    it('begins with the current content, and tells nothing before the first list', () => {
      const { informer, send } = scripted();
      const early: IndexSnapshot<Pod>[] = [];
      informer.index$.subscribe((index) => early.push(index));
      send(init(), page([a1]));
      expect(early).toEqual([]);
      send(ready('3'), bookmark('5'));
      const late: IndexSnapshot<Pod>[] = [];
      informer.index$.subscribe((index) => late.push(index));
      expect(late).toHaveLength(1);
      expect([...(late[0] ?? [])]).toEqual([['default/a', a1]]);
    });

    it('leaves earlier snapshots as they were', () => {
      const { informer, send } = scripted();
      const snapshots: IndexSnapshot<Pod>[] = [];
      informer.index$.subscribe((index) => snapshots.push(index));
      send(...list('3', [a1, b2]), deleted(pod('a', '4')), added(pod('c', '5')));
      expect(snapshots.map((index) => [...index.keys()].sort())).toEqual([
        ['default/a', 'default/b'],
        ['default/b'],
        ['default/b', 'default/c'],
      ]);
      expect(snapshots[2]?.get('default/b')).toBe(snapshots[0]?.get('default/b'));
    });

    it('tells one who comes in the middle of a change once, when it is over', () => {
      const { informer, send } = scripted();
      const order: string[] = [];
      const joined = new Subscription();
      informer.resource$.subscribe((event) => {
        if (event.type !== 'updated') return;
        joined.add(informer.index$.subscribe((index) => order.push(`index @${index.resourceVersion}`)));
        order.push('joined');
      });
      send(...list('3', [a1]), modified(pod('a', '4')));
      expect(order).toEqual(['joined', 'index @4']);
    });

    it('tells one who comes in the middle of a list that changes nothing, and nobody twice', () => {
      const { informer, send } = scripted();
      const [early, late]: [string[], string[]] = [[], []];
      informer.index$.subscribe((index) => early.push(index.resourceVersion));
      send(...list('3', [a1]));
      informer.resource$.subscribe((event) => {
        if (event.type === 'synced' && event.resourceVersion === '5')
          informer.index$.subscribe((index) => late.push(index.resourceVersion));
      });
      send(...list('5', [a1]));
      expect(late).toHaveLength(1);
      send(modified(pod('a', '6')));
      expect([early.at(-1), late.at(-1), late.length]).toEqual(['6', '6', 2]);
    });

    it('tells nothing of what does not change the content', () => {
      const { informer, send } = scripted();
      let count = 0;
      informer.index$.subscribe(() => (count += 1));
      send(...list('3', [a1]), bookmark('4'), { type: 'status', state: 'retrying' }, ...list('5', [a1]));
      expect(count).toBe(1);
    });
  });

  it('tells every change on its own, in the order of the source across all objects, and leaves none out (RF-01)', () => {
    const { informer, send } = scripted();
    const { seen } = collect(informer.resource$);
    send(...list('3', []), added(pod('a', '4')), added(pod('b', '5')), modified(pod('a', '6')), deleted(pod('b', '7')));
    send(modified(pod('a', '8')), modified(pod('a', '9')), added(pod('b', '10')), deleted(pod('a', '11')));
    expect(seen.slice(1).map((line) => line.replace('default/', ''))).toEqual([
      '+a@4',
      '+b@5',
      '~a@6<4',
      '-b@7',
      '~a@8<6',
      '~a@9<8',
      '+b@10',
      '-a@11',
    ]);
  });

  it('indexes existing objects at once when indexers are added while it runs (SI-06, IX-11)', () => {
    const { informer, send } = scripted();
    informer.start();
    send(...list('3', [a1, b2]));
    const remove = informer.addIndexers({ byName: ({ metadata }) => [metadata.name] });
    expect(informer.indexer.byIndex('byName', 'a')).toEqual([a1]);
    expect(() => informer.addIndexers({ byName: () => [] })).toThrow(TypeError);
    remove();
    expect(() => informer.indexer.byIndex('byName', 'a')).toThrow('to be the name of an index (existing: "namespace"), got "byName"');
  });

  it('has an index by namespace, and those it is given (FA-08)', () => {
    const { informer, send } = scripted({ indexers: { byName: ({ metadata }) => [metadata.name] } });
    informer.start();
    send(...list('3', [a1, pod('b', '2', { namespace: 'other' })]));
    expect(informer.indexer.indexKeys('namespace', 'other')).toEqual(['other/b']);
    expect(informer.indexer.indexKeys('byName', 'a')).toEqual(['default/a']);
  });

  it('finds objects by key and namespace even if the transform leaves no metadata', () => {
    const { informer, send } = scripted({ transform: ({ value }: Pod) => ({ value }) });
    informer.start();
    send(...list('3', [pod('a', '1', { value: 'x' }), pod('b', '2', { namespace: 'other', value: 'y' })]));
    expect(informer.lister.namespace('other').list()).toEqual([{ value: 'y' }]);
    expect(informer.lister.get('default/a')).toEqual({ value: 'x' });
  });

  it('knows the version of the cache, and of each scope (SI-26)', () => {
    const { informer, send } = scripted({ scopes: new Set(['n', 'm']) });
    informer.start();
    expect([informer.lastSyncResourceVersion(), informer.lastSyncResourceVersion('n')]).toEqual(['', '']);
    send(...list('3', [], 'n'), ...list('5', [], 'm'), bookmark('7', 'n'));
    expect([informer.lastSyncResourceVersion('n'), informer.lastSyncResourceVersion('m'), informer.lastSyncResourceVersion()]).toEqual([
      '7',
      '5',
      '7',
    ]);
  });

  describe('error$', () => {
    it('tells failures of the source, of keys, transforms and index functions', () => {
      const { informer, send } = scripted({
        transform: (object) => {
          if (object.value === 'bad') throw new Error('bad value');
          return object;
        },
        indexers: {
          broken: ({ value }) => {
            if (value === 'unindexed') throw new Error('no index');
            return [];
          },
        },
      });
      const errors: string[] = [];
      informer.error$.subscribe(({ code, key }) => errors.push([code, key].join(' ').trim()));
      informer.start();
      send({ type: 'status', state: 'retrying', error: new InformerError({ code: 'ERR_WATCH', message: 'reset' }) });
      send(...list('3', [{ metadata: {} } as Pod, pod('a', '1', { value: 'bad' }), pod('b', '2', { value: 'unindexed' })]));
      expect(errors).toEqual(['ERR_WATCH', 'ERR_KEY', 'ERR_TRANSFORM default/a', 'ERR_INDEX_FUNC default/b']);
      expect(informer.health().degraded).toEqual(['default/a']);
    });

    it('tells of a failure in a change when the change is over, so that a subscriber who joins then is told everything once', () => {
      const { informer, send } = scripted();
      const late = createStrictFollower<Pod>();
      informer.error$.subscribe(() => informer.resource$.subscribe(late.follow));
      informer.start();
      send(...list('3', [{ metadata: {} } as Pod, a1]), modified(pod('a', '4')));
      expect({ known: late.known, misfits: late.misfits }).toEqual({ known: cacheOf(informer), misfits: [] });
    });
  });

  it('is a collection: its changes are whole, and views hear of them before anybody else', () => {
    const { informer, send } = scripted();
    const order: string[] = [];
    informer.change$.subscribe(({ cause, events, synced }) => order.push(`${cause} ${events.length} ${synced}`));
    const { settled$, level, trampoline } = informer[collectionPort];
    settled$.subscribe(({ cause }) => order.push(`settled ${cause}, busy ${trampoline.isBusy()}`));
    send(...list('3', [a1, b2]), modified(pod('a', '4', { uid: 'another' })));
    expect([level, order]).toEqual([0, ['settled list, busy true', 'list 2 true', 'settled watch, busy true', 'watch 2 true']]);
  });

  it('hands out a reader that cannot write', () => {
    const { informer, send } = scripted();
    informer.start();
    send(...list('3', [a1]));
    const reader = informer.indexer as unknown as Record<string, unknown>;
    for (const name of ['add', 'update', 'delete', 'replace', 'bookmark', 'addIndexers', 'transaction', 'stage']) {
      expect(reader[name]).toBeUndefined();
    }
    expect(informer.indexer.byIndex('namespace', 'default')).toEqual([a1]);
  });

  it('can be disposed of', async () => {
    const { informer, isRunning } = scripted();
    informer.start();
    await informer[Symbol.asyncDispose]();
    expect([informer.isStopped(), isRunning()]).toEqual([true, false]);
  });

  it('waits as long as it was told, also beyond what a timer can', async () => {
    const scheduler = new VirtualTimeScheduler();
    const { informer } = scripted({ scheduler });
    const waiting = outcome(informer.whenSynced({ timeoutMs: 3e9 }));
    scheduler.maxFrames = 2.9e9;
    scheduler.flush();
    await settle();
    expect(waiting.value).toBe('pending');
    scheduler.maxFrames = Infinity;
    scheduler.flush();
    await settle();
    expect(waiting.value).toMatch('did not sync within 3000000000 ms');
    await expect(informer.whenSynced(500 as never)).rejects.toThrow(
      new TypeError('Expected the options of `whenSynced` to be an object, got 500'),
    );
  });

  it('goes on for ever with an endless grace', () => {
    const scheduler = new VirtualTimeScheduler();
    const { informer, isRunning } = scripted({ scheduler, idleGraceMs: Infinity });
    informer.resource$.subscribe().unsubscribe();
    scheduler.flush();
    expect(isRunning()).toBe(true);
  });
});
