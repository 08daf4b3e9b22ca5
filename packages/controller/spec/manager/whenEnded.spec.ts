import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY, NEVER, of, type OperatorFunction, Subject, throwError } from 'rxjs';
// From files of their own, whose names the stack has, as in a program that is not bundled.
// eslint-disable-next-line no-restricted-imports, rxjs-x/prefer-root-operators
import { map, scan } from 'rxjs/operators';
import { filterObjects, type InformerHealth, resources } from 'rx-informer';
import type { Controller } from '../../src/manager/controllerContext.js';
import { createManager, type Manager } from '../../src/manager/createManager.js';
import type { ManagedProcess, ManagerOptions } from '../../src/manager/managerOptions.js';
import { cacheCheck } from '../../src/manager/probeServer.js';
import { startApiServer, type TestApiServer } from '@rx-informer/api-server';

const { configmaps } = resources.core.v1;
const inDefault = { namespace: 'default' };

const fails = (): never => {
  throw new Error('no');
};

/** A process that only keeps what was done to it. */
function fakeProcess() {
  const exits: number[] = [];
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  const process: ManagedProcess = {
    exitCode: undefined,
    on: (event, listener) => listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    off: (event, listener) => listeners.get(event)?.delete(listener),
    exit: (code) => exits.push(code),
  };
  return { process, exits, emit: (event: string, value?: unknown) => [...(listeners.get(event) ?? [])].forEach((each) => each(value)) };
}

describe('what ends by itself', () => {
  let server: TestApiServer;
  const managers: Manager[] = [];

  beforeEach(async () => {
    server = await startApiServer();
  });
  afterEach(async () => {
    await Promise.all(managers.splice(0).map((manager) => manager.stop()));
    await server.close();
  });

  const make = (options: Partial<ManagerOptions> = {}) => {
    const errors: string[] = [];
    const infos: string[] = [];
    const logger = { info: (line: string) => infos.push(line), error: (line: string) => errors.push(line) };
    const manager = createManager({ client: server.client, process: false, logger, ...options });
    managers.push(manager);
    return { manager, errors, infos };
  };
  const readingData =
    (reading: 'map' | 'filterObjects'): Controller =>
    ({ informer, reconcile }) => {
      const maps = informer(configmaps, inDefault);
      const hasSize = ({ data }: { readonly data?: Readonly<Record<string, string>> }): boolean =>
        (data as { size: string }).size.length > 0;
      const step =
        reading === 'map'
          ? map((event: { object?: object }) => (event.object === undefined || hasSize(event.object), event as never))
          : filterObjects(hasSize);
      return reconcile({ sources: { maps: maps.change$.pipe(step as never), others: NEVER }, reconcile: () => EMPTY });
    };
  const problemsOf = (manager: Manager): string[] =>
    manager.health().checks.flatMap(({ name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`]));

  it('is the end of the manager, with code 1, when a source of a controller fails; the operator is named', async () => {
    const { process } = fakeProcess();
    const { manager, errors } = make({ process });
    manager.add('reader', readingData('filterObjects'));
    const ended = manager.run();
    await server.client.create(configmaps, { metadata: { name: 'odd', ...inDefault } });
    const { error } = await ended;
    expect(error?.message).toMatch(
      /^The source maps of the controller reader has failed in `filterObjects`: .*reading 'size'.*`filterObjects`/,
    );
    expect(error?.cause).toBeInstanceOf(TypeError);
    expect(process.exitCode).toBe(1);
    expect(errors.at(-1)).toBe(`failed: ${String(error?.message)}`);
    expect(manager.health().state).toBe('stopped');
  });

  it.each<[string, OperatorFunction<string, string>]>([
    ['map', map(fails)],
    ['scan', scan<string, string>(fails)],
  ])('names the operator of RxJS in whose function a source failed: %s', async (name, operator) => {
    const { manager } = make();
    manager.add('reader', ({ reconcile }) => reconcile({ sources: { maps: of('a', 'b').pipe(operator) }, reconcile: () => EMPTY }));
    expect((await manager.run()).error?.message).toContain(`has failed in \`${name}\`: no.`);
  });

  it('makes the manager unready where that was asked for: everything else goes on', async () => {
    const { manager, errors } = make({ whenEnded: 'unready' });
    const kept = new Subject<string>();
    const called: string[] = [];
    manager.add('half', ({ reconcile }) =>
      reconcile({
        sources: { gone: throwError(() => new Error('gone')), kept },
        reconcile: ({ key }) => {
          called.push(key);
          return EMPTY;
        },
      }),
    );
    manager.add('done', () => of(1));
    const ended = manager.run();
    while (manager.health().state === 'starting') await new Promise((resolve) => setImmediate(resolve));
    expect(problemsOf(manager)).toEqual([
      expect.stringMatching(/^controller half: The source gone of the controller half has failed: gone\. /),
      'controller done: The controller done has completed: it does nothing more',
    ]);
    expect(errors).toHaveLength(2);
    kept.next('a');
    expect(called).toEqual(['a']);
    await manager.stop();
    expect(await ended).toEqual({ error: undefined });
  });

  it('can be decided for one controller', async () => {
    const { manager } = make({ whenEnded: 'unready' });
    manager.add('done', () => EMPTY, { whenEnded: 'fail' });
    expect((await manager.run()).error?.message).toBe('The controller done has completed: it does nothing more');
  });

  it('is the end of the manager when an informer stops', async () => {
    const { manager } = make({ informers: { onError: () => 'stop', backoff: { initialMs: 1, maxMs: 1 } } });
    manager.add('idle', ({ informer, stop$ }) => {
      informer(configmaps, inDefault);
      return stop$;
    });
    const ended = manager.run();
    while (manager.health().state === 'starting') await new Promise((resolve) => setImmediate(resolve));
    server.faults.inject({ type: 'cut', at: 'body', verb: 'watch', atOnce: true });
    expect((await ended).error?.message).toMatch(/^The informer configmaps in default has stopped: /);
  });

  it('does not count what completes because the manager stops', async () => {
    const { manager } = make();
    manager.add('idle', ({ informer, reconcile }) => reconcile({ sources: [informer(configmaps).resource$], reconcile: () => EMPTY }));
    const ended = manager.run();
    while (manager.health().state === 'starting') await new Promise((resolve) => setImmediate(resolve));
    await manager.stop();
    expect(await ended).toEqual({ error: undefined });
  });

  it('lets several managers of one process finish before it exits', async () => {
    const shared = fakeProcess();
    const hold = new Subject<void>();
    const [quick, slow] = [make({ process: shared.process }), make({ process: shared.process })];
    quick.manager.add('quick', ({ stop$ }) => stop$);
    slow.manager.add('slow', ({ reconcile }) => reconcile({ sources: [['a'], NEVER], reconcile: () => hold }));
    const ended = [quick.manager.run(), slow.manager.run()];
    while ([quick, slow].some(({ manager }) => manager.health().state === 'starting'))
      await new Promise((resolve) => setImmediate(resolve));
    shared.emit('uncaughtException', new Error('oops'));
    await ended[0];
    expect(shared).toMatchObject({ exits: [], process: { exitCode: 1 } });
    hold.complete();
    await ended[1];
    expect(shared.exits).toEqual([1]);
  });
});

describe('cacheCheck', () => {
  const health: InformerHealth = { state: 'watching', since: 0, resourceVersion: '5', synced: true, staleMs: 200_000, degraded: [] };

  it('passes a cache with an open watch, however quiet, and one that was current a moment ago', () => {
    expect(cacheCheck('pods', health, 60_000).problem).toBeUndefined();
    expect(cacheCheck('pods', { ...health, state: 'retrying', staleMs: 60_000 }, 60_000).problem).toBeUndefined();
  });

  it.each(['retrying', 'listing', 'restored'] as const)('fails one that is %s, by when it was last known to be current', (state) => {
    const { problem } = cacheCheck('pods', { ...health, state, staleMs: 60_001, since: 59_999 }, 60_000);
    expect(problem).toBe(`stale for 60 s, ${state}`);
  });

  it('fails one that has stopped, or is not complete', () => {
    expect(cacheCheck('pods', { ...health, state: 'stopped' }, 60_000).problem).toBe('stopped');
    expect(cacheCheck('pods', { ...health, state: 'listing', synced: false }, 60_000).problem).toBe('listing, not complete yet');
  });
});
