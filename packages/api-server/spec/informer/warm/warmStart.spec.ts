import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  filter,
  firstValueFrom,
  from,
  lastValueFrom,
  map,
  NEVER,
  type Observable,
  of,
  type SchedulerLike,
  Subject,
  take,
  timer,
  toArray,
} from 'rxjs';
import { createInformer, type ResourceInformerOptions, resources, type SharedInformer, type V1ConfigMap } from 'rx-informer';
import { warmStart, type SavedSnapshot, type SnapshotStore } from 'rx-informer/pipeline';
import { snapshotFile } from '@rx-informer/controller/manager';
import { monotonicScheduler } from '../../../../../src/rx/schedulerOf.js';
import { startApiServer, type TestApiServer } from '../../../src/startApiServer.js';

const none = { defaultValue: undefined };
const quiet = { logger: { warn: () => undefined } };

describe('warmStart', () => {
  let server: TestApiServer;
  let folder: string;
  let path: string;
  const informers: SharedInformer<V1ConfigMap>[] = [];

  beforeEach(async () => {
    server = await startApiServer();
    folder = await mkdtemp(join(tmpdir(), 'rx-informer-warm-'));
    path = join(folder, 'configmaps');
  });

  afterEach(async () => {
    for (const informer of informers.splice(0)) {
      await informer.stop();
      await informer.stopped;
    }
    await server.close();
    await rm(folder, { recursive: true });
  });

  const put = (name: string, value = name, namespace = 'default'): void => {
    const configMap: V1ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { value } };
    server.objects.put(configMap);
  };
  const make = (options: ResourceInformerOptions<V1ConfigMap> = {}): SharedInformer<V1ConfigMap> => {
    const informer = createInformer(server.client, resources.core.v1.configmaps, {
      ...quiet,
      parts: [warmStart(snapshotFile(path))],
      ...options,
    });
    informers.push(informer);
    return informer;
  };
  /** Resolves when this many watches are in the log: the server logs a watch when it notices its end. */
  const whenEnded = (watches: number): Promise<unknown> =>
    firstValueFrom(timer(0, 1).pipe(filter(() => server.activity.requests.filter(({ verb }) => verb === 'watch').length >= watches)), none);
  const firstRun = async (options: ResourceInformerOptions<V1ConfigMap> = {}): Promise<void> => {
    server.activity.clear();
    const informer = make(options);
    await informer.whenSynced();
    await informer.stop();
    await informer.stopped;
    await whenEnded(Array.isArray(options.namespace) ? options.namespace.length : 1);
  };
  const whenState = (informer: SharedInformer<V1ConfigMap>, state: string): Promise<unknown> =>
    firstValueFrom(informer.health$.pipe(filter((health) => health.state === state)), none);
  const values = (informer: SharedInformer<V1ConfigMap>): string[] =>
    informer.lister
      .list()
      .map(({ data }) => data?.['value'] ?? '')
      .sort();
  /** Ends an informer, and returns its lists since the log was cleared, without version checks. */
  const listsOf = async (informer: SharedInformer<V1ConfigMap>): Promise<readonly string[]> => {
    await informer.stop();
    await whenEnded(1);
    const requests = server.activity.requests.filter(
      ({ verb, query }) => (verb === 'list' && !query.includes('limit=1')) || query.includes('sendInitialEvents'),
    );
    return requests.map(({ verb, query }) => `${verb} ${query}`);
  };

  it('reads what was saved before the server has answered, says so, and tells nobody', async () => {
    for (const name of ['a', 'b']) put(name);
    await firstRun();
    await server.close();
    const informer = make();
    const told: string[] = [];
    informer.resource$.subscribe(({ type }) => told.push(type));
    await whenState(informer, 'restored');
    expect(informer.lister.get('default/a')).toMatchObject({ kind: 'ConfigMap', data: { value: 'a' } });
    expect(Object.isFrozen(informer.lister.get('default/a')?.data)).toBe(true);
    expect(values(informer)).toEqual(['a', 'b']);
    expect(informer.indexer.byIndex('namespace', 'default')).toHaveLength(2);
    expect(() => informer.indexer.byIndex('none', '')).toThrow('none');
    expect([informer.hasSynced(), informer.health().state, told]).toEqual([false, 'restored', []]);
  });

  it('reads what was saved by an index that is added meanwhile', async () => {
    put('a');
    await firstRun();
    await server.close();
    const informer = make();
    informer.start();
    await whenState(informer, 'restored');
    expect(values(informer)).toEqual(['a']);
    informer.addIndexers({ value: ({ data }) => [data?.['value'] ?? ''] });
    expect(informer.indexer.byIndex('value', 'a')).toHaveLength(1);
  });

  it('freezes nothing of what was saved with `freeze: false`', async () => {
    put('a');
    await firstRun();
    await server.close();
    const informer = make({ freeze: false });
    informer.start();
    await whenState(informer, 'restored');
    expect(Object.isFrozen(informer.lister.get('default/a'))).toBe(false);
  });

  it('says how long ago what is read was saved', async () => {
    put('a');
    await firstRun();
    const hours = 3 * 3_600_000;
    const clock: SchedulerLike = {
      now: () => monotonicScheduler.now() + hours,
      schedule: monotonicScheduler.schedule.bind(monotonicScheduler),
    };
    await server.close();
    const informer = make({ scheduler: clock });
    informer.start();
    await whenState(informer, 'restored');
    expect(Math.floor((informer.health().staleMs ?? 0) / hours)).toBe(1);
  });

  it('goes on from the saved version by a watch, without a list, and has missed nothing', async () => {
    for (const name of ['a', 'gone']) put(name);
    await firstRun();
    put('a', 'changed');
    put('new');
    await server.client.delete(resources.core.v1.configmaps, 'gone', { namespace: 'default' });
    server.activity.clear();
    const informer = make();
    informer.start();
    const told = firstValueFrom(
      informer.resource$.pipe(
        map((event) => (event.type === 'synced' ? 'synced' : `${event.type} ${event.key}`)),
        take(6),
        toArray(),
      ),
      none,
    );
    await expect(told).resolves.toEqual([
      'added default/a',
      'added default/gone',
      'synced',
      'updated default/a',
      'added default/new',
      'deleted default/gone',
    ]);
    await informer.whenSynced();
    expect(values(informer)).toEqual(['changed', 'new']);
    await expect(listsOf(informer)).resolves.toEqual([]);
  });

  it('lists once, in one step, where the server does not have the version any more', async () => {
    for (const name of ['a', 'gone']) put(name);
    await firstRun();
    await server.client.delete(resources.core.v1.configmaps, 'gone', { namespace: 'default' });
    put('new');
    server.faults.expire();
    const informer = make();
    const told = firstValueFrom(informer.change$.pipe(map(({ cause, events }) => [cause, events.map(({ key }) => key).sort()])), none);
    await expect(told).resolves.toEqual(['list', ['default/a', 'default/new']]);
    await informer.whenSynced();
    expect(values(informer)).toEqual(['a', 'new']);
  });

  it('lists where the server has gone back behind the saved version', async () => {
    put('a');
    const backup = server.snapshot();
    put('b');
    await firstRun();
    server.restore(backup);
    const informer = make();
    const told = firstValueFrom(informer.change$.pipe(map(({ cause, events }) => [cause, events.map(({ key }) => key)])), none);
    await expect(told).resolves.toEqual(['list', ['default/a']]);
  });

  it('saves a content that is another one at the version it has saved', async () => {
    const saved: string[][] = [];
    const store: SnapshotStore = {
      open: () => of(undefined),
      save: ({ scopes }) => {
        saved.push([...scopes.values()].flatMap(({ objects }) => [...objects].map(([key]) => key)));
        return of(undefined);
      },
    };
    const informer = make({ parts: [warmStart(store)] });
    const session = async (): Promise<void> => {
      await firstValueFrom(informer.change$, none);
      await firstValueFrom(timer(0, 1).pipe(filter(() => saved.length === sessions)), none);
    };
    let sessions = 1;
    put('a');
    const backup = server.snapshot();
    put('b');
    await session();
    server.restore(backup);
    put('c');
    sessions = 2;
    await session();
    expect(saved).toEqual([
      ['default/a', 'default/b'],
      ['default/a', 'default/c'],
    ]);
  });

  it('closes a snapshot that its store opens when the informer has stopped', async () => {
    const opening = new Subject<SavedSnapshot>();
    let closed = 0;
    const informer = make({ parts: [warmStart({ open: () => opening, save: () => of(undefined) })] });
    informer.start();
    await firstValueFrom(timer(0, 1).pipe(filter(() => opening.observed)), none);
    await informer.stop();
    opening.next({
      savedAt: 0,
      resourceVersions: new Map(),
      keys: () => [],
      read: () => undefined,
      readAll: () => of(),
      close: () => (closed += 1),
    });
    expect(closed).toBe(1);
  });

  it('does not use what is of another selection, or is not what was written, and says so', async () => {
    for (const name of ['a', 'b']) put(name);
    await firstRun();
    const errors: string[] = [];
    const other = make({ labelSelector: 'app=web' });
    other.error$.subscribe(({ code, message }) => errors.push(`${code} ${message.replace(folder, '')}`));
    await other.whenSynced();
    expect(errors).toEqual([
      'ERR_SNAPSHOT The snapshot of configmaps cannot be used: /configmaps: it is of another server, resource or selection',
    ]);
    await firstRun();
    const bytes = await readFile(path);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    await writeFile(path, bytes);
    const damaged = make();
    const codes: string[] = [];
    damaged.error$.subscribe(({ code }) => codes.push(code));
    await damaged.whenSynced();
    expect(codes).toEqual(['ERR_SNAPSHOT']);
    expect(values(damaged)).toEqual(['a', 'b']);
  });

  describe('with a damaged object among many', () => {
    const names = ['a', 'b', 'c', 'd'];
    /** More than one read takes. */
    const large = (name: string): string => name + 'x'.repeat(400_000);
    const damage = async (name: string): Promise<void> => {
      const bytes = await readFile(path);
      const at = bytes.indexOf(large(name)) + 1000;
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(path, bytes);
    };
    const codesOf = (informer: SharedInformer<V1ConfigMap>): string[] => {
      const codes: string[] = [];
      informer.error$.subscribe(({ code }) => codes.push(code));
      return codes;
    };

    it('has everything of the other namespaces, too', async () => {
      const namespace = ['default', 'kube-system'];
      for (const each of namespace) for (const name of names) put(name, large(`${each}-${name}`), each);
      await firstRun({ namespace });
      await damage('default-a');
      const informer = make({ namespace });
      const codes = codesOf(informer);
      await informer.whenSynced();
      expect(values(informer).map((value) => value.replaceAll('x', ''))).toEqual(
        namespace.flatMap((each) => names.map((name) => `${each}-${name}`)),
      );
      expect(new Set(codes)).toEqual(new Set(['ERR_SNAPSHOT']));
    });

    it('has everything when it is read before the others have been', async () => {
      for (const name of names) put(name, large(name));
      await firstRun();
      await damage('d');
      const informer = make();
      const codes = codesOf(informer);
      informer.start();
      await whenState(informer, 'restored');
      expect(informer.lister.get('default/d')).toBeUndefined();
      await informer.whenSynced();
      expect(values(informer).map((value) => value.replaceAll('x', ''))).toEqual(names);
      expect(new Set(codes)).toEqual(new Set(['ERR_SNAPSHOT']));
    });
  });

  it('keeps several namespaces by their own versions', async () => {
    put('a');
    put('b', 'b', 'kube-system');
    const namespace = ['default', 'kube-system'];
    await firstRun({ namespace });
    put('c', 'c', 'kube-system');
    server.activity.clear();
    const informer = make({ namespace });
    await informer.whenSynced();
    await firstValueFrom(informer.index$.pipe(filter((index) => index.has('kube-system/c'))), none);
    expect(values(informer)).toEqual(['a', 'b', 'c']);
    await expect(listsOf(informer)).resolves.toEqual([]);
  });

  it('reads what an event says of a namespace that is live, and what was saved of one that is not yet', async () => {
    put('a', '1', 'one');
    put('b', '1', 'one');
    put('c', '1', 'two');
    const namespace = ['one', 'two'];
    await firstRun({ namespace });
    put('a', '2', 'one');
    await server.client.delete(resources.core.v1.configmaps, 'b', { namespace: 'one' });
    const file = snapshotFile(path);
    /** Of one namespace, it is never read to the end. */
    const slow = (saved: SavedSnapshot | undefined): SavedSnapshot | undefined =>
      saved && {
        ...{ savedAt: saved.savedAt, resourceVersions: saved.resourceVersions, keys: () => saved.keys() },
        ...{ read: (key) => saved.read(key), close: () => saved.close() },
        readAll: (scope) => (scope === 'two' ? NEVER : saved.readAll(scope)),
      };
    const store: SnapshotStore = { ...file, open: (identity) => from(file.open(identity)).pipe(map(slow)) };
    const informer = make({ namespace, parts: [warmStart(store)] });
    const seen: unknown[] = [];
    informer.resource$.subscribe((event) => {
      if (event.type !== 'synced' && event.type !== 'deleted') seen.push(informer.lister.get(event.key) === event.object);
    });
    await firstValueFrom(informer.resource$.pipe(filter(({ type }) => type === 'deleted')), none);
    expect([informer.health().state, seen, values(informer)]).toEqual(['restored', [true, true, true], ['1', '2']]);
    expect(informer.indexer.listKeys().sort()).toEqual(['one/a', 'two/c']);
    put('d', '3', 'one');
    await firstValueFrom(informer.resource$.pipe(filter((event) => event.type === 'added' && event.key === 'one/d')), none);
    expect(informer.lister.namespace('one').list()).toHaveLength(2);
  });

  it('writes a file that only its owner can read, and leaves nothing beside it', async () => {
    put('a');
    await firstRun();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await expect(readdir(folder)).resolves.toEqual(['configmaps']);
  });

  it('takes away what a run that was killed while it saved has left, and nothing else', async () => {
    put('a');
    const others = ['configmaps.bak', 'configmaps.tmp', 'other.0123456789ab.tmp', 'configmaps.0123456789ab.tmp.old'];
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [...others, 'configmaps.0123456789ab.tmp', 'configmaps.ffffffffffff.tmp']) {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), anHourAgo, anHourAgo);
    }
    // Another run is writing it.
    await writeFile(join(folder, 'configmaps.aaaaaaaaaaaa.tmp'), 'x');
    await firstRun();
    expect((await readdir(folder)).sort()).toEqual(['configmaps', 'configmaps.aaaaaaaaaaaa.tmp', ...others].sort());
  });

  it('takes away at once what a process of this host that is gone has left, and nothing of one that runs', async () => {
    put('a');
    const nameOf = (pid: number, number: string): string => `configmaps.${crc32(hostname()).toString(16)}-${pid}-${number}.tmp`;
    // The highest id of a process is below that on every system; the parent of this process runs.
    const [gone, own, running] = [
      nameOf(2 ** 30, '0123456789ab'),
      nameOf(process.pid, 'aaaaaaaaaaaa'),
      nameOf(process.ppid, 'bbbbbbbbbbbb'),
    ];
    for (const name of [gone, own, running]) await writeFile(join(folder, name), 'x');
    await firstRun();
    expect((await readdir(folder)).sort()).toEqual(['configmaps', running].sort());
  });

  it('is saved when `stop` has resolved', async () => {
    put('a');
    const informer = make();
    await informer.whenSynced();
    await informer.stop();
    expect(await readdir(folder)).toEqual(['configmaps']);
  });

  it('is saved when `stop` has resolved in a handler that waits for it, too', async () => {
    put('a');
    const informer = make();
    const saved = new Promise<readonly string[]>((resolve) => {
      const onAdd = async (): Promise<void> => {
        await informer.whenSynced();
        await informer.stop();
        resolve(await readdir(folder));
      };
      informer.addEventHandler({ onAdd });
    });
    informer.start();
    expect(await saved).toEqual(['configmaps']);
    await informer.stopped;
  });

  it('tells the store which objects were restored, and caches these', async () => {
    for (const name of ['a', 'b', 'c']) put(name);
    await firstRun();
    const restored: unknown[] = [];
    const file = snapshotFile(path);
    const open = (identity: string): Observable<SavedSnapshot | undefined> =>
      from(file.open(identity)).pipe(
        map((saved) => saved && Object.assign(saved, { restored: (_: string, objects: readonly object[]) => restored.push(...objects) })),
      );
    const informer = make({ parts: [warmStart({ ...file, open })] });
    await informer.whenSynced();
    expect(restored).toHaveLength(3);
    for (const name of ['a', 'b', 'c']) expect(restored).toContain(informer.lister.get(`default/${name}`));
  });

  it('saves an object that is nested deeper than the stack, and everything beside it', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const objects = [['d/deep', JSON.parse(deep) as object] as const, ['d/flat', { flat: true }] as const];
    const store = snapshotFile(path);
    await lastValueFrom(from(store.save({ identity: 'x', scopes: new Map([['', { resourceVersion: '1', objects }]]) })), none);
    const saved = await lastValueFrom(from(store.open('x')), none);
    const texts = ['d/deep', 'd/flat'].map((key) => new TextDecoder().decode(saved?.read(key)));
    saved?.close();
    expect(texts).toEqual([deep, '{"flat":true}']);
  });

  it('does not take Secrets unless asked to, nor what it could not restore', () => {
    const secrets = (more: object = {}) =>
      createInformer(server.client, resources.core.v1.secrets, { parts: [warmStart(snapshotFile(path), more)] });
    expect(() => secrets()).toThrow('Secrets would be written down; `secrets: true` allows it');
    expect(() => secrets({ secrets: true })).not.toThrow();
    expect(() => make({ transform: (object) => object })).toThrow('transform');
    expect(() => warmStart(snapshotFile(path), { safeEveryMs: 5000 } as never)).toThrow('saveEveryMs');
    expect(() => snapshotFile('')).toThrow('non-empty');
  });
});
