import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, NEVER, Subject, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { SourceEvent } from '../../../src/api/events.js';
import type { InformerDeltaFifoOptions, SourceInformerOptions } from '../../../src/informer/informerOptions.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { SharedInformer } from '../../../src/informer/sharedInformer.js';
import { deltaCompressions } from '../../../src/delta/fifo/compressDeltas.js';
import { namespaces, play, steps } from '../../delta/histories.js';
import { bookmark, createStrictFollower, init, list, modified, page, type Pod, pod, ready } from '../../delta/pods.js';
import { fakeClient } from '../fakeClient.js';
import { collect, scripted } from '../scripted.js';

const contentOf = (informer: SharedInformer<Pod>) =>
  Object.fromEntries(
    informer.indexer
      .listKeys()
      .sort()
      .map((key) => [key, informer.indexer.getByKey(key)]),
  );

/** A handler that checks that each event fits the ones before it. */
function strictHandler(informer: SharedInformer<Pod>) {
  const follower = createStrictFollower<Pod>();
  const keyOf = ({ metadata }: Pod) => `${metadata.namespace}/${metadata.name}`;
  const flags = { resync: false, inferred: false, finalStateUnknown: false };
  informer.addEventHandler({
    onAdd: (object, initial) => follower.follow({ type: 'added', key: keyOf(object), object, initial, ...flags }),
    onUpdate: (oldObject, object) => follower.follow({ type: 'updated', key: keyOf(object), object, oldObject, ...flags }),
    onDelete: (object) => follower.follow({ type: 'deleted', key: keyOf(object), object, ...flags }),
  });
  return follower;
}

/** Plays events to an informer, one at a time; somebody subscribes late. */
function follow(
  events: readonly SourceEvent<Pod>[],
  scoped: boolean,
  lateAt: number,
  queue?: InformerDeltaFifoOptions<Pod>,
  more: SourceInformerOptions<Pod> = {},
) {
  const scheduler = new VirtualTimeScheduler();
  const source = new Subject<SourceEvent<Pod>>();
  const informer = createInformer<Pod>(source, {
    scheduler,
    ...(queue !== undefined && { deltaFifo: queue }),
    ...(scoped && { scopes: namespaces }),
    logger: { warn: () => undefined },
    ...more,
  });
  const handled = strictHandler(informer);
  const early = createStrictFollower<Pod>();
  const late = createStrictFollower<Pod>();
  const snapshots: number[] = [];
  informer.resource$.subscribe(early.follow);
  informer.index$.subscribe((index) => snapshots.push(index.size));
  events.forEach((event, at) => {
    scheduler.schedule(() => {
      if (at === lateAt % events.length) informer.resource$.subscribe(late.follow);
      source.next(event);
    }, at * 2);
  });
  scheduler.flush();
  return { informer, followers: [early, late, handled], snapshots };
}

describe('an informer with deltaFifo', () => {
  it.each([
    ['one scope', false],
    ['a scope per namespace', true],
  ])('ends with the cache, and its subscribers with the knowledge, of one without (%s)', (_, scoped) => {
    fc.assert(
      fc.property(steps, fc.nat(), fc.constantFrom(...deltaCompressions), (history, lateAt, compress) => {
        const { events } = play(history, scoped);
        const expected = follow(events, scoped, lateAt);
        const { informer, followers, snapshots } = follow(events, scoped, lateAt, { compress, concurrent: 2 });
        expect(contentOf(informer)).toEqual(contentOf(expected.informer));
        for (const { known, misfits } of followers) {
          expect(misfits).toEqual([]);
          expect(Object.fromEntries(known)).toEqual(contentOf(informer));
        }
        expect(snapshots.at(-1)).toBe(expected.snapshots.at(-1));
        expect([informer.hasSynced(), informer.lastSyncResourceVersion()]).toEqual([true, expected.informer.lastSyncResourceVersion()]);
        expect(informer.health()).toMatchObject({ state: 'watching', synced: true, degraded: [] });
      }),
      { numRuns: 150 },
    );
  });

  it('fails for the same keys as one without, and keeps the same last good values', () => {
    const transform = (object: Pod): Pod => {
      if (Number(object.metadata.resourceVersion) % 4 === 0) throw new Error('bad');
      return object;
    };
    fc.assert(
      fc.property(steps, (history) => {
        const { events } = play(history, false);
        const [expected, actual] = [undefined, {}].map((queue) => {
          const errors: string[] = [];
          const { informer, followers } = follow(events, false, 0, queue, {
            transform,
            onError: ({ code }) => void errors.push(code),
          });
          for (const { misfits } of followers) expect(misfits).toEqual([]);
          return { state: [contentOf(informer), [...informer.health().degraded].sort()], errors };
        });
        expect(actual?.state).toEqual(expected?.state);
        // A state that has been overtaken in the queue, or in a list under way, is never transformed.
        expect(expected?.errors).toEqual(expect.arrayContaining(actual?.errors ?? []));
      }),
      { numRuns: 150 },
    );
  });

  it('ends with what the namespaces of the day hold, whatever happens to them and to the server', () => {
    const action = fc.oneof(
      fc.record({ type: fc.constant('namespaces' as const), names: fc.uniqueArray(fc.constantFrom('n', 'm', 'o'), { maxLength: 3 }) }),
      fc.record({
        type: fc.constantFrom<'write' | 'remove'>('write', 'remove'),
        key: fc.constantFrom('n/a', 'n/b', 'm/a', 'm/b', 'o/a'),
      }),
      fc.record({ type: fc.constantFrom<'reset' | 'expire'>('reset', 'expire') }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(action, fc.nat({ max: 3_000 })), { maxLength: 25 }), (actions) => {
        const scheduler = new VirtualTimeScheduler();
        const client = fakeClient(scheduler);
        const source = client.serverOf('pods');
        const namespace = new BehaviorSubject(['n']);
        const informer = createInformer(client, resources.core.v1.pods, {
          ...{ namespace, scheduler, random: () => 0.5, logger: { warn: () => undefined } },
          deltaFifo: { compress: 'latest' },
        });
        const follower = createStrictFollower<KubernetesObject>();
        informer.resource$.subscribe(follower.follow);
        const wait = (ms: number): void => {
          scheduler.maxFrames = scheduler.frame + ms;
          scheduler.flush();
        };
        const change = (type: 'write' | 'remove', key: string, at: number): void => {
          const known = source.get(key);
          const [place = '', name = ''] = key.split('/');
          if (known === undefined && type === 'remove') return;
          if (type === 'remove') source.delete(key);
          else if (known === undefined) source.add({ metadata: { namespace: place, name } });
          else source.modify({ metadata: { ...known.metadata, labels: { at: String(at) } } });
        };
        for (const [act, ms] of actions) {
          if (act.type === 'namespaces') namespace.next(act.names);
          else if ('key' in act) change(act.type, act.key, ms);
          else source[act.type]();
          wait(ms);
        }
        wait(300_000);
        const held = source.objects().flatMap(({ metadata }) => (namespace.value.includes(metadata?.namespace ?? '') ? [metadata] : []));
        const expected = held
          .map((metadata) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}@${metadata?.resourceVersion ?? ''}`)
          .sort();
        const actual = [...follower.known].map(([key, { metadata }]) => `${key}@${metadata?.resourceVersion ?? ''}`).sort();
        expect(follower.misfits).toEqual([]);
        expect(actual).toEqual(expected);
        expect(informer.indexer.listKeys().sort()).toEqual(actual.map((text) => text.replace(/@.*/, '')));
      }),
      { numRuns: 100 },
    );
  });

  it('takes a list object by object, and has synced with the last one (DF-01)', () => {
    const { informer, send } = scripted({ deltaFifo: true });
    const sizes: unknown[] = [];
    informer.resource$.subscribe((event) => sizes.push([event.type, informer.indexer.listKeys().length, informer.hasSynced()]));
    send(init(), page([pod('a', '1'), pod('b', '2')]), ready('5'));
    expect(sizes).toEqual([
      ['added', 1, false],
      ['added', 2, false],
      ['synced', 2, true],
    ]);
    expect(informer.lastSyncResourceVersion()).toBe('5');
  });

  it('transforms a version once, whatever lists bring it, but for a list that may be older', () => {
    const versions: string[] = [];
    const transform = (object: Pod): Pod => {
      versions.push(object.metadata.resourceVersion ?? '');
      return { ...object };
    };
    const { informer, send } = scripted({ deltaFifo: { compress: 'latest' }, transform });
    const updates: unknown[] = [];
    informer.resource$.subscribe((event) => event.type === 'updated' && updates.push(event.object.value));
    send(...list('5', [pod('a', '4')]), ...list('6', [pod('a', '4')]), ...list('7', [pod('a', '4'), pod('b', '7')]));
    expect([versions, updates]).toEqual([['4', '7'], []]);
    send(...list('6', [pod('a', '4', { value: 'restored' })]));
    expect([versions, updates]).toEqual([['4', '7', '4'], ['restored']]);
  });

  it('keeps the last good value of a key whose transform fails, and leaves a keyless object out', () => {
    const transform = (object: Pod): Pod => {
      if (object.value === 'bad') throw new Error('bad');
      return object;
    };
    const { informer, send } = scripted({ deltaFifo: true, transform });
    const codes: string[] = [];
    informer.error$.subscribe(({ code }) => codes.push(code));
    const { seen } = collect(informer.resource$);
    send(...list('5', [pod('a', '1'), { metadata: {} } as unknown as Pod]), modified(pod('a', '6', { value: 'bad' })));
    expect(seen).toEqual(['+default/a@1 initial', 'synced@5']);
    expect([codes, informer.health().degraded]).toEqual([['ERR_KEY', 'ERR_TRANSFORM'], ['default/a']]);
  });

  it('forgets with the session which keys were bad in it', () => {
    const transform = (): Pod => {
      throw new Error('bad');
    };
    const { informer, send } = scripted({ deltaFifo: true, transform });
    const first = informer.resource$.subscribe();
    send(...list('5', [pod('a', '1')]));
    expect(informer.health().degraded).toEqual(['default/a']);
    first.unsubscribe();
    informer.start();
    send(...list('6', []));
    expect(informer.health().degraded).toEqual([]);
  });

  it('follows namespaces that change', () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const source = client.serverOf('pods');
    for (const namespace of ['n', 'm']) source.add({ metadata: { namespace, name: 'a' } });
    const namespace = new BehaviorSubject(['n']);
    const informer = createInformer(client, resources.core.v1.pods, { namespace, scheduler, random: () => 0.5, deltaFifo: true });
    const follower = createStrictFollower();
    informer.resource$.subscribe(follower.follow);
    const runTo = (ms: number): void => {
      scheduler.maxFrames = ms;
      scheduler.flush();
    };
    runTo(100);
    expect([...follower.known.keys()]).toEqual(['n/a']);
    namespace.next(['m']);
    runTo(200);
    expect([...follower.known.keys(), ...informer.indexer.listKeys(), ...follower.misfits]).toEqual(['m/a', 'm/a']);
  });

  it('tells another session what has changed since, and a new subscriber everything', () => {
    const { informer, send, sessions } = scripted({ deltaFifo: true });
    const handled = strictHandler(informer);
    const first = informer.resource$.subscribe();
    send(...list('5', [pod('a', '1'), pod('b', '2')]));
    first.unsubscribe();
    const follower = createStrictFollower<Pod>();
    informer.resource$.subscribe(follower.follow);
    send(...list('9', [pod('a', '1'), pod('c', '8')]), bookmark('11'));
    expect(sessions()).toBe(2);
    for (const { known, misfits } of [handled, follower]) {
      expect(misfits).toEqual([]);
      expect(Object.fromEntries(known)).toEqual(contentOf(informer));
    }
    expect(Object.keys(contentOf(informer))).toEqual(['default/a', 'default/c']);
    expect(informer.lastSyncResourceVersion()).toBe('11');
  });

  it.each([
    [{ deltaFifo: 'yes' }, 'Expected `deltaFifo` of `createInformer` to be a boolean, or an object, got "yes"'],
    [{ deltaFifo: { prepare: () => undefined } }, 'Unknown option `prepare` of `deltaFifo`'],
    [{ deltaFifo: { compress: 'all' } }, 'Expected `compress`'],
    [{ deltaFifo: { concurrent: 0 } }, 'Expected `concurrent` of `deltaFifo` to be an integer >= 1 or Infinity, got 0'],
    [{ deltaFifo: { retryDelayMs: -1 } }, 'Expected `retryDelayMs`'],
  ])('refuses %j', (options, message) => {
    expect(() => createInformer(NEVER, options as object)).toThrow(message);
  });
});
