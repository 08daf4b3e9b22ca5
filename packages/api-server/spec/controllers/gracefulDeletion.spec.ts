import { describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import { createApiServer } from '../../src/createApiServer.js';
import { sliceMs } from '../../src/read/yieldNow.js';
import { send } from '../support/httpClient.js';

const pods = '/api/v1/namespaces/default/pods';

describe('finishGracefulDeletions', () => {
  it('lets others have their turn where the grace periods of many pods end at once', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const server = await createApiServer({ clock });
    const names = ['a', 'b', 'c', 'd'];
    server.objects.put(
      names.map((name) => ({
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
        spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
      })),
    );
    await send(server, pods, { method: 'DELETE' });
    const turns: string[] = [];
    server.cluster.store.onChange((_, { type, object }) => {
      turns.push(`${type} ${object.name}`);
      // Each takes as long as a turn may.
      const until = performance.now() + sliceMs;
      while (performance.now() < until);
    });
    const other = (): void => {
      turns.push('other');
      if (turns.filter((turn) => turn !== 'other').length < names.length) setImmediate(other);
    };
    setImmediate(other);
    clock.advanceBy(30_000);
    while (turns.filter((turn) => turn !== 'other').length < names.length) await new Promise(setImmediate);
    expect(turns.filter((turn) => turn !== 'other')).toEqual(names.map((name) => `DELETED ${name}`));
    for (let at = 1; at < turns.length; at += 1) expect([turns[at - 1], turns[at]]).toContain('other');
    await server.close();
  });
});

describe('expireEvents', () => {
  it('removes an event an hour after its last write', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const server = await createApiServer({ clock });
    const path = '/api/v1/namespaces/default/events';
    const write = (name: string): Promise<unknown> =>
      send(server, path, { method: 'POST', body: { metadata: { name }, involvedObject: { namespace: 'default' } } });
    await write('once');
    await write('twice');
    clock.advanceBy(1_800_000);
    await send(server, `${path}/twice`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { message: 'again' },
    });
    clock.advanceBy(1_800_000);
    await write('later');
    const { items } = (await send(server, path)).json;
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['later', 'twice']);
    await server.close();
  });

  it('removes restored ones an hour after that', async () => {
    const clock = createManualClock(Date.UTC(2026, 0, 1));
    const server = await createApiServer({ clock });
    const event = (name: string): object => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: { namespace: 'default' },
    });
    const names = (): readonly unknown[] => server.objects.list({ apiVersion: 'v1', kind: 'Event' }).map(({ metadata }) => metadata?.name);
    server.objects.put([event('a')]);
    const copy = server.snapshot();
    server.reset();
    clock.advanceBy(3_000_000);
    server.restore(copy);
    clock.advanceBy(3_599_999);
    server.objects.put([event('b')]);
    expect(names()).toEqual(['a', 'b']);
    clock.advanceBy(1);
    server.objects.put([event('c')]);
    expect(names()).toEqual(['b', 'c']);
    await server.close();
  });
});
