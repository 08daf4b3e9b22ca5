import { afterEach, describe, expect, it } from '@jest/globals';
import { BehaviorSubject, filter, firstValueFrom, timeout } from 'rxjs';
import type { ApiServerProfile } from '../../src/profile.js';
import { createInformer, type KubernetesObject, type ResourceInformerOptions, resources } from 'rx-informer';
import { verification, requests, sharding } from 'rx-informer/pipeline';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';

const { configmaps } = resources.core.v1;
const namespace = 'default';
const everySlot = new Set(Array.from({ length: 128 }, (_, slot) => slot));

/** Every option that changes a request. */
const options: Readonly<Record<string, ResourceInformerOptions<KubernetesObject>>> = {
  'no option': {},
  pageSize: { pageSize: 2 },
  listStrategy: { listStrategy: 'list' },
  'listStrategy and pageSize': { listStrategy: 'list', pageSize: 2 },
  'the most recent state': { parts: [requests({ listSemantics: 'mostRecent' })], pageSize: 2 },
  'no version before one': { parts: [requests({ listSemantics: { notOlderThan: '1' } })], listStrategy: 'list' },
  'exactly a version': { parts: [requests({ listSemantics: { exact: '1' } })], pageSize: 2 },
  relistPeriodMs: { relistPeriodMs: 3_600_000, pageSize: 2 },
  namespaces: { namespace: ['default', 'kube-system'], pageSize: 2 },
  selectors: { labelSelector: 'app!=none', fieldSelector: 'metadata.name!=none', pageSize: 2 },
  verification: { parts: [verification({ everyMs: 3_600_000, pageSize: 1 })], pageSize: 2 },
  shards: { parts: [sharding({ by: 'uid', shard$: new BehaviorSubject({ slots: everySlot }) })], pageSize: 2 },
};
const profiles: readonly ApiServerProfile[] = ['current', 'gate-off', '1.26'];
const cases: readonly (readonly [string, ApiServerProfile])[] = [
  ...profiles.flatMap((profile) => Object.keys(options).map((name) => [name, profile] as const)),
  // It takes 10 s to find out that such a server does not stream lists.
  ['listStrategy and pageSize', '1.18'],
];

describe('a server that has started anew, with an empty watch cache and nothing compacted', () => {
  let server: TestApiServer;
  afterEach(() => server.close());

  async function write(name: string, value: string): Promise<void> {
    await server.client.create(configmaps, { metadata: { name, namespace }, data: { value } });
  }

  it.each(cases)('does not leave an informer stale, with %s, of %s', async (name, profile) => {
    server = await startApiServer({ profile });
    await write('a', '1');
    await write('b', '1');
    const backoff = { initialMs: 1, maxMs: 20 };
    const informer = createInformer<KubernetesObject>(server.client, configmaps, {
      ...options[name],
      backoff,
      logger: { warn: () => undefined },
    });
    informer.start();
    await informer.whenSynced();

    const down = server.faults.inject({ type: 'answer', code: 503, verb: ['list', 'watch'], optional: true });
    server.faults.restart();
    await server.client.get(configmaps, 'a', { namespace });
    await write('c', '1');
    await server.client.delete(configmaps, 'b', { namespace });
    await server.client.patch(configmaps, 'a', 'merge', { data: { value: '2' } }, { namespace });
    server.faults.restart();
    down.remove();

    const versions = async (): Promise<string> =>
      (await server.client.list(configmaps)).items
        .map(({ metadata }) => `${metadata?.name ?? ''}@${metadata?.resourceVersion ?? ''}`)
        .sort()
        .join();
    const truth = await versions();
    const cached = (): string =>
      informer.lister
        .list()
        .map(({ metadata }) => `${metadata?.name ?? ''}@${metadata?.resourceVersion ?? ''}`)
        .sort()
        .join();
    await firstValueFrom(
      informer.index$.pipe(
        filter(() => cached() === truth),
        timeout(10_000),
      ),
      { defaultValue: undefined },
    );
    expect(cached()).toBe(truth);
    await informer.stop();
  });
});
