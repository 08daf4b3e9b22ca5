import { describe, expect, it } from '@jest/globals';
import { BehaviorSubject, VirtualTimeScheduler } from 'rxjs';
import { customResource } from '../../../src/api/resource.js';
import { InformerError } from '../../../src/api/errors/informerError.js';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { resources } from '../../../src/api/resources.js';
import { createInformerFactory, type InformerFactoryOptions } from '../../../src/informer/composed/createInformerFactory.js';
import { requests } from '../../../src/informer/parts/requests.js';
import { tracing } from '../../../src/informer/parts/tracing.js';
import { fakeClient } from '../fakeClient.js';
import { outcome, settle } from '../scripted.js';

const { pods, nodes, services } = resources.core.v1;
const pod = (name: string, namespace = 'default'): KubernetesObject => ({ metadata: { namespace, name, labels: { app: name } } });

/** Informers are created at the first access. */
function ask(...informers: readonly unknown[]): void {
  expect(informers).not.toContain(undefined);
}

function factoryOf(options: InformerFactoryOptions = {}) {
  const scheduler = new VirtualTimeScheduler();
  const client = fakeClient(scheduler);
  const factory = createInformerFactory(client, { scheduler, random: () => 0.5, listStrategy: 'list', ...options });
  const runTo = (ms: number): void => {
    scheduler.maxFrames = ms;
    scheduler.flush();
  };
  return { scheduler, client, factory, runTo };
}

describe('createInformerFactory', () => {
  it('makes one informer per resource and selection (FA-01)', () => {
    const { factory } = factoryOf();
    expect(factory.core.v1.pods).toBe(factory.core.v1.pods);
    expect(factory.forResource(pods)).toBe(factory.core.v1.pods);
    expect(factory.forResource(pods, { namespace: 'a' })).not.toBe(factory.core.v1.pods);
    expect(factory.forResource(pods, { namespace: ['b', 'a'] })).toBe(factory.forResource(pods, { namespace: ['a', 'b', 'a'] }));
    expect(factory.forResource(pods, { labelSelector: { matchLabels: { app: 'web' } } })).toBe(
      factory.forResource(pods, { labelSelector: 'app=web' }),
    );
    expect(factory.forResource(pods, { fieldSelector: 'metadata.name=a' })).not.toBe(factory.core.v1.pods);
    const namespace = new BehaviorSubject(['a']);
    expect(factory.forResource(pods, { namespace })).toBe(factory.forResource(pods, { namespace }));
    expect(factory.forResource(pods, { namespace })).not.toBe(factory.forResource(pods, { namespace: new BehaviorSubject(['a']) }));
    expect(factory.apps.v1.deployments).not.toBe(factory.core.v1.pods);
  });

  it('has every built-in resource that can be listed and watched, and no other', () => {
    const { factory } = factoryOf();
    expect(Object.keys(factory.core.v1)).toContain('configmaps');
    expect(Object.keys(factory.core.v1)).not.toContain('bindings');
    expect(Object.keys(factory.authorization.v1)).toEqual([]);
    expect(factory.informers()).toEqual([]);
    expect(factory.networking.v1.ingresses.name).toBe('ingresses.networking.k8s.io');
  });

  it('names informers after what they select', () => {
    const { factory } = factoryOf({ name: 'shop', namespace: 'store' });
    expect(factory.core.v1.pods.name).toBe('shop pods in store');
    expect(factory.forResource(pods, { namespace: '', labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n' }).name).toBe(
      'shop pods with app=web and spec.nodeName=n',
    );
  });

  it('starts what has been asked for, again and again (FA-03)', () => {
    const { factory, client, runTo } = factoryOf();
    factory.start();
    const informer = factory.core.v1.pods;
    expect(informer.health().state).toBe('idle');
    factory.start();
    factory.start();
    runTo(10);
    expect(client.requests).toEqual(['list pods', 'watch pods']);
    ask(factory.core.v1.services);
    factory.start();
    runTo(20);
    expect(client.requests).toEqual(['list pods', 'watch pods', 'list services', 'watch services']);
  });

  it('lets an informer start with its first subscriber', () => {
    const { factory, client, runTo } = factoryOf();
    factory.core.v1.pods.resource$.subscribe();
    runTo(10);
    expect(client.requests).toEqual(['list pods', 'watch pods']);
  });

  it('gives its namespace to namespaced resources only, and lets a selection have another (FA-07)', () => {
    const { factory, client, runTo } = factoryOf({ namespace: 'store', labelSelector: 'team=a' });
    ask(factory.core.v1.pods, factory.core.v1.nodes, factory.forResource(services, { namespace: 'other', labelSelector: '' }));
    factory.start();
    runTo(10);
    expect(client.requests.filter((request) => request.startsWith('list')).sort()).toEqual([
      'list nodes team=a',
      'list pods store team=a',
      'list services other',
    ]);
  });

  it('lets tweakListOptions have the last word about every request (FA-07)', () => {
    const { factory, client, runTo } = factoryOf({
      parts: [requests({ tweakListOptions: (request) => ({ ...request, fieldSelector: 'metadata.name=web' }) })],
    });
    ask(factory.core.v1.pods);
    factory.start();
    runTo(10);
    expect(client.requests).toEqual(['list pods metadata.name=web', 'watch pods metadata.name=web']);
  });

  it('transforms the objects of all informers, but not mere metadata (FA-07)', () => {
    const { factory, client, runTo } = factoryOf({ transform: (object) => ({ ...object, kind: 'Transformed' }) });
    client.serverOf('pods').add(pod('a'));
    const informer = factory.core.v1.pods;
    const metadata = factory.forMetadata(pods);
    factory.start();
    runTo(10);
    expect(informer.lister.get('default/a')).toMatchObject({ kind: 'Transformed' });
    expect(metadata.lister.get('default/a')?.metadata.name).toBe('a');
    expect(metadata.lister.get('default/a')).not.toHaveProperty('kind');
  });

  it('asks for metadata alone where that is wanted (ME-01)', () => {
    const { factory, client, runTo } = factoryOf();
    const metadata = factory.forMetadata(pods);
    expect([metadata.name, factory.forMetadata(pods) === metadata]).toEqual(['pods metadata', true]);
    factory.start();
    runTo(10);
    expect(client.raw).toEqual([
      expect.objectContaining({ verb: 'list', metadataOnly: true }),
      expect.objectContaining({ verb: 'watch', metadataOnly: true }),
    ]);
  });

  it.each([
    ['a list', [[services, 2000] as const]],
    ['an iterator', new Map([[services, 2000]]).entries()],
  ])('has a resync period, and others for single kinds in %s (FA-07)', (_, customResync) => {
    const { factory, client, runTo } = factoryOf({ resyncPeriodMs: 5000, customResync });
    client.serverOf('pods').add(pod('a'));
    client.serverOf('services').add(pod('s'));
    const counts: Record<string, number> = { pods: 0, services: 0 };
    factory.core.v1.pods.addEventHandler({ onUpdate: () => (counts['pods'] = (counts['pods'] ?? 0) + 1) });
    factory.core.v1.services.addEventHandler({ onUpdate: () => (counts['services'] = (counts['services'] ?? 0) + 1) });
    factory.start();
    runTo(10_000);
    expect(counts).toEqual({ pods: 2, services: 5 });
  });

  it('has informers with an index by namespace (FA-08)', () => {
    const { factory, client, runTo } = factoryOf();
    client.serverOf('pods').add(pod('a', 'x'));
    client.serverOf('pods').add(pod('b', 'y'));
    const { lister, indexer } = factory.core.v1.pods;
    factory.start();
    runTo(10);
    expect(Object.keys(indexer.getIndexers())).toEqual(['namespace']);
    expect(lister.namespace('x').list('app=a')).toHaveLength(1);
  });

  it('does not ask for streamed lists where the client cannot have them (DY-03)', () => {
    const streaming = factoryOf({ listStrategy: 'auto' });
    const plain = factoryOf({ listStrategy: 'auto', parts: [requests({ watchList: false })] });
    for (const { factory, runTo } of [streaming, plain]) {
      ask(factory.core.v1.pods);
      factory.start();
      runTo(10);
    }
    expect([streaming.client.requests[0], plain.client.requests[0]]).toEqual(['watch pods', 'list pods']);
  });

  it('refuses a resource that it does not know (FA-02)', () => {
    const { factory } = factoryOf();
    expect(() => factory.forResource(undefined as never)).toThrow(new TypeError('Expected `resource` to be a resource, got undefined'));
    expect(() => factory.forMetadata({ plural: 'pods' } as never)).toThrow(
      new TypeError('Expected `resource` to be a resource, got {"plural":"pods"}; customResource makes one from its names'),
    );
  });

  it('takes resources that are not built in (DY-01)', () => {
    const { factory, client, runTo } = factoryOf();
    const websites = customResource({ group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite', namespaced: true });
    client.serverOf('websites').add(pod('w'));
    const informer = factory.forResource(websites);
    factory.start();
    runTo(10);
    expect(informer.lister.list()).toHaveLength(1);
  });

  describe('waitForCacheSync', () => {
    it('has nothing to wait for when nothing is started (FA-04)', async () => {
      const { factory } = factoryOf();
      ask(factory.core.v1.pods);
      await expect(factory.waitForCacheSync()).resolves.toEqual({ synced: true, outcomes: [], error: undefined });
    });

    it('waits for those that are started, and only for those (FA-04)', async () => {
      const { factory, runTo } = factoryOf();
      ask(factory.core.v1.pods);
      factory.start();
      ask(factory.core.v1.services);
      const waiting = factory.waitForCacheSync();
      runTo(10);
      await expect(waiting).resolves.toEqual({ synced: true, outcomes: [{ name: 'pods', synced: true }], error: undefined });
    });

    it('says of each why it has not synced (FA-05, WS-05)', async () => {
      const { factory, client, scheduler, runTo } = factoryOf({ onError: () => 'retry' });
      client.serverOf('services').stop();
      client.serverOf('nodes').hangNext('list');
      ask(factory.core.v1.services, factory.core.v1.pods, factory.core.v1.nodes);
      factory.start();
      const waiting = factory.waitForCacheSync({ timeoutMs: 1000 });
      runTo(scheduler.now() + 2000);
      const { synced, outcomes, error } = await waiting;
      expect(synced).toBe(false);
      expect(outcomes.map((each) => [each.name, each.synced])).toEqual([
        ['services', false],
        ['pods', true],
        ['nodes', false],
      ]);
      expect(outcomes[0]?.reason?.message).toMatch(/^The informer services did not sync within 1000 ms: Cannot list services: /);
      expect(outcomes[2]?.reason?.message).toBe('The informer nodes did not sync within 1000 ms: it is listing');
      expect(error?.message).toMatch(/^Failed to sync nodes, services: The informer services did not sync/);
      expect(error?.cause).toBe(outcomes[0]?.reason);
    });

    it('names the error of an informer that onError has ended', async () => {
      const { factory, client, runTo } = factoryOf({ onError: () => 'stop' });
      client.serverOf('pods').stop();
      ask(factory.core.v1.pods);
      factory.start();
      runTo(100);
      const { outcomes } = await factory.waitForCacheSync();
      expect(outcomes[0]?.reason).toMatchObject({ code: 'ERR_STOPPED', cause: expect.any(InformerError) });
    });
  });

  describe('shutdown', () => {
    it('stops everything; `stopped` resolves when nothing runs any more (FA-06)', async () => {
      const { factory, client, runTo } = factoryOf();
      let finish: () => void = () => undefined;
      client.serverOf('pods').add(pod('a'));
      factory.core.v1.pods.addEventHandler({ onAdd: () => new Promise<void>((resolve) => (finish = resolve)) });
      factory.start();
      runTo(10);
      const down = outcome(factory.stopped);
      await factory.shutdown();
      await settle();
      expect([down.value, client.serverOf('pods').openWatches]).toEqual(['pending', 0]);
      finish();
      await factory.stopped;
      expect(down.value).toBe('resolved');
    });

    it.each(['shutdown', 'release'] as const)('can be waited for in a handler of one of its informers: %s', async (way) => {
      const { factory, client, runTo } = factoryOf();
      client.serverOf('pods').add(pod('a'));
      const informer = factory.core.v1.pods;
      const registration = informer.addEventHandler({ onAdd: () => (way === 'shutdown' ? factory.shutdown() : factory.release(informer)) });
      factory.start();
      runTo(10);
      await registration.removed;
      await informer.stopped;
      expect(informer.isStopped()).toBe(true);
    });

    it('makes a later start do nothing, and refuses informers not made before (FA-06)', async () => {
      const { factory, client, runTo } = factoryOf();
      const informer = factory.core.v1.pods;
      await factory.shutdown();
      factory.start();
      runTo(10);
      expect(client.requests).toEqual([]);
      expect(factory.core.v1.pods).toBe(informer);
      expect(() => factory.core.v1.services).toThrow(expect.objectContaining({ code: 'ERR_STOPPED' }));
    });
  });

  describe('release', () => {
    it('stops one informer, and makes another when it is asked for again', async () => {
      const { factory, runTo } = factoryOf();
      const informer = factory.core.v1.pods;
      ask(factory.core.v1.services);
      factory.start();
      runTo(10);
      await factory.release(informer);
      expect([informer.isStopped(), factory.informers().length]).toEqual([true, 1]);
      expect(factory.core.v1.pods).not.toBe(informer);
    });

    it('does nothing with an informer of another factory', async () => {
      const { factory } = factoryOf();
      const foreign = factoryOf().factory.core.v1.pods;
      await factory.release(foreign);
      expect(foreign.isStopped()).toBe(false);
    });
  });

  it('replaces an informer that was stopped, unlike client-go (FA-09)', async () => {
    const { factory } = factoryOf();
    const informer = factory.core.v1.pods;
    await informer.stop();
    expect(factory.core.v1.pods).not.toBe(informer);
    expect(factory.informers()).toEqual([factory.core.v1.pods]);
  });

  it.each<[InformerFactoryOptions, string]>([
    [
      { relistPeriodMs: -1 },
      'Expected `relistPeriodMs` of `createInformerFactory` to be a number of milliseconds >= 0 or Infinity, got -1',
    ],
    [{ pageSize: 0.5 }, 'Expected `pageSize` of `createInformerFactory` to be an integer >= 0, got 0.5'],
    [{ idleGraceMs: -1 }, 'Expected `idleGraceMs` of `createInformerFactory` to be a number of milliseconds >= 0 or Infinity, got -1'],
    [{ namespace: 'a/b' }, 'Expected `namespace` to be the name of a namespace, got "a/b"'],
    [{ labelSelector: 'a in b' }, "Unable to parse the label selector \"a in b\": found 'b', expected '('"],
    [{ transform: 1 as never }, 'Expected `transform` of `createInformerFactory` to be a function, got 1'],
    [
      { customResync: 5 as never },
      'Expected `customResync` of `createInformerFactory` to be pairs of a resource and a number of milliseconds >= 0, got 5',
    ],
  ])('refuses %j when it is made, and not with its first informer', (options, message) => {
    expect(() => factoryOf(options)).toThrow(new TypeError(message));
  });

  it('refuses no client, and tells a trace of nothing but its informers', () => {
    expect(() => createInformerFactory(undefined as never)).toThrow('Expected a client with the methods listChunks and watch');
    const steps: string[] = [];
    factoryOf({ parts: [tracing(({ stage }) => steps.push(stage))] });
    expect(steps).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['a wrong period', () => factoryOf({ customResync: [[nodes, -1]] })],
    ['a wrong resync period', () => factoryOf({ resyncPeriodMs: Number.NaN })],
    ['a wrong selector', () => factoryOf().factory.forResource(pods, { labelSelector: 'a in b' })],
    ['a namespace for a cluster-scoped resource', () => factoryOf().factory.forResource(nodes, { namespace: 'x' })],
  ])('refuses %s', (_, make) => {
    expect(make).toThrow(TypeError);
  });
});
