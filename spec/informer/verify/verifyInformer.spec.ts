import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BehaviorSubject, of, VirtualTimeScheduler } from 'rxjs';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { resources } from '../../../src/api/resources.js';
import { createClient } from '../../../src/client/createClient.js';
import { createInformer } from '../../../src/informer/createInformer.js';
import { requests } from '../../../src/informer/parts/requests.js';
import { sharding } from '../../../src/informer/parts/sharding.js';
import { verifyInformer } from '../../../src/informer/verify/verifyInformer.js';
import type { ResourceInformerOptions } from '../../../src/informer/informerOptions.js';
import { FakeListerWatcher } from '../../../src/testing/fakes/fakeListerWatcher.js';
import { sourceInit, sourceReady } from '../../source/sourceEvents.js';
import { fakeClient } from '../fakeClient.js';
import { outcome, settle } from '../scripted.js';

type Pod = KubernetesObject & { value?: string };

const pod = (name: string, namespace = 'default', value?: string): Pod => ({
  metadata: { namespace, name },
  ...(value !== undefined && { value }),
});

function followed(options: ResourceInformerOptions<Pod> = {}) {
  const scheduler = new VirtualTimeScheduler();
  const client = fakeClient(scheduler);
  const server = client.serverOf('pods');
  const informer = createInformer<Pod>(client, resources.core.v1.pods as never, {
    scheduler,
    random: () => 0.5,
    logger: { warn: () => undefined },
    ...options,
  });
  /** Runs until this time: a watch never ends, so running until idle would not return. */
  const runTo = (ms: number): void => {
    scheduler.maxFrames = ms;
    scheduler.flush();
  };
  return { scheduler, client, server, informer, runTo };
}

const none = { missing: [], extra: [], differing: [] };

describe('verifyInformer', () => {
  it('finds nothing where nothing differs, in one list of metadata at exactly the version of the cache', async () => {
    const { client, server, informer, runTo } = followed({ labelSelector: 'app=web' });
    server.add(pod('a'));
    informer.start();
    runTo(100);
    server.add(pod('b'));
    server.modify(pod('a', 'default', 'new'));
    runTo(200);
    const asked = client.raw.length;
    const result = await verifyInformer(informer);
    const version = server.resourceVersion;
    expect(result).toEqual({ isConsistent: true, count: 2, resourceVersions: new Map([['', version]]), ...none });
    expect(client.raw.slice(asked)).toEqual([
      {
        ...{ verb: 'list', plural: 'pods', labelSelector: 'app=web', metadataOnly: true },
        ...{ resourceVersion: version, resourceVersionMatch: 'Exact', limit: 500, reader: {} },
      },
    ]);
  });

  it('does not wait for ever for a server that has gone silent', async () => {
    const { server, informer, runTo } = followed();
    informer.start();
    runTo(100);
    server.hangNext('list');
    const waiting = outcome(verifyInformer(informer));
    runTo(60_101);
    await settle();
    expect(waiting.value).toBe('Error: No answer for 60000 ms');
  });

  it('tells what is missing, what is too much, and what has another version, and changes nothing', async () => {
    const { server, informer, runTo } = followed();
    for (const name of ['gone', 'old', 'same']) server.add(pod(name));
    informer.start();
    runTo(100);
    const before = server.get('default/old')?.metadata?.resourceVersion;
    const gone = server.get('default/gone')?.metadata?.resourceVersion;
    server.loseEvents(() => {
      server.delete('default/gone');
      server.modify(pod('old', 'default', 'new'));
      server.add(pod('lost'));
    });
    server.add(pod('last'));
    runTo(200);
    const changes: unknown[] = [];
    informer.change$.subscribe((change) => changes.push(change));
    const { missing, extra, differing, isConsistent, count } = await verifyInformer(informer, { pageSize: 1 });
    expect({ isConsistent, count }).toEqual({ isConsistent: false, count: 4 });
    expect(missing).toEqual([{ key: 'default/lost', resourceVersion: server.get('default/lost')?.metadata?.resourceVersion }]);
    expect(extra).toEqual([{ key: 'default/gone', resourceVersion: gone }]);
    expect(differing).toEqual([{ key: 'default/old', cached: before, served: server.get('default/old')?.metadata?.resourceVersion }]);
    expect(changes).toHaveLength(1);
    expect(informer.indexer.listKeys().sort()).toEqual(['default/gone', 'default/last', 'default/old', 'default/same']);
  });

  it('finds whatever events were lost, and nothing else', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      namespace: fc.constantFrom('x', 'y'),
      lost: fc.boolean(),
      remove: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, several) => {
        const { server, informer, runTo } = followed(several ? { namespace: ['x', 'y'] } : {});
        informer.start();
        runTo(100);
        for (const { name, namespace, lost, remove } of steps) {
          const exists = server.get(`${namespace}/${name}`) !== undefined;
          const act = (): void => {
            if (!exists) server.add(pod(name, namespace));
            else if (remove) server.delete(`${namespace}/${name}`);
            else server.modify(pod(name, namespace));
          };
          if (lost) server.loseEvents(act);
          else act();
        }
        // Each scope is compared at its own version, so an event brings all of them to the same state.
        for (const namespace of ['x', 'y']) server.add(pod('last', namespace));
        runTo(200);
        const versions = (objects: readonly KubernetesObject[]): Map<string, string> =>
          new Map(
            objects.map(({ metadata = {} }) => [`${metadata.namespace ?? ''}/${metadata.name ?? ''}`, metadata.resourceVersion ?? '']),
          );
        const cached = versions(informer.indexer.list());
        const served = versions(server.objects());
        const { missing, extra, differing } = await verifyInformer(informer, { pageSize: 2 });
        const keys = (list: readonly { key: string }[]): string[] => list.map(({ key }) => key);
        expect(keys(missing)).toEqual([...served.keys()].filter((key) => !cached.has(key)).sort());
        expect(keys(extra)).toEqual([...cached.keys()].filter((key) => !served.has(key)).sort());
        expect(keys(differing)).toEqual(
          [...cached]
            .filter(([key, at]) => served.has(key) && served.get(key) !== at)
            .map(([key]) => key)
            .sort(),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('compares the contents where versions agree, if asked to', async () => {
    const { server, informer, runTo } = followed();
    server.add(pod('a'));
    const backup = server.resourceVersion;
    server.add(pod('b', 'default', 'before'));
    server.add(pod('c'));
    informer.start();
    runTo(100);
    // The server gives out the same versions again, for other contents, before the check.
    server.restore(backup);
    server.add(pod('b', 'default', 'after'));
    server.add(pod('c'));
    server.add(pod('d'));
    runTo(600_000);
    const cached = informer.indexer.getByKey('default/b');
    expect(cached?.value).toBe('before');
    expect((server.get('default/b') as Pod | undefined)?.value).toBe('after');
    await expect(verifyInformer(informer)).resolves.toMatchObject({ isConsistent: true });
    const { resourceVersion = '' } = cached?.metadata ?? {};
    const { differing, isConsistent } = await verifyInformer(informer, { contents: true });
    expect(isConsistent).toBe(false);
    expect(differing).toContainEqual({ key: 'default/b', cached: resourceVersion, served: resourceVersion });
  });

  it('finds a restored backup that the look of the reflector cannot find: the server has written on past the last version seen', async () => {
    const { server, informer, runTo } = followed();
    server.add(pod('a'));
    const backup = server.resourceVersion;
    server.add(pod('b'));
    informer.start();
    runTo(100);
    server.restore(backup);
    for (const name of ['c', 'd', 'e']) server.add(pod(name));
    runTo(3_600_000);
    expect(informer.health().state).toBe('watching');
    expect(informer.indexer.listKeys().sort()).toEqual(['default/a', 'default/b', 'default/d', 'default/e']);
    const { missing, extra } = await verifyInformer(informer);
    expect(missing.map(({ key }) => key)).toEqual(['default/c']);
    expect(extra.map(({ key }) => key)).toEqual(['default/b']);
  });

  it('takes each namespace at its own version, also where namespaces come and go', async () => {
    const namespaces = new BehaviorSubject<readonly string[]>(['x', 'y']);
    const { server, informer, client, runTo } = followed({ namespace: namespaces });
    for (const namespace of ['x', 'y', 'z']) server.add(pod('a', namespace));
    informer.start();
    runTo(100);
    server.add(pod('b', 'x'));
    namespaces.next(['x', 'z']);
    runTo(200);
    const { resourceVersions, count, isConsistent } = await verifyInformer(informer);
    expect({ count, isConsistent }).toEqual({ count: 3, isConsistent: true });
    expect([...resourceVersions.keys()]).toEqual(['x', 'z']);
    expect(client.requests.slice(-2)).toEqual(['list pods x', 'list pods z']);
  });

  it('compares by keys alone what a transform left no version in', async () => {
    const { server, informer, runTo } = followed({ transform: ({ value = '' }) => ({ value }) });
    server.add(pod('a'));
    informer.start();
    runTo(100);
    server.loseEvents(() => server.add(pod('lost')));
    server.add(pod('b'));
    runTo(200);
    const { missing, extra, differing } = await verifyInformer(informer);
    expect({ missing: missing.map(({ key }) => key), extra, differing }).toEqual({ missing: ['default/lost'], extra: [], differing: [] });
    await expect(verifyInformer(informer, { contents: true })).rejects.toThrow(
      'the contents are those that its transform made; leave `contents` out',
    );
  });

  it('compares by keys alone what a transform fails for', async () => {
    const transform = (object: Pod): Pod => {
      if (object.value === 'bad') throw new Error('bad');
      return object;
    };
    const { server, informer, runTo } = followed({ transform });
    server.add(pod('a'));
    server.add(pod('bad', 'default', 'bad'));
    server.add(pod('gone', 'default', 'bad'));
    informer.start();
    runTo(100);
    server.modify(pod('a', 'default', 'bad'));
    server.loseEvents(() => server.delete('default/gone'));
    server.add(pod('c'));
    runTo(200);
    expect(informer.health().degraded).toEqual(['default/bad', 'default/gone', 'default/a']);
    expect(await verifyInformer(informer)).toMatchObject({ ...none, extra: [{ key: 'default/gone' }] });
  });

  it('rejects with what the server says, and when the version is no longer kept', async () => {
    const { server, informer, runTo } = followed();
    server.add(pod('a'));
    informer.start();
    runTo(100);
    server.failNext('list', new Error('refused'));
    await expect(verifyInformer(informer)).rejects.toThrow('refused');
    server.loseEvents(() => server.add(pod('lost')));
    server.compact();
    await expect(verifyInformer(informer)).rejects.toMatchObject({ reason: 'Expired' });
    expect(informer.health().state).toBe('watching');
  });

  it('rejects when the server answers with another version', async () => {
    const { server, informer, runTo } = followed({
      parts: [requests({ tweakListOptions: (request) => (request.resourceVersionMatch === 'Exact' ? { limit: 500 } : request) })],
    });
    informer.start();
    runTo(100);
    server.loseEvents(() => server.add(pod('lost')));
    await expect(verifyInformer(informer)).rejects.toThrow('asked for the list at exactly version 1, got that of 2');
  });

  it('rejects before the first list is complete, and when it is stopped, before or meanwhile', async () => {
    const { server, informer, runTo } = followed();
    await expect(verifyInformer(informer)).rejects.toMatchObject({ code: 'ERR_LIST' });
    informer.start();
    runTo(100);
    server.hangNext('list');
    const waiting = outcome(verifyInformer(informer));
    await settle();
    expect(waiting.value).toBe('pending');
    await informer.stop();
    await settle();
    expect(waiting.value).toContain('has been stopped');
    await expect(verifyInformer(informer)).rejects.toMatchObject({ code: 'ERR_STOPPED' });
  });

  it('is bounded by a time and a signal', async () => {
    const { server, informer, runTo } = followed();
    informer.start();
    runTo(100);
    server.hangNext('list');
    server.hangNext('list');
    const late = verifyInformer(informer, { timeoutMs: 1_000 });
    const outcomeOfLate = outcome(late);
    runTo(1_200);
    await settle();
    expect(outcomeOfLate.value).toContain('was not verified within 1000 ms');
    const controller = new AbortController();
    const aborted = verifyInformer(informer, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
  });

  it('is refused where nothing can be listed again, and for options it does not know', async () => {
    const source = createInformer(of(sourceInit(), sourceReady('1')));
    const overListerWatcher = createInformer(new FakeListerWatcher<Pod>());
    const shard = { by: 'uid', shard$: of({ slots: new Set([1]) }) } as const;
    const ofShard = createInformer(createClient({ server: 'http://127.0.0.1:1' }), resources.core.v1.pods, { parts: [sharding(shard)] });
    for (const informer of [source, overListerWatcher, ofShard]) {
      await expect(verifyInformer(informer)).rejects.toThrow(
        'only one over a client and a resource, and without `sharding`, can list again',
      );
    }

    await expect(verifyInformer(followed().informer, { content: true } as never)).rejects.toThrow(
      'Unknown option `content` of `verifyInformer`',
    );
  });
});
