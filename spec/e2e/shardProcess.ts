// One member of shards.spec.ts, in a process of its own: node ... shardProcess.ts <server> <identity>
//
// It writes, fenced, to each ConfigMap of its shard again and again. When a key is not its own any more it also does what a program must not: it writes
// what it has read before, through a client that is bound to nothing.
//
// It sends what it does to its parent, with the machine's monotonic clock, which all processes share.
import { AsyncLocalStorage } from 'node:async_hooks';
import { isConflict } from '../../src/api/errors/apiError.js';
import type { V1ConfigMap } from '../../src/api/kubernetes/coreV1.js';
import { resources } from '../../src/api/resources.js';
import { createClient } from '../../src/client/createClient.js';
import type { KubeClient } from '../../src/client/kubeClient.js';
import { joinShards, LeaderElectionError, type ShardRequest } from '@rx-informer/controller';
import { createInformer } from '../../src/informer/createInformer.js';
import { sharding } from '../../src/informer/parts/sharding.js';
import { type ShardReport, shardTimes } from './shardTimes.js';

const [server = '', identity = ''] = process.argv.slice(2);
const configMaps = resources.core.v1.configmaps;
const namespace = 'default';

/** The clock that all processes of the machine share, in milliseconds. */
const clock = (): number => Number(process.hrtime.bigint()) / 1e6;
const report = (message: ShardReport): void => {
  if (process.connected) process.send?.(message);
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The work on whose behalf a request is sent. */
const current = new AsyncLocalStorage<{ readonly key: string; readonly token: number }>();
const base = createClient({ server, userAgent: identity });
const replace = (...[resource, object, options]: Parameters<KubeClient['replace']>): Promise<unknown> => {
  const work = current.getStore();
  // The time first: the process may stand still behind the question.
  const at = clock();
  options?.beforeSend?.();
  if (work !== undefined) report({ type: 'request', identity, ...work, at });
  return base.replace(resource, object, options);
};
const observed = { ...base, replace } as KubeClient;

const shards = joinShards(observed, { namespace, name: 'workers', identity, by: 'uid', ...shardTimes });
const objects = createInformer(observed, configMaps, { namespace, parts: [sharding(shards)] });

/** Writes with an old token what was read long ago, past the client of the shard. */
async function writeStale(request: ShardRequest, target: V1ConfigMap): Promise<void> {
  try {
    await base.replace(configMaps, request.fence({ ...target, data: { count: 'stale' } }));
    report({ type: 'stale', identity, refusedBy: 'nobody' });
  } catch (error) {
    report({ type: 'stale', identity, refusedBy: isConflict(error) ? 'server' : String(error) });
  }
  // The fence refuses from the first write of a later owner on.
  while (process.connected) {
    try {
      request.fence(await base.get(configMaps, target.metadata?.name ?? '', { namespace }));
    } catch (error) {
      if (!(error instanceof LeaderElectionError) || error.code !== 'ERR_FENCED') continue;
      report({ type: 'stale', identity, refusedBy: 'fence' });
      return;
    } finally {
      await pause(50);
    }
  }
}

async function work(request: ShardRequest): Promise<void> {
  const { key, token, client } = request;
  const [, name = ''] = key.split('/');
  const start = clock();
  const target = await client.get(configMaps, name, { namespace });
  try {
    await pause(100);
    await client.replace(configMaps, request.fence({ ...target, data: { count: String(Number(target.data?.['count'] ?? 0) + 1) } }));
  } catch (error) {
    if (error instanceof LeaderElectionError) void writeStale(request, target);
    throw error;
  } finally {
    const end = clock();
    report({ type: 'call', identity, key, token, start, end, isValid: request.isValid() });
  }
}

shards
  .reconcile({
    primary: objects,
    concurrent: 10,
    // A write of one's own calls again: this is the load.
    reconcile: async (request) => {
      await current.run({ key: request.key, token: request.token }, () => work(request));
      return { requeueAfterMs: 500 };
    },
  })
  .subscribe({ error: (error: unknown) => console.error(identity, error) });
report({ type: 'ready', identity });

process.on('message', (message) => {
  if (message !== 'stop') return;
  void shards
    .stop()
    .then(() => objects.stop())
    .then(() => {
      base.close();
      process.disconnect();
    });
});
