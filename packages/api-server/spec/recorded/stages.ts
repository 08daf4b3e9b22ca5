import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualTimeScheduler } from 'rxjs';
import type { ApiServerProfile } from '../../src/profile.js';
import { type KubeClient, type KubernetesObject, resources } from 'rx-informer';
import { listerWatcher } from 'rx-informer/pipeline';
import { advanceBy, createManualClock, FakeListerWatcher } from 'rx-informer/testing';
import type { FakeListerWatcherOptions } from 'rx-informer/internal';
import type { Clock } from 'rx-informer/workqueue';
import { startApiServer } from '../../src/startApiServer.js';
import { SimulatedServer } from '../../../../spec/simulation/simulatedServer.js';
import { type Stage, watchSeconds } from '../../../../spec/recorded/play.js';
import type { Name } from '../../../../spec/recorded/script.js';

const namespaceOf = (name: Name): string => (name === 'other' ? 'elsewhere' : 'recorded');

function done(work: () => void): Promise<void> {
  work();
  return Promise.resolve();
}

/** The part of a stage that any API server plays for a client. */
export async function stageOf(client: KubeClient): Promise<Pick<Stage, 'source' | 'write'>> {
  const { configmaps, namespaces } = resources.core.v1;
  for (const name of ['recorded', 'elsewhere']) await client.create(namespaces, { metadata: { name } });
  await client.create(configmaps, { metadata: { name: 'other', namespace: 'elsewhere' } });
  let writes = 0;
  return {
    source: listerWatcher(client, configmaps, { namespace: 'recorded' }),
    write: async (type, name) => {
      const namespace = namespaceOf(name);
      writes += 1;
      const data = { writes: String(writes) };
      if (type === 'DELETED') await client.delete(configmaps, name, { namespace });
      else if (type === 'ADDED') await client.create(configmaps, { metadata: { name, namespace }, data });
      else await client.patch(configmaps, name, 'merge', { data }, { namespace });
      // The answer to a deletion has the version before it.
      return (await client.list(configmaps, { limit: 1 })).metadata?.resourceVersion ?? '';
    },
  };
}

/** The embedded server, and its end. */
export async function embeddedStage(profile: ApiServerProfile): Promise<Stage & { readonly close: () => Promise<void> }> {
  const time = createManualClock(Date.UTC(2026, 10, 28));
  const clock: Clock = {
    now: time.now,
    // However long a client takes for reading an end: no time passes between the last request and it.
    schedule: (work, delayMs = 0) => (delayMs > watchSeconds * 1_000 ? { unsubscribe: () => undefined } : time.schedule(work, delayMs)),
  };
  const server = await startApiServer({ clock, profile });
  return {
    ...(await stageOf(server.client)),
    restart: async () => {
      server.faults.restart();
      // A read is repeated where its connection was cut; the write that follows would not be.
      await server.client.list(resources.core.v1.configmaps, { limit: 1 });
    },
    compact: () => done(() => server.faults.compact()),
    finish: async (isFinished) => {
      while (!isFinished()) {
        if (time.timers > 0) time.advanceBy(100);
        await nextTurn();
      }
    },
    close: () => server.close(),
  };
}

function fakeStage(server: FakeListerWatcher, write: Stage['write'], scheduler: VirtualTimeScheduler): Stage {
  return {
    source: server.inNamespace('recorded'),
    write,
    restart: () => done(() => server.restart()),
    compact: () => done(() => server.compact()),
    finish: () => done(() => advanceBy(scheduler, 10_000)),
  };
}

/** The fakes that this package offers to tests. */
export function fakesStage(options: FakeListerWatcherOptions): Stage {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ ...options, scheduler });
  server.add({ metadata: { name: 'other', namespace: 'elsewhere' } });
  const write: Stage['write'] = (type, name) => {
    const object = { metadata: { name, namespace: namespaceOf(name) } };
    if (type === 'ADDED') server.add(object);
    else if (type === 'MODIFIED') server.modify(object);
    else server.delete(`recorded/${name}`);
    return Promise.resolve(server.resourceVersion);
  };
  return fakeStage(server, write, scheduler);
}

/** The server of the simulations: it carries out its steps. */
export function simulatedStage(): Stage {
  const scheduler = new VirtualTimeScheduler();
  const server = new SimulatedServer<KubernetesObject>({ scheduler }, (namespace, name) => ({ metadata: { namespace, name } }));
  const step = { DELETED: 'delete', ADDED: 'write', MODIFIED: 'write' } as const;
  const write: Stage['write'] = (type, name) => {
    const key = name === 'other' ? 'elsewhere/other' : `recorded/${name}`;
    server.apply({ do: step[type], key, lost: false });
    return Promise.resolve(server.source.resourceVersion);
  };
  const stage = fakeStage(server.source, write, scheduler);
  const apply = (what: 'restart' | 'compact') => () => done(() => server.apply({ do: what }));
  return { ...stage, restart: apply('restart'), compact: apply('compact') };
}
