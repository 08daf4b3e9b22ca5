import { existsSync, readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const descriptors = '/proc/self/fd';

/** What a process holds after a collection. */
export interface Sample {
  readonly writes: number;
  readonly heap: number;
  readonly outside: number;
  /** Open files and sockets; where the system does not list them, whatever keeps the event loop alive. */
  readonly descriptors: number;
}

/** Samples this process, in bytes. */
export async function takeSample(writes: number): Promise<Sample> {
  // What only finalizers held goes with the second collection, in a turn of its own.
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const open = existsSync(descriptors) ? readdirSync(descriptors) : process.getActiveResourcesInfo();
  return { writes, heap: heapUsed, outside: external, descriptors: open.length };
}
