import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Collection, namesOf, sayOf, versionOf } from '../support/collection.js';
import { openCompactable } from '../support/openCompactable.js';
import { openTarget, type Target } from '../support/target.js';
import { brief } from '../support/watchReader.js';

const label = (value: string): Readonly<Record<string, string>> => ({ 'watch-this-configmap': value });
const selecting = (values: string): string => `labelSelector=${encodeURIComponent(`watch-this-configmap in (${values})`)}`;
const patienceMs = 120_000;

/** The conformance cases of watches and of chunks, test/e2e/apimachinery of Kubernetes. */
describe('e2e', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());
  const configMaps = async (): Promise<Collection> => new Collection(target, `/api/v1/namespaces/${await target.namespace()}/configmaps`);

  it('Watchers: should observe add, update, and delete watch notifications on configmaps', async () => {
    const all = await configMaps();
    const version = await all.version();
    const queries = ['A', 'B', 'A,B'].map((values) => `resourceVersion=${version}&${selecting(values)}`);
    const [a, b, both] = await Promise.all(queries.map((query) => all.watch(query)));
    await all.create('of-a', label('A'));
    await target.merge(`${all.path}/of-a`, { data: { mutation: '1' } });
    await target.merge(`${all.path}/of-a`, { data: { mutation: '2' } });
    await all.delete('of-a');
    await all.create('of-b', label('B'));
    await all.delete('of-b');
    const ofA = ['ADDED of-a', 'MODIFIED of-a', 'MODIFIED of-a', 'DELETED of-a'];
    const ofB = ['ADDED of-b', 'DELETED of-b'];
    const seen = await Promise.all(
      (
        [
          [a, 4],
          [b, 2],
          [both, 6],
        ] as const
      ).map(async ([watch, count]) => ((await watch?.take(count)) ?? []).map(({ type, object }) => `${type} ${object.metadata.name}`)),
    );
    expect(seen).toEqual([ofA, ofB, [...ofA, ...ofB]]);
    for (const watch of [a, b, both]) watch?.close();
  });

  it('Watchers: should be able to start watching from a specific resource version', async () => {
    const all = await configMaps();
    await all.create('a', label('A'));
    const first = await all.label('a', { n: '1' });
    const second = await all.label('a', { n: '2' });
    await all.delete('a');
    const watch = await all.watch(`resourceVersion=${versionOf(first)}&${selecting('A')}`);
    const [modified, deleted] = await watch.take(2);
    expect([modified && brief(modified), deleted?.type]).toEqual([sayOf('MODIFIED', second), 'DELETED']);
    watch.close();
  });

  it('Watchers: should be able to restart watching from the last resource version observed by the previous watch', async () => {
    const all = await configMaps();
    const first = await all.watch(`resourceVersion=${await all.version()}&${selecting('A')}`);
    await all.create('a', label('A'));
    await all.label('a', { n: '1' });
    const last = (await first.take(2))[1];
    first.close();
    const now = await all.label('a', { n: '2' });
    await all.delete('a');
    const second = await all.watch(`resourceVersion=${(last && versionOf(last.object)) ?? ''}&${selecting('A')}`);
    const [modified, deleted] = await second.take(2);
    expect([modified && brief(modified), deleted?.type]).toEqual([sayOf('MODIFIED', now), 'DELETED']);
    second.close();
  });

  it('Watchers: should observe an object deletion if it stops meeting the requirements of the selector', async () => {
    const all = await configMaps();
    const watch = await all.watch(`resourceVersion=${await all.version()}&${selecting('A')}`);
    await all.create('a', label('A'));
    await all.label('a', { n: '1' });
    await all.label('a', label('B'));
    await all.label('a', { n: '2' });
    await all.label('a', label('A'));
    await all.label('a', { n: '3' });
    await all.delete('a');
    expect((await watch.take(6)).map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'MODIFIED', 'DELETED']);
    watch.close();
  });

  it('Watchers: should receive events on concurrent watches in same order', async () => {
    const all = await configMaps();
    let version = await all.version();
    const writing = (async () => {
      for (let at = 0; at < 60; at += 1) {
        await all.create(`c${String(at)}`);
        if (at % 3 === 0) await all.label(`c${String(at)}`, { n: '1' });
        if (at % 4 === 0) await all.delete(`c${String(at)}`);
      }
    })();
    const watches = [await all.watch(`resourceVersion=${version}`)];
    for (let at = 0; at < 8; at += 1) {
      const event = await watches[0]?.next();
      version = event === undefined ? version : versionOf(event.object);
      watches.push(await all.watch(`resourceVersion=${version}`));
    }
    await writing;
    const last = await all.create('last');
    await Promise.all(watches.map((watch) => watch.next(({ object }) => versionOf(object) === versionOf(last))));
    const orders = watches.map(({ events }) => events.map(brief));
    for (const order of orders) expect(order).toEqual(orders[0]?.slice(-order.length));
    for (const watch of watches) watch.close();
  });

  it('Servers with support for API chunking: should return chunks of results for list calls', async () => {
    const all = await Collection.of(target);
    for (let at = 0; at < 40; at += 1) await all.create(`t${String(at).padStart(2, '0')}`);
    const names: string[] = [];
    let page = await all.list('limit=7');
    const { resourceVersion } = page.metadata;
    for (;;) {
      names.push(...namesOf(page));
      expect(versionOf(page)).toBe(resourceVersion);
      const { continue: token, remainingItemCount } = page.metadata;
      if (token === undefined) break;
      expect(remainingItemCount).toBe(40 - names.length);
      page = await all.list(`limit=7&continue=${token}`);
    }
    expect(names).toEqual(Array.from({ length: 40 }, (_, at) => `t${String(at).padStart(2, '0')}`));
  });

  it(
    'Servers with support for API chunking: should continue listing from the last key if the original version has been compacted away, though the list is inconsistent',
    async () => {
      const { target: own, compact, close } = await openCompactable();
      const all = await Collection.of(own);
      for (const name of ['a', 'b', 'c', 'd', 'e']) await all.create(name);
      const first = await all.list('limit=2');
      await all.create('f');
      await compact();
      const expired = await all.answer(`limit=2&continue=${first.metadata.continue ?? ''}`);
      expect([expired.code, expired.json.reason]).toEqual([410, 'Expired']);
      const second = await all.list(`limit=2&continue=${expired.json.metadata.continue ?? ''}`);
      expect(namesOf(second)).toEqual(['c', 'd']);
      const third = await all.list(`limit=2&continue=${second.metadata.continue ?? ''}`);
      expect([namesOf(third), versionOf(third)]).toEqual([['e', 'f'], versionOf(second)]);
      await close();
    },
    patienceMs,
  );
});
