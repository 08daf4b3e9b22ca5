import { describe, expect, it } from '@jest/globals';
import { VirtualTimeScheduler } from 'rxjs';
import { resources } from '../../../src/api/resources.js';
import type { ResourceEvent } from '../../../src/api/events.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { createMetadataInformer } from '../../../src/informer/composed/createMetadataInformer.js';
import { createObjectInformer } from '../../../src/informer/composed/createObjectInformer.js';
import { waitForCacheSync } from '../../../src/informer/waiting/waitForCacheSync.js';
import { waitUntil } from '../../../src/informer/waiting/waitUntil.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { added, deleted, list, modified, type Pod, pod } from '../../delta/pods.js';
import { fakeClient } from '../fakeClient.js';
import { outcome, scripted, settle } from '../scripted.js';

const a1 = pod('a', '1');
const is = (name: string) => (event: ResourceEvent<Pod>) => event.type === 'added' && event.key === `default/${name}`;

describe('waitUntil', () => {
  it('starts the informer, resolves with the event, and lets the informer go (TW-12)', async () => {
    const { informer, send, isRunning } = scripted();
    const waiting = waitUntil(informer, [is('a'), (event) => event.type === 'deleted']);
    expect(isRunning()).toBe(true);
    send(...list('3', [a1]), modified(pod('a', '4')), deleted(pod('a', '5')));
    await expect(waiting).resolves.toMatchObject({ type: 'deleted', object: pod('a', '5') });
    expect(isRunning()).toBe(false);
  });

  it('wants conditions met one after the other, each from the event on that met the one before (TW-10)', async () => {
    const { informer, send } = scripted();
    const later = outcome(waitUntil(informer, [is('a'), is('b')]));
    const sameEvent = waitUntil(informer, [is('a'), () => true, is('c')]);
    send(...list('1', []), added(pod('b', '2')), added(pod('a', '3')), deleted(pod('b', '4')));
    await settle();
    expect(later.value).toBe('pending');
    send(added(pod('b', '5')), added(pod('c', '6')));
    await expect(sameEvent).resolves.toMatchObject({ type: 'added', key: 'default/c' });
    expect(later.value).toBe('resolved');
  });

  it('refuses a condition that is no function', async () => {
    const { informer } = scripted();
    await expect(waitUntil(informer, ['ready' as never])).rejects.toThrow(
      new TypeError('Expected `conditions` of `waitUntil` to be a list of functions, got a list of 1'),
    );
  });

  it('resolves with nothing when the precondition holds once it has synced', async () => {
    const { informer, send } = scripted();
    const waiting = waitUntil(informer, [() => true], { precondition: (indexer) => indexer.getByKey('default/a') !== undefined });
    const state = outcome(waiting);
    send(...list('3', [a1]).slice(0, 2));
    await settle();
    expect(state.value).toBe('pending');
    send(...list('3', [a1]));
    await expect(waiting).resolves.toBeUndefined();
  });

  it('waits for sync before it tells, if there is a precondition that does not hold', async () => {
    const { informer, send } = scripted();
    const order: string[] = [];
    const waiting = waitUntil(informer, [is('a')], {
      precondition: () => {
        order.push('asked');
        return false;
      },
    }).then((event) => order.push(event?.type ?? 'nothing'));
    send(...list('3', [a1]), added(pod('b', '4')));
    await waiting;
    expect(order).toEqual(['asked', 'added']);
  });

  it('survives an expired version, and finds out by the list that follows (TW-11)', async () => {
    const scheduler = new VirtualTimeScheduler();
    const server = new FakeListerWatcher({ scheduler });
    server.add({ metadata: { namespace: 'default', name: 'a' } });
    const informer = createInformer(server, { scheduler, onError: () => 'retry' });
    const waiting = waitUntil(informer, [(event) => event.type === 'deleted']);
    scheduler.maxFrames = 10;
    scheduler.flush();
    server.loseEvents(() => server.delete('default/a'));
    server.expire();
    scheduler.maxFrames = 100_000;
    scheduler.flush();
    await expect(waiting).resolves.toMatchObject({ key: 'default/a', finalStateUnknown: true });
  });

  it('rejects after its time, with its signal, with the informer, and with what a condition throws', async () => {
    const scheduler = new VirtualTimeScheduler();
    const { informer, send } = scripted({ scheduler });
    const late = outcome(waitUntil(informer, [is('x')], { timeoutMs: 10, scheduler }));
    const aborted = outcome(waitUntil(informer, [is('x')], { signal: AbortSignal.abort(new Error('enough')) }));
    const broken = outcome(
      waitUntil(informer, [
        () => {
          throw new Error('broken');
        },
      ]),
    );
    const stopped = outcome(waitUntil(informer, [is('x')]));
    send(...list('3', [a1]));
    scheduler.flush();
    await informer.stop();
    await settle();
    expect([late.value, aborted.value, broken.value, stopped.value]).toEqual([
      'InformerError: pods did not meet condition 1 of 1 within 10 ms',
      'Error: enough',
      'Error: broken',
      'InformerError: The events ended before condition 1 of 1 was met',
    ]);
  });
});

describe('waitForCacheSync', () => {
  it('is in sync with no informers at all (WS-01)', async () => {
    await expect(waitForCacheSync([])).resolves.toEqual({ synced: true, outcomes: [], error: undefined });
  });

  it('starts the informers and waits for all of them, registrations included (WS-03)', async () => {
    const [first, second] = [scripted({ name: 'first' }), scripted({ name: 'second' })];
    const registration = second.informer.addEventHandler({}, { name: 'handler' });
    const waiting = outcome(waitForCacheSync([first.informer, second.informer, registration]));
    first.send(...list('1', []));
    await settle();
    expect(waiting.value).toBe('pending');
    second.send(...list('1', []));
    await settle();
    expect(waiting.value).toBe('resolved');
  });

  it('counts what has synced even if the signal is aborted, and names the rest in order, handlers too (WS-05, SI-18)', async () => {
    const [synced, z, b] = [scripted({ name: 'synced' }), scripted({ name: 'z' }), scripted({ name: 'b' })];
    synced.informer.start();
    synced.send(...list('1', []));
    const cause = new Error('gave up');
    const [named, unnamed] = [z.informer.addEventHandler({}, { name: 'counter' }), z.informer.addEventHandler({})];
    const all = [z.informer, synced.informer, b.informer, unnamed, named];
    const result = await waitForCacheSync(all, { signal: AbortSignal.abort(cause) });
    expect(result.outcomes.map((each) => each.synced)).toEqual([false, true, false, false, false]);
    expect(result.error).toMatchObject({ message: 'Failed to sync b, counter, z, z handler 2: gave up', cause });
    expect(z.isRunning()).toBe(false);
  });

  it('makes an error of what is none', async () => {
    const { informer } = scripted();
    const { outcomes } = await waitForCacheSync([informer], { signal: AbortSignal.abort('text') });
    expect(outcomes[0]?.reason).toEqual(new Error('text'));
  });
});

describe('createObjectInformer', () => {
  const { configmaps, nodes } = resources.core.v1;
  const object = (name: string, value?: string) => ({
    metadata: { namespace: 'default', name },
    ...(value !== undefined && { data: { value } }),
  });

  function timed() {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const runTo = (ms: number): void => {
      scheduler.maxFrames = ms;
      scheduler.flush();
    };
    return { scheduler, client, server: client.serverOf('configmaps'), runTo };
  }

  it('tells one object, or that there is none, now and at every change', () => {
    const { scheduler, client, server, runTo } = timed();
    server.add(object('other'));
    const settings = createObjectInformer(client, configmaps, 'settings', { namespace: 'default', scheduler, listStrategy: 'list' });
    const seen: unknown[] = [];
    settings.object$.subscribe((value) => seen.push(value?.data?.['value']));
    runTo(10);
    expect(seen).toEqual([undefined]);
    server.add(object('settings', 'x'));
    server.modify(object('settings', 'y'));
    server.add(object('third'));
    runTo(20);
    expect(settings.get()).toMatchObject({ data: { value: 'y' } });
    const late: unknown[] = [];
    settings.object$.subscribe((value) => late.push(value?.data?.['value']));
    server.delete('default/settings');
    runTo(30);
    expect([seen, late]).toEqual([
      [undefined, 'x', 'y', undefined],
      ['y', undefined],
    ]);
    expect(client.requests[0]).toBe('list configmaps default metadata.name=settings');
    expect(settings.informer.name).toBe('configmaps default/settings');
  });

  it('does not say that there is none before the server has', () => {
    const { scheduler, client, server, runTo } = timed();
    server.hangNext('list');
    const settings = createObjectInformer(client, configmaps, 'settings', { namespace: 'default', scheduler, listStrategy: 'list' });
    const seen: unknown[] = [];
    settings.object$.subscribe((value) => seen.push(value));
    runTo(10);
    expect(seen).toEqual([]);
  });

  it.each<[string, () => unknown, string]>([
    [
      'no namespace for a namespaced resource',
      () => createObjectInformer(timed().client, configmaps, 'settings'),
      'Expected `namespace` to be the namespace of one of the configmaps, got ""',
    ],
    ['no name', () => createObjectInformer(timed().client, nodes, ''), 'Expected `name` to be the name of an object, got ""'],
    [
      'an object',
      () => createObjectInformer(timed().client, nodes, {} as never),
      'Expected `name` to be the name of an object, got an object',
    ],
  ])('refuses %s', (_, make, message) => {
    expect(make).toThrow(new TypeError(message));
  });
});

describe('createMetadataInformer', () => {
  it('asks for metadata alone', () => {
    const scheduler = new VirtualTimeScheduler();
    const client = fakeClient(scheduler);
    const informer = createMetadataInformer(client, resources.core.v1.secrets, {
      scheduler,
      transform: ({ metadata }) => ({ labels: metadata.labels }),
    });
    informer.resource$.subscribe();
    expect(client.raw[0]).toMatchObject({ plural: 'secrets', metadataOnly: true });
  });
});
