import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defer, EMPTY, merge, NEVER, Subject } from 'rxjs';
import { type InformerFigures, registry } from 'rx-informer/internal';
import { customResource, type KubernetesObject, resources } from 'rx-informer';
import type { Controller } from '../../src/manager/controllerContext.js';
import { createManager, type Manager } from '../../src/manager/createManager.js';
import type { ManagerOptions } from '../../src/manager/managerOptions.js';
import { select } from '../../src/manager/select.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { derive } from '@rx-informer/views';

const { configmaps, secrets, serviceaccounts } = resources.core.v1;
const { leases } = resources.coordination.v1;
const inDefault = { namespace: 'default' };
const unserved = customResource<KubernetesObject>({ group: 'example.com', version: 'v1', plural: 'sites', kind: 'Site', namespaced: true });

describe('a running manager', () => {
  let server: TestApiServer;
  const managers: Manager[] = [];

  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(async () => {
    await Promise.all(managers.splice(0).map((manager) => manager.stop()));
    await server.close();
  });

  const make = (options: Partial<ManagerOptions> = {}): Manager => {
    const logger = { info: () => undefined, error: () => undefined };
    const manager = createManager({ client: server.client, process: false, logger, ...options });
    managers.push(manager);
    return manager;
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };
  const running = (manager: Manager): Promise<void> => until(() => manager.health().state === 'running');
  const watched = (): string[] =>
    registry()
      .all()
      .flatMap((each) => {
        const figures = each.figures();
        return figures.kind === 'informer' && figures.state === 'watching' ? [(figures as InformerFigures).resource] : [];
      })
      .sort();
  const create = (name: string) => server.client.create(configmaps, { metadata: { name, ...inDefault } });

  describe('and its controllers', () => {
    const reading =
      (calls: string[], resource: typeof configmaps | typeof secrets | typeof serviceaccounts | typeof unserved): Controller =>
      ({ name, informer, reconcile }) => {
        const kept = informer<object>(resource, inDefault);
        return reconcile({
          sources: { kept: kept.resource$ },
          reconcile: ({ key }) => {
            calls.push(`${name} ${key}`);
            return EMPTY;
          },
        });
      };

    it('adds one with its informers, and stops the informers that only a removed one has used', async () => {
      const manager = make();
      const calls: string[] = [];
      manager.add('first', reading(calls, configmaps));
      const ended = manager.run();
      await running(manager);
      manager.add('second', (context) => {
        context.informer(secrets, inDefault);
        return reading(calls, configmaps)(context);
      });
      const wrong = (() => undefined) as unknown as Controller;
      expect(() => manager.add('wrong', wrong)).toThrow(/Expected the controller `wrong` to return an Observable/);
      await expect(manager.remove('wrong')).rejects.toThrow('There is no controller named wrong');
      expect(() => manager.add('second', () => NEVER)).toThrow('A controller named second exists already');
      await create('a');
      await until(() => calls.length === 2);
      expect([calls.sort(), watched()]).toEqual([
        ['first default/a', 'second default/a'],
        ['configmaps', 'secrets'],
      ]);
      await manager.remove('second');
      expect(watched()).toEqual(['configmaps']);
      await create('b');
      await until(() => calls.includes('first default/b'));
      expect(calls).not.toContain('second default/b');
      manager.add('second', reading(calls, serviceaccounts));
      await until(() => watched().includes('serviceaccounts'));
      await manager.stop();
      expect(await ended).toEqual({ error: undefined });
      expect(() => manager.add('late', () => NEVER)).toThrow('Cannot add the controller late: the manager is stopping');
      await expect(manager.remove('none')).rejects.toThrow('There is no controller named none');
    });

    it('lets the work of a removed one end, and begins none', async () => {
      const manager = make();
      const hold = new Subject<void>();
      const keys = new Subject<string>();
      const calls: string[] = [];
      manager.add('slow', ({ reconcile }) =>
        reconcile({
          sources: { keys },
          concurrent: 2,
          reconcile: ({ key }) => {
            calls.push(key);
            return hold;
          },
        }),
      );
      void manager.run();
      await running(manager);
      keys.next('a');
      let isRemoved = false;
      const removed = manager.remove('slow').then(() => (isRemoved = true));
      keys.next('b');
      await new Promise((resolve) => setImmediate(resolve));
      expect([calls, isRemoved]).toEqual([['a'], false]);
      hold.complete();
      await removed;
      expect(manager.health()).toMatchObject({ state: 'running' });
    });

    it.each([
      ['at once', 0],
      ['while it waits for its caches', 1],
    ])('calls one that is added after `run`, %s, once, and lets it work', async (_, turns) => {
      await create('a');
      const manager = make();
      const calls: string[] = [];
      manager.add('first', reading(calls, configmaps));
      void manager.run();
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(manager.health().state).toBe('starting');
      let called = 0;
      manager.add('second', (context) => {
        called += 1;
        return reading(calls, configmaps)(context);
      });
      await until(() => calls.length === 2);
      expect([called, calls.sort()]).toEqual([1, ['first default/a', 'second default/a']]);
    });

    it.each(['starting', 'running'])('goes on when one whose kind does not exist is removed, while it is %s', async (state) => {
      const manager = make();
      const calls: string[] = [];
      const add = (): void => manager.add('early', reading(calls, unserved));
      manager.add('first', reading(calls, configmaps));
      if (state === 'starting') add();
      void manager.run();
      if (state === 'running') {
        await running(manager);
        add();
      }
      await until(() =>
        registry()
          .all()
          .map((each) => each.figures() as InformerFigures)
          .some((figures) => figures.resource === 'sites.example.com' && figures.state === 'retrying'),
      );
      // Another one does not wait for that kind.
      if (state === 'running') manager.add('second', reading(calls, configmaps));
      await create('a');
      if (state === 'running') await until(() => calls.length === 2);
      await manager.remove('early');
      await until(() => calls.includes('first default/a'));
      expect(manager.health().state).toBe('running');
    });

    it('does not call one again that is being removed when this process leads anew', async () => {
      const lease = { namespace: 'default', name: 'lease' };
      const manager = make({ leaderElection: { lease, retryPeriodMs: 20 }, drainMs: 300 });
      const hold = new Promise<void>(() => undefined);
      let called = 0;
      let begun = 0;
      manager.add('slow', ({ reconcile }) => {
        called += 1;
        return reconcile({ sources: [['key'], NEVER], reconcile: () => ((begun += 1), hold) });
      });
      let terms = 0;
      manager.add('other', () => defer(() => ((terms += 1), NEVER)));
      void manager.run();
      await until(() => begun === 1);
      const removed = manager.remove('slow');
      // Without a version: the holder renews the lease every 20 ms, so replacing a version read before would be refused.
      await server.client.patch(leases, 'lease', 'merge', { spec: { holderIdentity: '' } }, inDefault);
      await until(() => terms === 2);
      await removed;
      expect([called, begun]).toEqual([1, 1]);
    });

    it('gives one that is added while another one is being removed informers that work', async () => {
      for (let turns = 0; turns < 15; turns += 1) {
        const manager = make();
        const calls: string[] = [];
        manager.add('first', (context) => {
          context.informer(secrets, inDefault);
          return reading(calls, configmaps)(context);
        });
        void manager.run();
        await running(manager);
        const removed = manager.remove('first');
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        manager.add('second', reading(calls, configmaps));
        await removed;
        await create(`a-${String(turns)}`);
        await until(() => calls.includes(`second default/a-${String(turns)}`));
        expect(manager.health().state).toBe('running');
        await manager.stop();
      }
    });

    it('refuses a name while the controller of that name is being removed', async () => {
      const manager = make();
      const calls: string[] = [];
      manager.add('first', reading(calls, configmaps));
      void manager.run();
      await running(manager);
      const removed = manager.remove('first');
      expect(() => manager.add('first', reading(calls, configmaps))).toThrow('The controller first is still being removed');
      await removed;
      manager.add('first', reading(calls, configmaps));
      await create('a');
      await until(() => calls.length === 1);
    });

    it('lets the work of a removed one of a shard end, and begins none', async () => {
      const manager = make({ shards: { namespace: 'default', name: 'group', retryPeriodMs: 20 } });
      const calls: string[] = [];
      const sharded: Controller = ({ name, shard }) =>
        shard.reconcile({
          primary: shard.informer<object>(configmaps, inDefault),
          reconcile: ({ key }) => {
            calls.push(`${name} ${key}`);
            return EMPTY;
          },
        });
      manager.add('first', sharded);
      manager.add('second', sharded);
      void manager.run();
      await create('a');
      await until(() => calls.length === 2);
      await manager.remove('first');
      await create('b');
      await until(() => calls.length === 3);
      expect(calls[2]).toBe('second default/b');
    });

    it('cuts the work of a removed one after `drainMs`', async () => {
      const manager = make({ drainMs: 10 });
      let isCut = false;
      manager.add('deaf', () => NEVER);
      manager.add('loop', ({ reconcile }) =>
        reconcile({
          sources: [['a']],
          reconcile: ({ signal }) =>
            new Promise<void>((resolve) => {
              signal.addEventListener('abort', () => {
                isCut = true;
                resolve();
              });
            }),
        }),
      );
      void manager.run();
      await running(manager);
      await Promise.all([manager.remove('loop'), manager.remove('deaf')]);
      expect([isCut, manager.health().state]).toEqual([true, 'running']);
    });

    it('lets a shared informer go with its last user, and makes it anew', async () => {
      const manager = make();
      const uses: Controller = ({ informer, share, stop$ }) => {
        for (const name of ['maps', 'settings']) share(name, () => informer(configmaps, inDefault));
        return stop$;
      };
      manager.add('one', uses);
      manager.add('other', uses);
      void manager.run();
      await running(manager);
      await manager.remove('one');
      expect(watched()).toEqual(['configmaps']);
      await manager.remove('other');
      expect(watched()).toEqual([]);
      manager.add('one', uses);
      await until(() => watched().length === 1);
      await manager.remove('one');
      expect(watched()).toEqual([]);
      await manager.stop();
    });

    it('keeps what a shared value is made of, as long as somebody uses that', async () => {
      const manager = make();
      const keep =
        (makes: boolean): Controller =>
        ({ informer, share, stop$ }) => {
          const maps = makes ? informer(configmaps, inDefault) : undefined;
          share('names', () =>
            derive(maps as NonNullable<typeof maps>, ({ metadata }) => metadata?.name ?? '', { name: 'names' }),
          ).change$.subscribe();
          return stop$;
        };
      manager.add('maker', keep(true));
      manager.add('reader', keep(false));
      const ended = manager.run();
      await running(manager);
      await manager.remove('maker');
      expect(watched()).toEqual(['configmaps']);
      await manager.remove('reader');
      expect(watched()).toEqual([]);
      await manager.stop();
      expect(await ended).toEqual({ error: undefined });
    });
  });

  it('triggers the owners of `owns`, and keeps their children, across namespaces too', async () => {
    await server.client.create(resources.core.v1.namespaces, { metadata: { name: 'far' } });
    const manager = make();
    const secret = (name: string, namespace: string) => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } });
    manager.add('site', ({ informer, reconcile, children }) => {
      // That of `for`: another one learns of an object in its own time.
      const maps = informer(configmaps);
      return reconcile({
        for: configmaps,
        owns: [secrets],
        across: 'example.com/site',
        reconcile: async ({ key, signal }) => {
          const map = maps.lister.get(key);
          if (map?.data?.['site'] === undefined) return;
          await children(map, [secret('near', 'default'), secret('far', 'far')], { signal });
        },
      });
    });
    void manager.run();
    await running(manager);
    await server.client.create(configmaps, { metadata: { name: 'site', ...inDefault }, data: { site: 'yes' } });
    const found = async (namespace: string): Promise<boolean> => (await server.client.list(secrets, { namespace })).items.length > 0;
    const settle = async (isSo: () => Promise<boolean>): Promise<void> => {
      while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve));
    };
    await settle(async () => (await found('far')) && (await found('default')));
    // What was deleted comes again, since its deletion triggers the parent.
    for (const [name, namespace] of [
      ['near', 'default'],
      ['far', 'far'],
    ] as const) {
      const { uid } = (await server.client.get(secrets, name, { namespace })).metadata ?? {};
      await server.client.delete(secrets, name, { namespace });
      await settle(async () => (await server.client.list(secrets, { namespace })).items.some(({ metadata }) => metadata?.uid !== uid));
    }
    await server.client.delete(configmaps, 'site', inDefault);
    await settle(async () => !(await found('far')));
    await settle(async () => (await server.client.list(configmaps, inDefault)).items.length === 0);
    expect(() => manager.add('wrong', ({ reconcile }) => reconcile({ owns: [secrets], reconcile: () => EMPTY }))).toThrow(
      'Expected `for` of `reconcile` beside `owns` and `across`, got undefined',
    );
  });

  it('keeps the children of each kind that a controller reconciles', async () => {
    const manager = make();
    const failures: unknown[] = [];
    const child = (kind: string, apiVersion: string, namespace: string) => ({ apiVersion, kind, metadata: { name: 'child', namespace } });
    manager.add('both', ({ informer, reconcile, children }) => {
      // Those of `for`: others learn of an object in their own time.
      const [maps, accounts] = [informer(configmaps), informer(serviceaccounts)];
      const makes = (parents: typeof maps | typeof accounts, desired: KubernetesObject) => async (request: { readonly key: string }) => {
        const parent = parents.lister.get(request.key) as KubernetesObject | undefined;
        if (parent?.metadata?.name !== 'site') return;
        await children(parent, [desired]).catch((error: unknown) => void failures.push(error));
      };
      const secret = makes(maps, child('Secret', 'v1', 'kube-system'));
      const lease = makes(accounts, child('Lease', 'coordination.k8s.io/v1', 'default'));
      return merge(
        reconcile({ for: configmaps, owns: [secrets], across: 'example.com/site', reconcile: secret }),
        reconcile({ for: serviceaccounts, owns: [leases], reconcile: lease }),
      );
    });
    void manager.run();
    await create('site');
    await server.client.create(serviceaccounts, { metadata: { name: 'site', ...inDefault } });
    const isThere = async (resource: typeof secrets | typeof leases, namespace: string): Promise<boolean> =>
      (await server.client.list<KubernetesObject>(resource, { namespace })).items.some(({ metadata }) => metadata?.name === 'child');
    while (failures.length === 0 && !((await isThere(secrets, 'kube-system')) && (await isThere(leases, 'default'))))
      await new Promise((resolve) => setImmediate(resolve));
    expect(failures).toEqual([]);
  });

  it('reconciles a kind that owns its own kind, each object and each owner', async () => {
    const folder = await create('folder');
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'folder', uid: folder.metadata?.uid ?? '', controller: true };
    await server.client.create(configmaps, { metadata: { name: 'file', ...inDefault, ownerReferences: [owner] } });
    const manager = make();
    const seen = new Set<string>();
    manager.add('folders', ({ reconcile }) =>
      reconcile({
        for: configmaps,
        owns: [configmaps],
        reconcile: ({ key, reasons }) => {
          for (const { source, objectKey } of reasons) seen.add(`${source}: ${objectKey} needs ${key}`);
          return EMPTY;
        },
      }),
    );
    void manager.run();
    await until(() => seen.size === 3);
    expect([...seen].sort()).toEqual([
      'configmaps owned: default/file needs default/folder',
      'configmaps: default/file needs default/file',
      'configmaps: default/folder needs default/folder',
    ]);
  });

  it.each(['configmaps', 'secrets'])('refuses a further source with the name of another, %s', async (name) => {
    const manager = make();
    manager.add('wrong', ({ reconcile }) =>
      reconcile({ for: configmaps, owns: [secrets], sources: { [name]: NEVER }, reconcile: () => EMPTY }),
    );
    expect((await manager.run()).error?.message).toBe(
      `Expected a name in \`sources\` other than those of \`for\` and \`owns\` (configmaps, secrets), got "${name}"`,
    );
  });

  it('holds of each kind what was selected for it', async () => {
    await server.client.create(configmaps, { metadata: { name: 'in', labels: { app: 'web' }, ...inDefault }, data: { a: 'b' } });
    await create('out');
    await server.client.create(secrets, { metadata: { name: 's', ...inDefault }, data: { key: 'dmFsdWU=' } });
    const manager = make({
      selections: [
        select(configmaps, { labelSelector: 'app=web' }),
        select(secrets, { namespace: 'default', transform: ({ data: _, ...secret }) => secret }),
      ],
    });
    const held: unknown[] = [];
    manager.add('reader', ({ informer, stop$ }) => {
      const [maps, kept] = [informer(configmaps, inDefault), informer(secrets)];
      void Promise.all([maps.whenSynced(), kept.whenSynced()]).then(() => held.push(maps.lister.list(), kept.lister.list()));
      return stop$;
    });
    void manager.run();
    await running(manager);
    await until(() => held.length === 2);
    expect(held).toMatchObject([[{ metadata: { name: 'in' }, data: { a: 'b' } }], [{ metadata: { name: 's' } }]]);
    expect(held[1]).not.toMatchObject([{ data: expect.anything() }]);
  });

  it('lets a controller narrow what was selected, and not ask for more', async () => {
    const labelled = (name: string, labels: Readonly<Record<string, string>>) =>
      server.client.create(configmaps, { metadata: { name, labels, ...inDefault } });
    await Promise.all([labelled('both', { app: 'web', tier: 'a' }), labelled('app', { app: 'web' }), labelled('tier', { tier: 'a' })]);
    const all = { namespace: ['default', 'far'], labelSelector: 'app=web', fieldSelector: 'metadata.name!=app' };
    const manager = make({ selections: [select(configmaps, all)] });
    const held: unknown[] = [];
    manager.add('reader', ({ informer, stop$ }) => {
      const own = [{ labelSelector: { tier: 'a' } }, { ...inDefault, fieldSelector: 'metadata.name!=none' }, {}];
      const informers = own.map((selection) => informer<KubernetesObject>(configmaps, selection));
      void Promise.all(informers.map((one) => one.whenSynced())).then(() => {
        for (const { lister } of informers) held.push(lister.list().map(({ metadata }) => metadata?.name));
      });
      expect(() => informer(configmaps, { namespace: ['default', 'other'] })).toThrow(
        'Expected a namespace of those that are selected (default, far), got "other"',
      );
      return stop$;
    });
    void manager.run();
    await until(() => held.length === 3);
    expect(held).toEqual([['both'], ['both'], ['both']]);
  });

  it.each(['', ['']])('lets a controller choose a namespace where all are selected by %j', async (namespace) => {
    await create('in');
    const manager = make({ selections: [select(configmaps, { namespace })] });
    const held: unknown[] = [];
    manager.add('reader', ({ informer, stop$ }) => {
      const own = informer(configmaps, inDefault);
      void own.whenSynced().then(() => held.push(...own.lister.list().map(({ metadata }) => metadata?.name)));
      return stop$;
    });
    void manager.run();
    await until(() => held.length === 1 || manager.health().state === 'stopped');
    expect(held).toEqual(['in']);
  });

  describe('and its port', () => {
    const get = async (manager: Manager, path: string): Promise<[number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${String(manager.port())}${path}`);
      return [answer.status, await answer.text()];
    };

    it('answers own checks and paths', async () => {
      let isDown = true;
      const manager = make({
        port: 0,
        host: '127.0.0.1',
        healthz: { disk: () => undefined },
        readyz: {
          database: () => (isDown ? Promise.reject(new Error('connection refused')) : Promise.resolve('anything')),
        },
        paths: {
          '/version': (_, response) => response.end('1.2.3'),
          '/broken': () => {
            throw new Error('no');
          },
        },
      });
      manager.add('idle', ({ stop$ }) => stop$);
      void manager.run();
      await running(manager);
      expect(await get(manager, '/healthz')).toEqual([200, '[+] leader election\n[+] disk\nok\n']);
      expect(await get(manager, '/readyz')).toEqual([503, '[+] manager\n[-] database: connection refused\nfailed\n']);
      expect(manager.health().checks).toContainEqual({ name: 'database', problem: 'connection refused' });
      isDown = false;
      expect((await get(manager, '/readyz'))[0]).toBe(200);
      expect(await get(manager, '/version')).toEqual([200, '1.2.3']);
      expect(await get(manager, '/broken')).toEqual([500, 'Error: no\n']);
      expect(await get(manager, '/none')).toEqual([404, 'Nothing is here; there are /healthz, /readyz, /version, /broken\n']);
    });

    it('refuses what is no check, and a path that it answers itself', () => {
      expect(() => make({ readyz: { database: true as never } })).toThrow(/Expected `readyz` of `createManager` to be functions by name/);
      expect(() => make({ paths: { '/readyz': () => undefined } })).toThrow(/Expected `paths` of `createManager` to be functions by path/);
      expect(() => make({ selections: [{} as never] })).toThrow(/Expected `selections` of `createManager`/);
    });
  });
});
