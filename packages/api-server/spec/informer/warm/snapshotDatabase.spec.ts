import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom, from, lastValueFrom, map, toArray, VirtualTimeScheduler } from 'rxjs';
import { createInformer, type ResourceInformerOptions, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { warmStart } from 'rx-informer/pipeline';
import { database } from '../../../../../src/informer/warm/snapshotDatabase.js';
import { snapshotDatabase } from 'rx-informer/browser';
import { startApiServer, type TestApiServer } from '../../../src/startApiServer.js';

const { configmaps } = resources.core.v1;
const none = { defaultValue: undefined };
let server: TestApiServer;

beforeEach(async () => {
  server = await startApiServer();
});

afterEach(async () => {
  await snapshotDatabase('ada').clear();
  await server.close();
});

function put(name: string, value = name): void {
  const configMap: V1ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { value } };
  server.objects.put(configMap);
}

function make(options: ResourceInformerOptions<V1ConfigMap> = {}): SharedInformer<V1ConfigMap> {
  return createInformer(server.client, configmaps, {
    ...{ logger: { warn: () => undefined }, namespace: 'default', parts: [warmStart(snapshotDatabase('ada'))] },
    ...options,
  });
}

async function run(options?: ResourceInformerOptions<V1ConfigMap>): Promise<void> {
  const informer = make(options);
  await informer.whenSynced();
  await informer.stop();
  await informer.stopped;
}

const valuesOf = (informer: SharedInformer<V1ConfigMap>): string[] =>
  informer.lister
    .list()
    .map(({ data }) => data?.['value'] ?? '')
    .sort();

/** The content of an informer in the state `restored`, and after it has synced. */
async function shown(
  informer: SharedInformer<V1ConfigMap>,
  until?: Promise<unknown>,
): Promise<{ restored: string[] | undefined; synced: string[] }> {
  let restored: string[] | undefined;
  const following = informer.health$.subscribe(({ state }) => {
    if (state === 'restored') restored = valuesOf(informer);
  });
  await informer.whenSynced();
  await until;
  following.unsubscribe();
  const synced = valuesOf(informer);
  await informer.stop();
  await informer.stopped;
  return { restored, synced };
}

describe('snapshotDatabase', () => {
  it('shows what was saved, marked as restored, and then what has changed, without a list', async () => {
    put('a');
    put('b');
    await run();
    put('a', 'changed');
    server.activity.clear();
    // After a warm start, the cache is verified at a random time within ten seconds.
    const informer = make({ random: () => 0.999 });
    const changed = firstValueFrom(informer.index$.pipe(filter((index) => index.get('default/a')?.data?.['value'] === 'changed')), none);
    expect((await shown(informer, changed)).restored).toEqual(['a', 'b']);
    // One object, to learn the version.
    expect(server.activity.requests.filter(({ verb }) => verb === 'list').map(({ query }) => query)).toEqual(['limit=1']);
  });

  it('reports what is of something else, and lists', async () => {
    put('a');
    await run();
    const informer = make({ labelSelector: 'app=web' });
    const failed = firstValueFrom(informer.error$, none);
    expect(await shown(informer)).toEqual({ restored: undefined, synced: [] });
    expect((await failed)?.message).toContain('of another server, resource or selection');
  });

  it('reports that the browser has no more room, keeps what was saved, and goes on', async () => {
    put('a');
    await run();
    const { IDBObjectStore: stores } = globalThis as unknown as { readonly IDBObjectStore: { readonly prototype: { put: () => unknown } } };
    const full = jest.spyOn(stores.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
    });
    try {
      const informer = make({ parts: [warmStart(snapshotDatabase('ada'), { saveEveryMs: 1_000 })] });
      const failed = firstValueFrom(informer.error$, none);
      await informer.whenSynced();
      put('b');
      expect(await failed).toMatchObject({ code: 'ERR_SNAPSHOT', cause: { name: 'QuotaExceededError' } });
      expect((await failed)?.message).toMatch(/cannot be saved: .*The quota has been exceeded/);
      put('c');
      await firstValueFrom(informer.index$.pipe(filter((index) => index.size === 3)), none);
      expect(await database.get('ada')).toMatchObject({ scopes: [{ keys: ['default/a'] }] });
      await informer.stop();
    } finally {
      full.mockRestore();
    }
  });

  it('is stopped in time without room for its last state, says so, and keeps what was saved', async () => {
    put('a');
    await run();
    const { IDBObjectStore: stores } = globalThis as unknown as { readonly IDBObjectStore: { readonly prototype: { put: () => unknown } } };
    const warnings: string[] = [];
    const informer = make({
      logger: { warn: (message: string) => void warnings.push(message) },
      parts: [warmStart(snapshotDatabase('ada'), { saveEveryMs: Infinity })],
    });
    const errors: unknown[] = [];
    informer.error$.subscribe((error) => errors.push(error));
    await informer.whenSynced();
    put('b');
    await firstValueFrom(informer.index$.pipe(filter((index) => index.size === 2)), none);
    const full = jest.spyOn(stores.prototype, 'put').mockImplementation(() => {
      throw new DOMException('The quota has been exceeded', 'QuotaExceededError');
    });
    try {
      await informer.stop();
      await informer.stopped;
      expect(warnings).toEqual([expect.stringContaining('The snapshot of configmaps cannot be saved: QuotaExceededError')]);
      // It has completed before.
      expect(errors).toEqual([]);
    } finally {
      full.mockRestore();
    }
    expect(await database.get('ada')).toMatchObject({ scopes: [{ keys: ['default/a'] }] });
  });

  it('shows nothing that is too old, and removes it', async () => {
    put('a');
    await run();
    const saved = (await database.get('ada')) as { readonly savedAt: number };
    await database.put('ada', { ...saved, savedAt: saved.savedAt - 1_001 });
    const store = snapshotDatabase('ada', { maxAgeMs: 1_000 });
    expect((await shown(make({ parts: [warmStart(store)] }))).restored).toBeUndefined();
    await database.remove('ada');
    await run({ parts: [warmStart(store, { saveEveryMs: Infinity })] });
    expect(await database.get('ada')).toMatchObject({ format: 1, scopes: [{ scope: 'default', keys: ['default/a'] }] });
  });

  it('has nothing after it was cleared', async () => {
    put('a');
    await run();
    await snapshotDatabase('ada').clear();
    expect((await shown(make())).restored).toBeUndefined();
  });

  it('reads many objects in parts, and single ones at once', async () => {
    const store = snapshotDatabase('ada');
    const objects = Array.from({ length: 250 }, (_, at) => [`default/${at}`, { at }] as const);
    await lastValueFrom(from(store.save({ identity: 'x', scopes: new Map([['', { resourceVersion: '7', objects }]]) })), none);
    const saved = await firstValueFrom(from(store.open('x')), none);
    const utf8 = new TextDecoder();
    const parts = await lastValueFrom(
      from(saved?.readAll('') ?? []).pipe(
        map((bytes) => utf8.decode(bytes)),
        toArray(),
      ),
      { defaultValue: [] },
    );
    expect(parts).toHaveLength(3);
    expect(JSON.parse(`[${parts.join(',')}]`)).toEqual(objects.map(([, object]) => object));
    expect(utf8.decode(saved?.read('default/9'))).toBe('{"at":9}');
    saved?.close();
    expect([saved?.read('default/9'), saved?.keys()]).toEqual([undefined, []]);
  });

  it.each([{ name: '' }, { name: undefined }])('refuses $name as a name', ({ name }) => {
    expect(() => snapshotDatabase(name as string)).toThrow(TypeError);
  });

  it('gives up a database that does not answer, and closes it when it does', async () => {
    const scheduler = new VirtualTimeScheduler();
    const close = jest.fn();
    const request: { result: object; onsuccess?: () => void } = { result: { close } };
    const { indexedDB } = globalThis as unknown as { readonly indexedDB: { readonly open: () => object } };
    const open = jest.spyOn(indexedDB, 'open').mockReturnValue(request);
    const reading = database.get('ada', scheduler);
    scheduler.flush();
    await expect(reading).rejects.toThrow('IndexedDB has not answered for 5000 ms');
    request.onsuccess?.();
    expect([close.mock.calls.length, scheduler.now()]).toEqual([1, 5_000]);
    open.mockRestore();
  });
});
