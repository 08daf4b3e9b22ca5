import { existsSync, readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const descriptors = '/proc/self/fd';

/** The memory of a process after a garbage collection. */
export interface Sample {
  readonly writes: number;
  readonly heap: number;
  readonly outside: number;
  /** Open files and sockets; if the system does not list them, the resources that keep the event loop alive. */
  readonly descriptors: number;
}

/** Samples this process, in bytes. */
export async function takeSample(writes: number): Promise<Sample> {
  // Objects kept by finalizers are freed by a second collection, in a later turn of the event loop.
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const open = existsSync(descriptors) ? readdirSync(descriptors) : process.getActiveResourcesInfo();
  return { writes, heap: heapUsed, outside: external, descriptors: open.length };
}
