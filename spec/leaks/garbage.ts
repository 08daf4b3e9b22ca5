import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Like `--expose-gc`, which test runners do not pass to their workers.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The number of objects that are still reachable after a complete garbage collection. */
export async function heldAfterCollection(references: readonly WeakRef<object>[]): Promise<number> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // The target of a dereferenced WeakRef is retained until the end of the current turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    if (references.every((reference) => reference.deref() === undefined)) return 0;
  }
  return references.filter((reference) => reference.deref() !== undefined).length;
}
