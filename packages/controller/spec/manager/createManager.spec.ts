import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  firstValueFrom,
  NEVER,
  type Observable,
  of,
  skip,
  Subject,
  throwError,
  VirtualTimeScheduler,
} from 'rxjs';
import { type KubeClient, resources, type V1ConfigMap } from 'rx-informer';
import { LeaderElectionError } from '../../src/leader/leaderElectionError.js';
import { leases } from '../../src/leader/leaseRecord.js';
import { createManager, type Manager } from '../../src/manager/createManager.js';
import type { Controller, ControllerContext } from '../../src/manager/controllerContext.js';
import type { ManagedProcess, ManagerOptions } from '../../src/manager/managerOptions.js';
import type { ManagerResult } from '../../src/manager/managerRun.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';
import { advanceBy } from 'rx-informer/testing';

const { configmaps, secrets } = resources.core.v1;
const inDefault = { namespace: 'default' };
const lease = { ...inDefault, name: 'manager' };
const quick = { lease, leaseDurationMs: 30_000, renewDeadlineMs: 20_000, retryPeriodMs: 20 };

/** Counts tenths of seconds until it is asked. One in which the machine stalls counts once, however long it takes. */
function tenths(): () => number {
  let count = 0;
  const timer = setInterval(() => (count += 1), 100);
  return () => {
    clearInterval(timer);
    return count;
  };
}

/** A process that only logs the calls. */
class FakeProcess implements ManagedProcess {
  exitCode: number | undefined;
  readonly exits: number[] = [];
  private readonly listeners = new Map<string, (value: unknown) => void>();

  on(event: string, listener: (value: unknown) => void): void {
    this.listeners.set(event, listener);
  }

  off(event: string): void {
    this.listeners.delete(event);
  }

  exit(code: number): void {
    this.exits.push(code);
  }

  emit(event: string, value?: unknown): void {
    this.listeners.get(event)?.(value);
  }

  listening(): string[] {
    return [...this.listeners.keys()];
  }
}

describe('createManager', () => {
  let server: TestApiServer;
  let client: KubeClient;
  let lines: string[];
  let line$: Subject<string>;
  const managers: Manager[] = [];

  beforeEach(async () => {
    server = await startApiServer();
    ({ client } = server);
    lines = [];
    line$ = new Subject();
  });
  afterEach(async () => {
    await Promise.all(managers.splice(0).map((manager) => manager.stop()));
    await server.close();
  });

  const make = (options: Partial<ManagerOptions> = {}): Manager => {
    const note = (line: string): void => {
      lines.push(line);
      line$.next(line);
    };
    const manager = createManager({ client, process: false, logger: { info: note, error: note }, ...options });
    managers.push(manager);
    return manager;
  };
  /** The first line with a text, among those that have been and those to come. */
  const said = (text: string): Promise<string> =>
    firstValueFrom(defer(() => concat(lines, line$)).pipe(filter((line) => line.includes(text))), { defaultValue: '' });
  const create = (name: string): Promise<V1ConfigMap> => client.create(configmaps, { metadata: { name, ...inDefault } });
  const changed = (name: string, key: string): Promise<unknown> =>
    new Promise((resolve) => {
      const look = async (): Promise<void> => {
        const { data = {} } = await client.get(configmaps, name, inDefault);
        if (data[key] === undefined) setImmediate(() => void look());
        else resolve(data[key]);
      };
      void look();
    });

  /** Writes its name into every config map. */
  const writer =
    (by: string): Controller =>
    (context) => {
      const maps = context.informer(configmaps, inDefault);
      return context.reconcile({
        sources: { maps: maps.resource$ },
        reconcile: async ({ key }) => {
          const map = maps.indexer.getByKey(key);
          const { name = '' } = map?.metadata ?? {};
          if (map === undefined || map.data?.['by'] !== undefined) return {};
          await context.client.patch(configmaps, name, 'merge', { data: { by } }, inDefault);
          return {};
        },
      });
    };

  it('runs controllers on complete informers, and ends cleanly', async () => {
    const manager = make();
    manager.add('writer', writer('me'));
    const ended = manager.run();
    await create('a');
    expect(await changed('a', 'by')).toBe('me');
    await manager.stop();
    expect(await ended).toEqual({ error: undefined });
    expect(lines).toEqual(['caches are complete', 'stopping: it was stopped', 'stopped']);
  });

  it('starts nothing if it was stopped before its run', async () => {
    const controller = jest.fn(() => NEVER);
    const manager = make({ port: 0, host: '127.0.0.1' });
    manager.add('idle', controller);
    await manager.stop();
    expect(await manager.run()).toEqual({ error: undefined });
    expect(controller).not.toHaveBeenCalled();
    expect(lines).toEqual(['stopping: it was stopped', 'stopped']);
  });

  it('ends cleanly, and says its lines on the console, when its logger throws', async () => {
    const info = jest.spyOn(console, 'info').mockImplementation(() => undefined);
    const broken = (): never => {
      throw new Error('broken');
    };
    const manager = make({ logger: { info: broken, error: broken }, leaderElection: quick });
    manager.add('idle', () => NEVER);
    const ended = manager.run();
    await manager.stop();
    expect(await ended).toEqual({ error: undefined });
    expect(info.mock.calls.flat()).toEqual(['stopping: it was stopped', 'stopped']);
    info.mockRestore();
  });

  it('hears of the failures of its informers by its logger', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    server.faults.inject({ type: 'answer', code: 403, resource: 'configmaps', verb: ['list', 'watch'], count: 2 });
    const manager = make();
    manager.add('writer', writer('me'));
    const ended = manager.run();
    expect(await said('ERR_')).toContain('rx-informer: configmaps');
    await manager.stop();
    await ended;
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('shares one informer between all who ask for the same, and what controllers share', async () => {
    const asked: unknown[] = [];
    const made: string[] = [];
    const own = { name: 'own', hasSynced: () => true, whenSynced: () => Promise.resolve() };
    const manager = make();
    const ask: Controller = ({ informer, share, stop$ }) => {
      asked.push(
        informer(configmaps, inDefault),
        informer(configmaps),
        share('own', () => (made.push('own'), own)),
      );
      return stop$;
    };
    manager.add('one', ask);
    manager.add('other', ask);
    void manager.run();
    await said('caches are complete');
    expect(asked[0]).toBe(asked[3]);
    expect(asked[1]).toBe(asked[4]);
    expect(asked[0]).not.toBe(asked[1]);
    expect(asked[2]).toBe(asked[5]);
    expect(made).toEqual(['own']);
  });

  it('shows controllers their own writes before the watch brings them', async () => {
    await create('a');
    const manager = make();
    let written = 0;
    const calls = new Subject<void>();
    manager.add('writer', ({ informer, client: own, reconcile }) => {
      const maps = informer(configmaps, inDefault);
      return reconcile({
        sources: { maps },
        reconcile: async ({ key, attempt }) => {
          if (!key.endsWith('/a') || attempt > 1) return {};
          if (written === 0) server.faults.inject({ type: 'freeze', at: 'body', verb: 'watch', resource: 'configmaps' });
          if (maps.lister.get(key)?.data === undefined) {
            written += 1;
            await own.patch(configmaps, 'a', 'merge', { data: { by: 'me' } }, inDefault);
          }
          expect(maps.indexer.getByKey(key)?.data).toBeUndefined();
          setImmediate(() => calls.next());
          return { requeueAfterMs: 1 };
        },
      });
    });
    void manager.run();
    await firstValueFrom(calls.pipe(skip(3)), { defaultValue: undefined });
    expect(written).toBe(1);
  });

  it('refuses a resource that was not declared', async () => {
    const manager = make({ resources: [configmaps] });
    manager.add('curious', ({ informer }) => informer(secrets).resource$);
    const { error } = await manager.run();
    expect(error?.message).toBe('Cannot watch secrets: it is not among the `resources` of the manager, which are configmaps');
  });

  it('names the informers that are not complete in time', async () => {
    server.faults.inject({ type: 'answer', code: 403, resource: 'secrets' });
    const scheduler = new VirtualTimeScheduler();
    const manager = make({ syncTimeoutMs: 300, scheduler });
    let isTime = (): boolean => false;
    manager.add('reader', ({ informer }) => {
      const [complete, refused] = [informer(configmaps), informer(secrets)];
      isTime = () => complete.hasSynced() && refused.health().state === 'retrying';
      return refused.resource$;
    });
    let result: ManagerResult | undefined;
    void manager.run().then((end) => (result = end));
    while (result === undefined) {
      if (isTime()) advanceBy(scheduler, 300);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { error } = result;
    expect(error?.message).toMatch(/^Failed to sync secrets: .*secrets/);
    expect(lines.at(-1)).toBe(`failed: ${error?.message ?? ''}`);
  });

  it('fails with the controller that has failed', async () => {
    const manager = make();
    manager.add('broken', () => throwError(() => new Error('no luck')));
    manager.add('fine', ({ stop$ }) => stop$);
    const { error } = await manager.run();
    expect(error?.message).toBe('The controller broken has failed: no luck');
  });

  it.each<[string, unknown]>([
    ['undefined', () => undefined],
    ['object', () => ({})],
  ])('says what is wrong with a controller that returns %s', async (what, controller) => {
    const manager = make();
    manager.add('odd', controller as Controller);
    const { error } = await manager.run();
    expect(error?.message).toBe(`Expected the controller \`odd\` to return an Observable, for example that of \`reconcile\`, got ${what}`);
  });

  it('logs what failed, and what was left', async () => {
    const manager = make({ drainMs: 0 });
    manager.add('loop', ({ reconcile }) =>
      reconcile({
        sources: { keys: ['a'], gone: throwError(() => new Error('gone')) },
        reconcile: () => throwError(() => new Error('no')),
      }),
    );
    void manager.run();
    await said('a failed at attempt 1');
    await manager.stop();
    expect(lines).toContain('loop: a failed at attempt 1, again in 5 ms: no');
    expect(lines).toContainEqual(
      expect.stringMatching(/^failed: The source gone of the controller loop has failed: gone\. A source ends with its first error/),
    );
    expect(lines).toContain('loop: stopped with 1 keys left: a');
  });

  describe('with leader election', () => {
    it('keeps informers of a standby complete while nothing of it works, and hands over', async () => {
      const [one, other] = [
        make({ leaderElection: { ...quick, identity: 'one' } }),
        make({ leaderElection: { ...quick, identity: 'other' } }),
      ];
      const contexts: ControllerContext[] = [];
      const noting =
        (controller: Controller): Controller =>
        (context) => {
          contexts.push(context);
          return controller(context);
        };
      one.add('writer', noting(writer('one')));
      other.add('writer', noting(writer('other')));
      void one.run();
      await said('leads as one');
      void other.run();
      await said('leader: one');
      await create('a');
      expect(await changed('a', 'by')).toBe('one');
      const [, standby] = contexts;
      await firstValueFrom(
        standby
          ?.informer(configmaps, inDefault)
          .resource$.pipe(filter((event) => event.type !== 'synced' && event.object.data !== undefined)) ?? EMPTY,
        { defaultValue: undefined },
      );
      await expect(standby?.client.get(configmaps, 'a', inDefault)).rejects.toThrow('This process does not lead: no request is sent');
      expect(standby?.leadership()).toBeUndefined();

      await one.stop();
      await said('leads as other');
      await create('b');
      expect(await changed('b', 'by')).toBe('other');
      expect(standby?.leadership()?.token).toBe(1);
    });

    /** Another program takes the lease, and gives it back. */
    const takeAway = async (): Promise<void> => {
      const held = await client.get(leases, lease.name, { namespace: lease.namespace });
      const { leaseTransitions = 0 } = held.spec ?? {};
      const holding = (holderIdentity: string): Promise<unknown> =>
        // Without a version: the holder renews the lease every 20 ms, so replacing a version read before would be refused.
        client.patch(leases, lease.name, 'merge', { spec: { holderIdentity, leaseTransitions: leaseTransitions + 1 } }, inDefault);
      await holding('somebody');
      await said('leader: somebody');
      await holding('');
    };

    it('calls a controller anew for each leadership: what was begun under one is not written under another', async () => {
      const manager = make({ leaderElection: { ...quick, identity: 'one' } });
      const tokens: (number | undefined)[] = [];
      const late: Promise<unknown>[] = [];
      const second = new Subject<void>();
      manager.add('late', ({ informer, reconcile, client: own, leadership }) => {
        const maps = informer(configmaps, inDefault);
        return reconcile({
          sources: { maps: maps.resource$ },
          reconcile: async ({ key }) => {
            tokens.push(leadership()?.token);
            if (!key.endsWith('/a')) return {};
            if (tokens.length === 1) await firstValueFrom(second, { defaultValue: undefined });
            const written = own.patch(configmaps, 'a', 'merge', { data: { by: String(leadership()?.token ?? 'none') } }, inDefault);
            late.push(written.catch((error: unknown) => error));
            await written;
            return {};
          },
        });
      });
      await create('a');
      void manager.run();
      await said('leads as one');
      while (tokens.length === 0) await new Promise((resolve) => setImmediate(resolve));
      await takeAway();
      expect(await changed('a', 'by')).toBe('2');
      second.next();
      let refused: unknown[];
      do refused = (await Promise.all(late)).filter((end) => end instanceof LeaderElectionError);
      while (refused.length === 0);
      expect(refused).toMatchObject([
        { code: 'ERR_LEADERSHIP_LOST', message: 'Leadership number 0 of one over default/manager is over: no request is sent' },
      ]);
      expect((await client.get(configmaps, 'a', inDefault)).data).toEqual({ by: '2' });
      expect(tokens.slice(0, 2)).toEqual([0, 2]);
    });

    it('ends with an error when its leadership is lost, if it is told to', async () => {
      const manager = make({ leaderElection: { ...quick, identity: 'one' }, afterLeadership: 'end' });
      manager.add('writer', writer('one'));
      const ended = manager.run();
      await said('leads as one');
      await takeAway();
      expect((await ended).error).toMatchObject({ code: 'ERR_LEADERSHIP_LOST' });
    });

    it('works for the leader and on a part of the objects in one process (FEATURES 184)', async () => {
      const { lease: _, ...timing } = quick;
      await client.create(leases, { metadata: lease, spec: { holderIdentity: 'somebody', leaseDurationSeconds: 3_600 } });
      const shards = { ...inDefault, name: 'group', identity: 'one', ...timing };
      const manager = make({ leaderElection: { ...quick, identity: 'one' }, shards });
      manager.add('whole', writer('leader'));
      manager.add('part', ({ client: own, leadership, shard }) => {
        const maps = shard.informer(configmaps, inDefault);
        return shard.reconcile({
          primary: maps,
          reconcile: async ({ key, client: bound }) => {
            if (!key.endsWith('/a')) return {};
            // The write uses neither the leader's lease nor its client.
            await own.patch(configmaps, 'a', 'merge', { data: { leads: String(leadership() !== undefined) } }, inDefault);
            await bound.patch(configmaps, 'a', 'merge', { data: { part: 'one' } }, inDefault);
            return {};
          },
        });
      });
      await create('a');
      void manager.run();
      expect(await changed('a', 'part')).toBe('one');
      const held = await client.get(leases, lease.name, { namespace: lease.namespace });
      expect((await client.get(configmaps, 'a', inDefault)).data).toEqual({ leads: 'false', part: 'one' });
      await client.replace(leases, { ...held, spec: { ...held.spec, holderIdentity: '' } });
      await said('leads as one');
      await create('b');
      expect(await changed('b', 'by')).toBe('leader');
    });

    it('is not ready while its lease cannot be had, and says why in the log', async () => {
      server.faults.inject({ type: 'answer', code: 403, resource: 'leases.coordination.k8s.io' });
      const manager = make({ port: 0, host: '127.0.0.1', staleAfterMs: 0, leaderElection: { ...quick, identity: 'one' } });
      manager.add('writer', writer('one'));
      void manager.run();
      await said('the lease default/manager');
      const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${String(manager.port())}${path}`)).text();
      let ready: string;
      do ready = await ask('/readyz');
      while (!ready.includes('[-] leader election'));
      expect(ready).toMatch(/\[-\] leader election: This program may not get the lease default\/manager: .*: leases.* is forbidden: .*\n/);
      expect(await ask('/healthz')).toContain('[+] leader election');
      expect(lines.filter((line) => /the lease default\/manager.* is forbidden: /.test(line))).not.toEqual([]);
    });

    it('gives the lease back last, when work that was under way has ended', async () => {
      const log: string[] = [];
      const begun = new Subject<void>();
      const release = new Subject<void>();
      const manager = make({ leaderElection: { ...quick, identity: 'one' } });
      manager.add('slow', ({ reconcile }) =>
        reconcile({
          sources: [NEVER as Observable<string>, ['a']],
          reconcile: async () => {
            setImmediate(() => begun.next());
            await firstValueFrom(release, { defaultValue: undefined });
            log.push(`done under ${(await client.get(leases, lease.name, { namespace: lease.namespace })).spec?.holderIdentity ?? ''}`);
            return {};
          },
        }),
      );
      void manager.run();
      await firstValueFrom(begun, { defaultValue: undefined });
      const stopped = manager.stop().then(() => log.push('stopped'));
      setImmediate(() => release.next());
      await stopped;
      expect(log).toEqual(['done under one', 'stopped']);
      expect((await client.get(leases, lease.name, { namespace: lease.namespace })).spec?.holderIdentity).toBe('');
    });

    it.each<[string, Controller]>([
      ['a call of `process`', ({ informer }) => informer(configmaps).process(() => new Promise(() => undefined))],
      ['a promise of an operator', ({ informer }) => informer(configmaps).resource$.pipe(concatMap(() => new Promise(() => undefined)))],
    ])('ends, and does not give the lease back, when work goes on that no loop has begun: %s', async (_, controller) => {
      const manager = make({ drainMs: 0, leaderElection: { ...quick, identity: 'one' } });
      manager.add('slow', controller);
      const ended = manager.run();
      await said('leads as one');
      await manager.stop();
      expect((await ended).error).toMatchObject({ code: 'ERR_DRAIN', message: 'still at work after 0 ms: slow' });
      expect((await client.get(leases, lease.name, { namespace: lease.namespace })).spec?.holderIdentity).toBe('one');
    });

    it('names calls of handlers that go on after the drain', async () => {
      await create('a');
      const manager = make({ drainMs: 0 });
      manager.add('slow', ({ informer, stop$ }) => {
        informer(configmaps).addEventHandler({ onAdd: () => new Promise(() => undefined) });
        return stop$;
      });
      const ended = manager.run();
      await said('caches are complete');
      await manager.stop();
      expect((await ended).error).toMatchObject({ code: 'ERR_DRAIN', message: 'still at work after 0 ms: calls of handlers' });
    });

    it('lets a controller work that needs no leader', async () => {
      await client.create(leases, { metadata: lease, spec: { holderIdentity: 'somebody', leaseDurationSeconds: 3_600 } });
      const manager = make({ leaderElection: { ...quick, identity: 'one' } });
      manager.add('page', writer('page'), { needsLeader: false });
      manager.add('writer', writer('leader'));
      void manager.run();
      await create('a');
      expect(await changed('a', 'by')).toBe('page');
    });
  });

  it('ends shortly after the drain while the server does not answer, and has tried to release the lease', async () => {
    const manager = make({ drainMs: 0, leaderElection: { ...quick, retryPeriodMs: 10_000 } });
    let record = (): void => undefined;
    manager.add('recording', ({ recorder, stop$ }) => {
      record = () => recorder.record({ metadata: { name: 'a', ...inDefault } }, { type: 'Normal', reason: 'Seen', note: 'a' });
      return stop$;
    });
    const ended = manager.run();
    await said('leads as');
    server.faults.inject({ type: 'freeze', at: 'headers' });
    record();
    const ticks = tenths();
    await manager.stop();
    expect(ticks()).toBeLessThan(40);
    expect((await ended).error).toBeUndefined();
    expect(lines.at(-2)).toContain('Could not get the lease default/manager');
  });

  describe('with shards', () => {
    const { lease: _, ...timing } = quick;
    const member = (identity: string): Manager => make({ shards: { ...inDefault, name: 'group', by: 'namespace', identity, ...timing } });
    /** They hash to slots all over the ring. */
    const spaces = Array.from({ length: 12 }, (_none, at) => `${String.fromCharCode(97 + 2 * at)}-space`);
    /** Writes its name into the config maps of its part, and says which they are. */
    const partWriter =
      (by: string, parts: Record<string, Set<string>>): Controller =>
      ({ shard }) => {
        const maps = shard.informer(configmaps, { labelSelector: 'part=yes' });
        return shard.reconcile({
          primary: maps,
          reconcile: async ({ key, client: own }) => {
            const { namespace = '', name = '' } = maps.indexer.getByKey(key)?.metadata ?? {};
            (parts[by] ??= new Set()).add(namespace);
            await own.patch(configmaps, name, 'merge', { data: { by } }, { namespace });
            return {};
          },
        });
      };
    const writtenBy = async (...by: readonly string[]): Promise<number> => {
      const { items } = await client.list(configmaps, { labelSelector: 'part=yes' });
      return items.filter(({ data }) => by.includes(data?.['by'] ?? '')).length;
    };
    const until = async (holds: () => Promise<boolean>): Promise<void> => {
      while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
    };

    beforeEach(async () => {
      for (const namespace of spaces) {
        await client.create(resources.core.v1.namespaces, { metadata: { name: namespace } });
        await client.create(configmaps, { metadata: { name: 'a', namespace, labels: { part: 'yes' } } });
      }
    });

    it('works on the part of this process, and hands it over when it stops', async () => {
      const parts: Record<string, Set<string>> = {};
      const [one, other] = [member('one'), member('other')];
      one.add('writer', partWriter('one', parts));
      other.add('writer', partWriter('other', parts));
      void one.run();
      await until(async () => (await writtenBy('one')) === spaces.length);
      void other.run();
      await said('shard: 64 of 128 slots, members one, other');
      await until(async () => (await writtenBy('other')) === parts['other']?.size);
      expect(await writtenBy('one', 'other')).toBe(spaces.length);
      expect(await writtenBy('other')).toBeGreaterThan(0);
      await one.stop();
      await until(async () => (await writtenBy('other')) === spaces.length);
      await other.stop();
      const { items } = await client.list(leases, { ...inDefault, labelSelector: 'rx-informer/shards=group' });
      expect(items.map(({ metadata, spec }) => [metadata?.name, spec?.holderIdentity ?? ''])).toEqual([
        ['group', ''],
        ['group.one', ''],
        ['group.other', ''],
      ]);
    });

    it('gives a key back when the work on it has ended, and stops then', async () => {
      const log: string[] = [];
      const begun = new Subject<void>();
      const release = new Subject<void>();
      const manager = member('one');
      manager.add('slow', ({ shard }) =>
        shard.reconcile({
          primary: shard.informer(configmaps, { namespace: spaces[0] }),
          reconcile: async (request) => {
            setImmediate(() => begun.next());
            await firstValueFrom(release, { defaultValue: undefined });
            log.push(`done, valid ${String(request.isValid())}, aborted ${String(request.signal.aborted)}`);
            return {};
          },
        }),
      );
      void manager.run();
      await firstValueFrom(begun, { defaultValue: undefined });
      const stopped = manager.stop().then(() => log.push('stopped'));
      setImmediate(() => release.next());
      await stopped;
      expect(log).toEqual(['done, valid true, aborted false', 'stopped']);
    });

    it.each([
      ['nothing', undefined, false],
      ['a request', 'still at work after 200 ms: patching', true],
    ])('ends shortly after the drain while the server does not answer and %s is under way', async (_what, message, patches) => {
      const begun = new Subject<void>();
      // Aborted work gets as long to end, and the manager asks in between.
      const retryPeriodMs = 1_000;
      const shards = { ...inDefault, name: 'group', by: 'namespace', identity: 'one', ...timing, retryPeriodMs } as const;
      const manager = make({ drainMs: 200, shards });
      manager.add('patching', ({ shard }) =>
        shard.reconcile({
          primary: shard.informer(configmaps, { namespace: spaces[0] }),
          reconcile: async ({ client: own }) => {
            server.faults.inject({ type: 'freeze', at: 'headers' });
            setImmediate(() => begun.next());
            if (patches) await own.patch(configmaps, 'a', 'merge', { data: {} }, { namespace: spaces[0] });
            return {};
          },
        }),
      );
      const ended = manager.run();
      await firstValueFrom(begun, { defaultValue: undefined });
      const ticks = tenths();
      await manager.stop();
      expect(ticks()).toBeLessThan(40);
      expect((await ended).error?.message).toBe(message);
    });

    it('is what a controller cannot ask for without the option', async () => {
      const manager = make();
      manager.add('writer', partWriter('one', {}));
      expect((await manager.run()).error?.message).toBe(
        'Expected the option `shards` of `createManager`, since the controller writer asks for its shard',
      );
    });
  });

  describe('and its process', () => {
    const start = async (
      controller: Controller = ({ stop$ }) => stop$,
    ): Promise<{ process: FakeProcess; ended: Promise<ManagerResult> }> => {
      const process = new FakeProcess();
      const manager = make({ process, drainMs: 50 });
      manager.add('idle', controller);
      const ended = manager.run();
      await said('caches are complete');
      return { process, ended };
    };

    it.each(['SIGTERM', 'SIGINT'])('stops at %s, and leaves the exit code alone', async (signal) => {
      const { process, ended } = await start();
      process.emit(signal);
      expect(await ended).toEqual({ error: undefined });
      expect(process).toMatchObject({ exitCode: undefined, exits: [] });
      expect(process.listening()).toEqual([]);
      expect(lines.slice(-2)).toEqual([`stopping: ${signal}`, 'stopped']);
    });

    it('ends at once at a second signal', async () => {
      const { process } = await start(() => NEVER);
      process.emit('SIGTERM');
      process.emit('SIGTERM');
      expect(process.exits).toEqual([1]);
    });

    it('drains at a first signal while it stops anyway', async () => {
      const { process, ended } = await start();
      const [manager] = managers;
      const stopped = manager?.stop();
      process.emit('SIGTERM');
      expect(process.exits).toEqual([]);
      process.emit('SIGTERM');
      expect(process.exits).toEqual([1]);
      await stopped;
      expect(await ended).toEqual({ error: undefined });
    });

    it('ends the process with an exit code of its own when work goes on after the drain, and does not give the lease back', async () => {
      const process = new FakeProcess();
      const scheduler = new VirtualTimeScheduler();
      const manager = make({ process, scheduler, leaderElection: { ...quick, identity: 'one' } });
      manager.add('slow', ({ reconcile }) =>
        reconcile({ sources: [NEVER as Observable<string>, ['a']], reconcile: () => new Promise<void>(() => undefined) }),
      );
      const ended = manager.run();
      await said('leads as one');
      process.emit('SIGTERM');
      let result: ManagerResult | undefined;
      void ended.then((end) => (result = end));
      while (result === undefined || process.exits.length === 0) {
        scheduler.flush();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(result.error).toMatchObject({ code: 'ERR_DRAIN', message: 'still at work after 30000 ms: slow' });
      expect(process).toMatchObject({ exitCode: 124, exits: [124] });
      expect((await client.get(leases, lease.name, { namespace: lease.namespace })).spec?.holderIdentity).toBe('one');
    });

    it('counts work as late that has to be aborted at the end of the drain, also if it ends then', async () => {
      const process = new FakeProcess();
      const begun = new Subject<void>();
      const manager = make({ process, drainMs: 50 });
      manager.add('slow', ({ reconcile }) =>
        reconcile({
          sources: [NEVER as Observable<string>, ['a']],
          reconcile: ({ signal }) =>
            new Promise<void>((resolve) => {
              signal.addEventListener('abort', () => resolve());
              begun.next();
            }),
        }),
      );
      const isBegun = firstValueFrom(begun, { defaultValue: undefined });
      const ended = manager.run();
      await isBegun;
      process.emit('SIGTERM');
      expect((await ended).error).toMatchObject({ code: 'ERR_DRAIN', message: 'still at work after 50 ms: slow' });
      expect(process.exitCode).toBe(124);
    });

    it('says when a controller has completed by itself', async () => {
      await start(() => of(1));
      expect(await said('idle has completed')).toBe('stopping: The controller idle has completed: it does nothing more');
    });

    it.each(['uncaughtException', 'unhandledRejection'])('ends with an error that nobody handled: %s', async (event) => {
      const { process, ended } = await start();
      process.emit(event, new Error('oops'));
      expect((await ended).error?.message).toBe('An error was not handled: oops');
      expect(process).toMatchObject({ exitCode: 1, exits: [1] });
      expect(lines.at(-1)).toBe('failed: An error was not handled: oops');
    });
  });

  describe('and its port', () => {
    const get = async (manager: Manager, path: string): Promise<[number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${String(manager.port())}${path}`);
      return [answer.status, await answer.text()];
    };

    it('answers probes: well at once, ready when all informers are complete, not ready while one is stale', async () => {
      const hold = server.faults.inject({ type: 'answer', code: 403, resource: 'configmaps' });
      const manager = make({ port: 0, host: '127.0.0.1', staleAfterMs: 0, informers: { backoff: { initialMs: 1, maxMs: 1 } } });
      manager.add('writer', writer('me'));
      void manager.run();
      await said('probes: port');
      expect(await get(manager, '/healthz')).toEqual([200, '[+] leader election\nok\n']);
      const [code, text] = await get(manager, '/readyz');
      expect(code).toBe(503);
      expect(text).toContain('[-] manager: starting\n');
      while (hold.struck === 0) await new Promise((resolve) => setImmediate(resolve));
      hold.remove();
      await said('caches are complete');
      const [readyCode, readyText] = await get(manager, '/readyz');
      // On a busy machine, the refused lists are a warning.
      expect([readyCode, readyText.replace(/^\[!\] .*\n/gm, '')]).toEqual([200, '[+] manager\n[+] configmaps in default\nok\n']);
      expect((await get(manager, '/metrics'))[0]).toBe(404);
      // It keeps stale what the cut has made so, if the look comes that late.
      server.faults.inject({ type: 'answer', code: 403, resource: 'configmaps', optional: true });
      server.faults.inject({ type: 'cut', at: 'body', verb: 'watch', atOnce: true });
      let stale: [number, string];
      do stale = await get(manager, '/readyz');
      while (stale[0] === 200);
      expect(stale[1]).toMatch(/\[-\] configmaps in default: stale for 0 s, retrying: .*\nfailed\n$/);
    });

    it('shows metrics of everything, under the names that client-go and controller-runtime use', async () => {
      const manager = make({ port: 0, metrics: true, leaderElection: { ...quick, identity: 'one' } });
      manager.add('writer', writer('me'));
      void manager.run();
      await create('a');
      await changed('a', 'by');
      const [code, text] = await get(manager, '/metrics');
      expect(code).toBe(200);
      expect(text).toMatch(/^controller_runtime_reconcile_total\{controller="writer",result="success"\} [1-9]/m);
      expect(text).toMatch(/^workqueue_adds_total\{name="writer"\} [1-9]/m);
      expect(text).toMatch(/^leader_election_master_status\{name="default\/manager"\} 1$/m);
      expect(text).toMatch(/^informer_synced\{name="manager",.*\} 1$/m);
    });

    it('gives the steps of its informers to the given trace as well', async () => {
      const stages = new Set<string>();
      const manager = make({ metrics: true, informers: { trace: ({ stage }) => void stages.add(stage) } });
      manager.add('traced', writer('me'));
      void manager.run();
      await said('caches are complete');
      expect([...stages]).toEqual(expect.arrayContaining(['opened', 'request', 'source', 'cache']));
    });

    it('shows the metrics of each of several managers, beside and after one another', async () => {
      const metricsOf = async (name: string): Promise<string> => {
        const manager = make({ port: 0, host: '127.0.0.1', metrics: true });
        manager.add(name, writer(name));
        const ended = manager.run();
        await create(name);
        await changed(name, 'by');
        // The one beside may have written it before this one has read it.
        let text: string;
        do [, text] = await get(manager, '/metrics');
        while (!text.includes(`workqueue_adds_total{name="${name}"} `) || text.includes(`workqueue_adds_total{name="${name}"} 0`));
        // The second one is not stopped.
        const result = name === 'beside' ? undefined : manager.stop().then(() => ended);
        expect((await result)?.error).toBeUndefined();
        return text;
      };
      for (const name of ['first', 'beside', 'last']) {
        const text = await metricsOf(name);
        expect(text).toMatch(new RegExp(`^workqueue_adds_total\\{name="${name}"\\} [1-9]`, 'm'));
        expect(text).toMatch(new RegExp(`^workqueue_depth\\{name="${name}"\\} [0-9]`, 'm'));
      }
    });

    it('fails when the port is in use', async () => {
      const first = make({ port: 0, host: '127.0.0.1' });
      first.add('idle', ({ stop$ }) => stop$);
      void first.run();
      await said('caches are complete');
      const { error } = await make({ port: first.port() ?? 0, host: '127.0.0.1' }).run();
      expect(error?.message).toMatch(/EADDRINUSE/);
    });

    it('has none after its run', async () => {
      const manager = make({ port: 0, host: '127.0.0.1' });
      manager.add('idle', ({ stop$ }) => stop$);
      void manager.run();
      await said('caches are complete');
      expect(manager.port()).toBeGreaterThan(0);
      await manager.stop();
      expect(manager.port()).toBeUndefined();
    });
  });

  it('refuses what is wrong when it is asked', () => {
    expect(() => make({ drainMS: 1 } as object)).toThrow('Unknown option `drainMS` of `createManager`; did you mean `drainMs`?');
    expect(() => make({ port: 70_000 })).toThrow(
      'Expected `port` of `createManager` to be an integer >= 0 and <= 65535, or false, got 70000',
    );
    expect(() => make({ client: undefined as never })).toThrow('Expected `client` of `createManager` to be a client, got undefined');
    const manager = make({ drainMs: 0 });
    manager.add('one', () => NEVER);
    expect(() => manager.add('one', () => NEVER)).toThrow('A controller named one exists already');
    expect(() => manager.add('two', undefined as never)).toThrow('Expected the controller `two` to be a function, got undefined');
    expect(() => manager.add('two', () => NEVER, { leader: true } as object)).toThrow(/^Unknown option `leader` of `add`/);
    expect(() => manager.add('one', () => NEVER)).toThrow('A controller named one exists already');
  });
});
