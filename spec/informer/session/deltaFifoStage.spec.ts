import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, NEVER, Subject, timer, VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import type { Deltas } from '../../../src/api/events/delta.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import type { SourceEvent } from '../../../src/api/events/sourceEvent.js';
import type { InformerDeltaFifoOptions } from '../../../src/informer/session/deltaFifoStage.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import type { SourceInformerOptions } from '../../../src/informer/informerOptions.js';
import type { SharedInformer } from '../../../src/informer/sharedInformer.js';
import { deltaCompressions } from '../../../src/delta/fifo/compressDeltas.js';
import { namespaces, play, steps } from '../../delta/histories.js';
import { added, bookmark, createStrictFollower, deleted, init, list, modified, page, type Pod, pod, ready } from '../../delta/pods.js';
import { fakeClient } from '../fakeClient.js';
import { collect, outcome, scripted, settle } from '../scripted.js';

type Prepare = InformerDeltaFifoOptions<Pod>['prepare'];

const contentOf = (informer: SharedInformer<Pod>) =>
  Object.fromEntries(
    informer.indexer
      .listKeys()
      .sort()
      .map((key) => [key, informer.indexer.getByKey(key)]),
  );

/** A handler that is as strict as a follower of events. */
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
  delays = [0],
  more: SourceInformerOptions<Pod> = {},
) {
  const scheduler = new VirtualTimeScheduler();
  const source = new Subject<SourceEvent<Pod>>();
  let calls = 0;
  const prepare: Prepare = () => {
    const delay = delays[(calls += 1) % delays.length] ?? 0;
    if (delay < 0) throw new Error('refused');
    return delay === 0 ? undefined : timer(delay, scheduler);
  };
  const informer = createInformer<Pod>(source, {
    scheduler,
    ...(queue !== undefined && { deltaFifo: { retryDelayMs: 5, ...queue, ...(delays.length > 1 && { prepare }) } }),
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
  return { informer, followers: [early, late, handled], snapshots, calls: () => calls };
}

const pace = fc.array(fc.integer({ min: -1, max: 9 }), { minLength: 2, maxLength: 5 }).map((delays) => [...delays, 1]);

describe('an informer with deltaFifo', () => {
  it.each([
    ['one scope', false],
    ['a scope per namespace', true],
  ])('ends with the cache, and its subscribers with the knowledge, of one without (%s)', (_, scoped) => {
    fc.assert(
      fc.property(steps, fc.nat(), fc.constantFrom(...deltaCompressions), pace, fc.boolean(), (history, lateAt, compress, delays, slow) => {
        const { events } = play(history, scoped);
        const expected = follow(events, scoped, lateAt);
        const { informer, followers, snapshots } = follow(events, scoped, lateAt, { compress, concurrent: 2 }, slow ? delays : undefined);
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

  it.each([false, true])('fails for the same keys as one without, and keeps the same last good values (slow: %s)', (slow) => {
    const transform = (object: Pod): Pod => {
      if (Number(object.metadata.resourceVersion) % 4 === 0) throw new Error('bad');
      return object;
    };
    fc.assert(
      fc.property(steps, pace, (history, delays) => {
        const { events } = play(history, false);
        const [expected, actual] = [undefined, {}].map((queue) => {
          const errors: string[] = [];
          const paced = slow && queue !== undefined ? delays.map((delay) => Math.max(delay, 0)) : undefined;
          const { informer, followers } = follow(events, false, 0, queue, paced, {
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
      fc.property(fc.array(fc.tuple(action, fc.nat({ max: 3_000 })), { maxLength: 25 }), pace, (actions, delays) => {
        const scheduler = new VirtualTimeScheduler();
        const client = fakeClient(scheduler);
        const source = client.serverOf('pods');
        const namespace = new BehaviorSubject(['n']);
        let calls = 0;
        const prepare = () => timer(Math.max(0, delays[(calls += 1) % delays.length] ?? 0), scheduler);
        const informer = createInformer(client, resources.core.v1.pods, {
          ...{ namespace, scheduler, random: () => 0.5, logger: { warn: () => undefined } },
          deltaFifo: { prepare, compress: 'latest' },
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

  it('prepares what has happened to an object, compressed, before the cache takes it', () => {
    const scheduler = new VirtualTimeScheduler();
    const prepared: string[] = [];
    const prepare: Prepare = (deltas: Deltas<Pod>) => {
      prepared.push(deltas.map(({ type, object }) => `${type} ${object?.metadata.resourceVersion ?? ''}`).join());
      return timer(10, scheduler);
    };
    const { informer, send } = scripted({ scheduler, deltaFifo: { prepare, compress: 'latest' } });
    const { seen } = collect(informer.resource$);
    send(...list('5', [pod('a', '1')]), modified(pod('a', '6')), modified(pod('a', '7')));
    expect([seen, informer.hasSynced(), informer.health().state]).toEqual([[], false, 'watching']);
    scheduler.flush();
    expect(prepared).toEqual(['Replaced 1', 'Updated 7']);
    expect(seen).toEqual(['+default/a@1 initial', 'synced@5', '~default/a@7<1']);
    expect(informer.hasSynced()).toBe(true);
  });

  it('shows a change made late in index$ and health$ as any other', () => {
    const scheduler = new VirtualTimeScheduler();
    const { informer, send } = scripted({ scheduler, deltaFifo: { prepare: () => timer(10, scheduler) } });
    const sizes: number[] = [];
    const healths: string[] = [];
    informer.index$.subscribe((index) => sizes.push(index.size));
    informer.health$.subscribe(({ state, synced }) => healths.push(`${state} ${synced}`));
    send(...list('5', [pod('a', '1')]), added(pod('b', '6')));
    scheduler.flush();
    expect(sizes).toEqual([1, 2]);
    expect(healths.at(-1)).toBe('watching true');
  });

  it('prepares again what could not be prepared, and says so meanwhile', () => {
    const scheduler = new VirtualTimeScheduler();
    let isBroken = true;
    const prepare: Prepare = ([delta]) => {
      if (isBroken && delta?.key === 'default/a') throw new Error('no licence');
    };
    const { informer, send } = scripted({ scheduler, deltaFifo: { prepare, retryDelayMs: 100 } });
    const { seen } = collect(informer.resource$);
    const errors: string[] = [];
    const degraded: string[][] = [];
    informer.error$.subscribe(({ code, key, message }) => errors.push(`${code} ${key ?? ''} ${message}`));
    informer.health$.subscribe((health) => degraded.push([...health.degraded]));
    send(...list('5', [pod('a', '1'), pod('b', '2')]));
    expect(errors).toEqual(['ERR_HANDLER default/a Processing pods "default/a" failed: no licence']);
    expect([seen, informer.health().degraded, degraded.at(-1)]).toEqual([
      ['+default/b@2 initial', 'synced@5'],
      ['default/a'],
      ['default/a'],
    ]);
    isBroken = false;
    scheduler.flush();
    expect([seen.at(-1), informer.health().degraded, degraded.at(-1)]).toEqual(['+default/a@1 inferred', [], []]);
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

  it('drops what waits when it is stopped, and is stopped when no preparation runs any more', async () => {
    let finish = (): void => undefined;
    const prepare: Prepare = () => new Promise<void>((resolve) => (finish = resolve));
    const { informer, send } = scripted({ deltaFifo: { prepare } });
    const { seen } = collect(informer.resource$);
    send(...list('5', [pod('a', '1')]), deleted(pod('a', '6')));
    await informer.stop();
    const stopped = outcome(informer.stopped);
    await settle();
    expect([seen, stopped.value]).toEqual([['|'], 'pending']);
    finish();
    await settle();
    expect([seen, stopped.value, informer.indexer.listKeys()]).toEqual([['|'], 'resolved', []]);
  });

  it.each([
    [{ deltaFifo: 'yes' }, 'Expected `deltaFifo` of `createInformer` to be a boolean, or an object, got "yes"'],
    [{ deltaFifo: { prepare: 7 } }, 'Expected `prepare` of `deltaFifo` to be a function, got 7'],
    [{ deltaFifo: { compress: 'all' } }, 'Expected `compress`'],
    [{ deltaFifo: { concurrent: 0 } }, 'Expected `concurrent` of `deltaFifo` to be an integer >= 1 or Infinity, got 0'],
    [{ deltaFifo: { retryDelayMs: -1 } }, 'Expected `retryDelayMs`'],
  ])('refuses %j', (options, message) => {
    expect(() => createInformer(NEVER, options as object)).toThrow(message);
  });
});
