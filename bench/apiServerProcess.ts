// The embedded API server in a process of its own, for apiServer.ts: node --expose-gc apiServerProcess.js <pods>
import type { KubernetesObject } from '../src/api/kubernetesObject.js';
import { createApiServer } from '../src/apiserver/createApiServer.js';
import { BlockMeter } from './meter.js';
import { podJson, podNames } from './realisticPod.js';

/** What the process tells when it is asked. */
export interface ServerFigures {
  /** The longest time between two turns of the event loop since the last reset. */
  readonly heldMs: number;
  /** The longest time that the thread was running for between two turns: on a busy machine others take its processor. */
  readonly heldCpuMs: number;
  /** Of all threads since the last reset. */
  readonly cpuMs: number;
  readonly watches: number;
  /** After a collection. */
  readonly heapMb: number;
  readonly rssMb: number;
}

const megabyte = 1024 * 1024;
const server = await createApiServer();
/** Its owner is of a kind that is not served: otherwise the garbage collector would delete all pods while they are listed, since nobody has made their owners. */
function podOf(json: string): KubernetesObject {
  return JSON.parse(
    json.replace('"apiVersion":"apps/v1","kind":"ReplicaSet"', '"apiVersion":"apps.example.com/v1","kind":"ReplicaSet"'),
  ) as KubernetesObject;
}

for (const name of podNames(Number(process.argv[2] ?? '0'))) server.objects.put(podOf(podJson(name, 0, 1, true)));
server.activity.clear();
let meter: BlockMeter | undefined;
let cpuBefore = process.cpuUsage();

function memory(): Pick<ServerFigures, 'heapMb' | 'rssMb'> {
  // Twice: what only finalizers held goes with the second one.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMb: heapUsed / megabyte, rssMb: rss / megabyte };
}

/** What the process can be asked for. Collecting the garbage holds the event loop too, so it is not done unless memory is in question. */
const answers: Readonly<Record<string, () => object>> = {
  // The meter itself keeps the event loop busy: only while something is looked at.
  meter: () => {
    meter = new BlockMeter();
    return {};
  },
  held: () => {
    const { longestBlockMs: heldMs = 0, longestBlockCpuMs: heldCpuMs = 0 } = meter?.stop() ?? {};
    return { heldMs, heldCpuMs };
  },
  reset: () => {
    cpuBefore = process.cpuUsage();
    return {};
  },
  figures: () => {
    const { user, system } = process.cpuUsage(cpuBefore);
    return { cpuMs: (user + system) / 1e3, watches: server.cluster.watches.size };
  },
  memory,
};

process.on('message', (question: string) => process.send?.(answers[question]?.() ?? {}));
process.on('disconnect', () => process.exit());
process.send?.(server.port);
