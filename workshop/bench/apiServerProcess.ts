// The embedded API server in a process of its own, for apiServer.ts: node --expose-gc apiServerProcess.js <pods>
import type { KubernetesObject } from 'rx-informer';
import { createApiServer } from '../../packages/api-server/src/createApiServer.js';
import { BlockMeter } from './meter.js';
import { podJson, podNames } from './realisticPod.js';

/** The figures that the process sends on request. */
export interface ServerFigures {
  /** The longest time between two turns of the event loop since the last reset. */
  readonly heldMs: number;
  /**
   * The longest CPU time of the thread between two turns of the event loop; unlike wall time, it excludes the time in which other processes
   * use the processor.
   */
  readonly heldCpuMs: number;
  /** The CPU time of all threads since the last reset. */
  readonly cpuMs: number;
  readonly watches: number;
  /** The heap in use after a garbage collection. */
  readonly heapMb: number;
  readonly rssMb: number;
}

const megabyte = 1024 * 1024;
const server = await createApiServer();
/**
 * The owner is of a kind that is not served: otherwise the garbage collector would delete the pods during the measurement, since their
 * owners do not exist.
 */
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
  // Twice: the second collection frees objects that finalizers retained in the first.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapMb: heapUsed / megabyte, rssMb: rss / megabyte };
}

/** The questions that the process answers. A garbage collection blocks the event loop, so only the question for memory runs one. */
const answers: Readonly<Record<string, () => object>> = {
  // The meter keeps the event loop busy, so it runs only during a measurement.
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
