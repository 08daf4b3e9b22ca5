import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { customResource } from '../../src/api/resource.js';
import type { InformerErrorCode } from '../../src/api/errors/informerError.js';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { createInformer } from '../../src/informer/createInformer.js';
import { requests } from '../../src/informer/parts/requests.js';
import type { ResourceInformerOptions } from '../../src/informer/informerOptions.js';
import { Follower } from './follower.js';
import { serverControl, type RemoteFaultInit, type ServerControl } from './serverControl.js';
import { startServerProcess, type ServerProcess } from './serverProcess.js';

const configMaps = resources.core.v1.configmaps;
const userAgent = 'the-informer';
const backoff = { initialMs: 20, maxMs: 100 };
const strategies = ['list', 'watchList'] as const;
const html = { code: 200, body: '<html>Welcome</html>', contentType: 'text/html' } as const;

describe('an informer on a bad network', () => {
  let server: ServerProcess;
  let control: ServerControl;
  /** Sees the server as it is: no fault is about this one. */
  let truth: KubeClient;
  let client: KubeClient;
  let namespace: string;
  let spaces = 0;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    server = await startServerProcess('--control');
    control = serverControl(server.url);
    truth = createClient({ server: server.url });
  });
  afterAll(async () => {
    truth.close();
    await server.end();
  });
  beforeEach(async () => {
    client = createClient({ server: server.url, userAgent });
    spaces += 1;
    namespace = `space-${String(spaces)}`;
    await truth.create(resources.core.v1.namespaces, { metadata: { name: namespace } });
    for (const name of ['a', 'b', 'c']) await create(name);
  });
  afterEach(async () => {
    await control.clear();
    await Promise.all(stops.splice(0).map((stop) => stop()));
    client.close();
  });

  const create = (name: string, data: Record<string, string> = {}): Promise<V1ConfigMap> =>
    truth.create(configMaps, { metadata: { name, namespace }, data });
  const remove = (name: string): Promise<unknown> => truth.delete(configMaps, name, { namespace });
  const follow = (options: ResourceInformerOptions<V1ConfigMap> = {}): Follower<V1ConfigMap> => {
    const informer = createInformer(client, configMaps, { namespace, backoff, ...options });
    stops.push(() => informer.stop());
    return new Follower(informer, { truth, resource: configMaps, namespace });
  };
  const followed = async (options: ResourceInformerOptions<V1ConfigMap> = {}): Promise<Follower<V1ConfigMap>> => {
    const follower = follow(options);
    await follower.reaches(({ state }) => state === 'watching');
    return follower;
  };
  /** A fault about the informer alone. */
  const inject = (fault: RemoteFaultInit): ReturnType<ServerControl['inject']> => control.inject({ ...fault, userAgent });
  /** Changes of each sort, so that nothing missed can go unseen. */
  const change = async (): Promise<void> => {
    await create('d');
    await truth.patch(configMaps, 'b', 'merge', { data: { changed: 'yes' } }, { namespace });
    await remove('c');
  };
  const watches = async (): Promise<number> =>
    (await control.requests()).filter((request) => request.verb === 'watch' && request.namespace === namespace).length;

  it('replaces a connection whose server has stopped, and goes on when it is back', async () => {
    const follower = await followed({ idleTimeoutMs: 300, parts: [requests({ listTimeoutMs: 300 })] });
    server.child.kill('SIGSTOP');
    try {
      await follower.fails('ERR_WATCH_START');
      expect(follower.informer.lister.list()).toHaveLength(3);
      expect(follower.informer.health()).toMatchObject({ synced: true, state: 'retrying' });
    } finally {
      server.child.kill('SIGCONT');
    }
    await change();
    expect(await follower.differences()).toEqual([]);
    expect(await watches()).toBeGreaterThan(0);
  });

  it('replaces a watch that has gone silent without a word, and without listing again', async () => {
    const follower = await followed({ idleTimeoutMs: 300 });
    const frozen = await inject({ type: 'freeze', at: 'body', verb: 'watch', count: 1 });
    await change();
    expect(await follower.differences()).toEqual([]);
    expect([await frozen.struck(), follower.errors]).toEqual([1, []]);
    expect(follower.events.filter(({ type }) => type === 'synced')).toHaveLength(1);
  });

  it.each<RemoteFaultInit>([
    { type: 'cut', at: 'body', verb: 'watch', count: 1 },
    { type: 'cut', at: 'line', verb: 'watch', count: 1 },
    { type: 'cut', at: 'body', how: 'end', verb: 'watch', count: 1 },
    { type: 'truncate', afterBytes: 40, verb: 'watch', count: 1 },
    { type: 'endWatch', count: 1 },
  ])('misses nothing over a watch with %j', async (fault) => {
    const follower = await followed();
    const injected = await inject(fault);
    await change();
    expect(await follower.differences()).toEqual([]);
    expect(await injected.struck()).toBe(1);
  });

  it.each<readonly [number, InformerErrorCode]>([
    [410, 'ERR_WATCH_EXPIRED'],
    [429, 'ERR_WATCH'],
    [500, 'ERR_WATCH'],
    [504, 'ERR_WATCH'],
  ])('misses nothing over a watch that ends with an ERROR event of %d, and reports %s', async (errorCode, code) => {
    const follower = await followed();
    const injected = await inject({ type: 'endWatch', errorCode, count: 1 });
    await change();
    await follower.fails(code);
    expect(await follower.differences()).toEqual([]);
    expect(await injected.struck()).toBe(1);
  });

  it.each<readonly [RemoteFaultInit, InformerErrorCode]>([
    [{ type: 'cut', at: 'headers', verb: 'watch', count: 3 }, 'ERR_WATCH_START'],
    [{ type: 'answer', code: 410, verb: 'watch', count: 1 }, 'ERR_WATCH_EXPIRED'],
    [{ type: 'answer', code: 429, retryAfterSeconds: 1, verb: 'watch', count: 1 }, 'ERR_WATCH_START'],
    [{ type: 'answer', code: 404, verb: 'watch', count: 1 }, 'ERR_NOT_SERVED'],
    [{ type: 'answer', code: 502, body: '<html>Bad Gateway</html>', contentType: 'text/html', verb: 'watch', count: 1 }, 'ERR_WATCH_START'],
    [{ type: 'answer', ...html, verb: 'watch', count: 1 }, 'ERR_WATCH_START'],
  ])('misses nothing when a watch cannot be opened again for %j, and reports %s', async (fault, code) => {
    const follower = await followed({ listStrategy: 'list' });
    const injected = await inject(fault);
    await control.act('end-watches');
    await follower.fails(code);
    await change();
    expect(await follower.differences()).toEqual([]);
    await follower.reaches(({ state }) => state === 'watching');
    expect(await injected.struck()).toBe(fault.count);
  });

  it.each<readonly [RemoteFaultInit, InformerErrorCode]>([
    [{ type: 'answer', code: 410, count: 2 }, 'ERR_LIST'],
    [{ type: 'answer', code: 429, retryAfterSeconds: 1, count: 1 }, 'ERR_LIST'],
    [{ type: 'answer', code: 429, body: 'Too many requests, please try again later.', count: 1 }, 'ERR_LIST'],
    [{ type: 'answer', code: 404, count: 2 }, 'ERR_NOT_SERVED'],
    [{ type: 'answer', code: 500, count: 2 }, 'ERR_LIST'],
    [{ type: 'answer', code: 504, count: 2 }, 'ERR_LIST'],
  ])('gets through a first list with %j, and reports %s', async (fault, code) => {
    const injected = await inject({ ...fault, verb: 'list' });
    const follower = follow({ listStrategy: 'list' });
    expect(await follower.differences()).toEqual([]);
    expect(await injected.struck()).toBe(fault.count);
    expect(new Set(follower.errors)).toEqual(new Set([code]));
    expect(follower.events.map(({ type }) => type)).toEqual(['added', 'added', 'added', 'synced']);
  });

  it('misses nothing when every connection is cut, again and again', async () => {
    const follower = await followed();
    for (let round = 0; round < 5; round += 1) {
      await control.act('cut-connections').catch(() => undefined);
      await create(`round-${String(round)}`).catch(() => create(`round-${String(round)}`));
    }
    await change();
    expect(await follower.differences()).toEqual([]);
  });

  it.each(strategies)('gets through a list that breaks off, again and again (%s)', async (listStrategy) => {
    const verb = listStrategy === 'list' ? 'list' : 'watch';
    const cut = await inject({ type: 'cut', at: listStrategy === 'list' ? 'body' : 'line', verb, count: 2 });
    const truncated = await inject({ type: 'truncate', afterBytes: 200, verb, count: 2 });
    const follower = follow({ listStrategy });
    expect(await follower.differences()).toEqual([]);
    expect([await cut.struck(), await truncated.struck()]).toEqual([2, 2]);
    expect(follower.events.map(({ type }) => type)).toEqual(['added', 'added', 'added', 'synced']);
  });

  it.each(strategies)('takes an answer of another content for a failure (%s)', async (listStrategy) => {
    const welcome = await inject({ type: 'answer', ...html, verb: listStrategy === 'list' ? 'list' : 'watch' });
    const follower = follow({ listStrategy });
    await follower.reaches(({ state }) => state === 'retrying');
    expect(follower.events).toEqual([]);
    await welcome.remove();
    expect(await follower.differences()).toEqual([]);
  });

  it.each(strategies)('understands bytes that come slowly and in odd pieces (%s)', async (listStrategy) => {
    for (let number = 0; number < 20; number += 1) await create(`slow-${String(number)}`, { text: 'ü€𝄞'.repeat(5) });
    const list = await inject({ type: 'drip', bytes: 61, everyMs: 1, verb: 'list' });
    const watch = await inject({ type: 'drip', bytes: 61, everyMs: 1, verb: 'watch' });
    const follower = follow({ listStrategy });
    expect(await follower.differences()).toEqual([]);
    await change();
    expect(await follower.differences()).toEqual([]);
    expect(await (listStrategy === 'list' ? list : watch).struck()).toBe(1);
    expect(follower.errors).toEqual([]);
  });

  it.each(strategies)('waits until it is allowed to (%s)', async (listStrategy) => {
    const refusal = await inject({ type: 'answer', code: 403, resource: 'configmaps' });
    const follower = follow({ listStrategy });
    await follower.reaches(({ state, attempt }) => state === 'retrying' && attempt === 2);
    expect([follower.informer.hasSynced(), follower.events]).toEqual([false, []]);
    await refusal.remove();
    expect(await follower.differences()).toEqual([]);
  });

  it('keeps what it has while it is not allowed to', async () => {
    const follower = await followed();
    const refusal = await inject({ type: 'answer', code: 403, resource: 'configmaps' });
    await control.act('end-watches');
    await follower.reaches(({ state, attempt }) => state === 'retrying' && attempt === 2);
    await change();
    expect(follower.informer.lister.list()).toHaveLength(3);
    await refusal.remove();
    expect(await follower.differences()).toEqual([]);
  });

  it('lists again when the history is gone', async () => {
    const follower = await followed();
    const unreachable = await inject({ type: 'cut', at: 'headers', verb: 'watch' });
    await inject({ type: 'cut', at: 'body', verb: 'watch', atOnce: true, count: 1 });
    await follower.fails('ERR_WATCH_START');
    await change();
    await control.act('expire');
    await unreachable.remove();
    expect(await follower.differences()).toEqual([]);
    expect(follower.errors).toContain('ERR_WATCH_EXPIRED');
    expect(follower.events.filter(({ type }) => type === 'deleted')).toMatchObject([{ key: `${namespace}/c`, inferred: true }]);
  });

  it('follows a server that was set back to an older version', async () => {
    const follower = await followed({ idleTimeoutMs: 200 });
    const { id = '' } = await control.act('snapshot');
    await create('lost', { written: 'first' });
    await create('changed', { written: 'first' });
    expect(await follower.differences()).toEqual([]);
    await control.act('restore', { id });
    await create('changed', { written: 'again' });
    expect(await follower.differences()).toEqual([]);
    expect(follower.informer.lister.namespace(namespace).getOrThrow('changed').data).toEqual({ written: 'again' });
  });

  it('follows a server that was set back and has overtaken it since, by listing again from time to time', async () => {
    const follower = await followed({ relistPeriodMs: 300 });
    const { id = '' } = await control.act('snapshot');
    await create('lost');
    expect(await follower.differences()).toEqual([]);
    await control.act('restore', { id });
    for (const name of ['d', 'e', 'f']) await create(name);
    expect(await follower.differences()).toEqual([]);
  });
});

interface Widget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

describe('an informer of a custom resource', () => {
  let server: ServerProcess;
  let client: KubeClient;
  const namespace = 'default';
  const widgets = customResource<Widget>({
    group: 'example.com',
    version: 'v1',
    plural: 'widgets',
    kind: 'Widget',
    namespaced: true,
  });
  const definition = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced' as const,
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  const definitions = resources.apiextensions.v1.customresourcedefinitions;

  beforeAll(async () => {
    server = await startServerProcess('--control');
    client = createClient({ server: server.url });
  });
  afterAll(async () => {
    client.close();
    await server.end();
  });

  it('waits until it is defined, and again when it is defined anew', async () => {
    const follower = new Follower(createInformer(client, widgets, { namespace, backoff }), { truth: client, resource: widgets, namespace });
    const create = (name: string): Promise<unknown> =>
      client.create(widgets, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } }, { namespace });
    await follower.fails('ERR_NOT_SERVED');
    await client.create(definitions, definition);
    await create('first');
    expect(await follower.differences()).toEqual([]);

    await client.delete(definitions, 'widgets.example.com');
    await follower.reaches(({ state }) => state === 'retrying');
    await client.create(definitions, definition);
    await create('second');
    expect(await follower.differences()).toEqual([]);
    await follower.informer.stop();
  });
});

describe('an informer whose token is renewed', () => {
  let server: ServerProcess;
  let control: ServerControl;
  let truth: KubeClient;
  const namespace = 'default';

  beforeAll(async () => {
    server = await startServerProcess('--control', '--token', 'of-the-spec');
    control = serverControl(server.url, 'of-the-spec');
    truth = createClient({ server: server.url, token: 'of-the-spec' });
  });
  afterAll(async () => {
    truth.close();
    await server.end();
  });

  const follow = (client: KubeClient): Follower<V1ConfigMap> =>
    new Follower(createInformer(client, configMaps, { namespace, backoff }), { truth, resource: configMaps, namespace });

  it('asks for another one as soon as its own is refused, and notices nothing', async () => {
    await control.act('add-token', { token: 'old', user: 'informer' });
    const given: string[] = [];
    const coming = ['old'];
    const token = (): string => {
      const [next = 'new'] = coming;
      if (coming.length > 0 && given.includes('revoked')) coming.shift();
      given.push(next);
      return next;
    };
    const client = createClient({ server: server.url, token, userAgent });
    const follower = follow(client);
    await follower.reaches(({ state }) => state === 'watching');
    await control.act('add-token', { token: 'new', user: 'informer' });
    await control.act('revoke-token', { token: 'old' });
    given.push('revoked');
    await control.act('end-watches');
    await truth.create(configMaps, { metadata: { name: 'after', namespace } });
    expect(await follower.differences()).toEqual([]);
    const refused = (await control.requests()).filter((request) => request.userAgent === userAgent && request.code === 401);
    expect(refused).toHaveLength(1);
    expect(given.slice(given.indexOf('revoked'), given.indexOf('revoked') + 3)).toEqual(['revoked', 'old', 'new']);
    expect(follower.errors).not.toContain('ERR_AUTH');
    await follower.informer.stop();
    client.close();
  });

  it('says so while its token is refused, and goes on with the next', async () => {
    let token = 'first';
    await control.act('add-token', { token, user: 'informer' });
    const client = createClient({ server: server.url, token: () => token });
    const follower = follow(client);
    await follower.reaches(({ state }) => state === 'watching');
    await control.act('revoke-token', { token });
    await control.act('end-watches');
    await follower.fails('ERR_AUTH');
    expect(JSON.stringify(follower.informer.health())).not.toContain('first');
    await truth.create(configMaps, { metadata: { name: 'meanwhile', namespace } });
    await control.act('add-token', { token: 'second', user: 'informer' });
    token = 'second';
    expect(await follower.differences()).toEqual([]);
    await follower.informer.stop();
    client.close();
  });
});
