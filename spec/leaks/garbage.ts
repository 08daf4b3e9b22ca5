import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Like `--expose-gc`, which test runners do not pass to their workers.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The number of objects that are still reachable after a complete garbage collection. It collects again while there are more than `atMost`. */
export async function heldAfterCollection(references: readonly WeakRef<object>[], atMost = 0): Promise<number> {
  const held = (): number => references.filter((reference) => reference.deref() !== undefined).length;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // The target of a dereferenced WeakRef is retained until the end of the current turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    if (held() <= atMost) break;
  }
  return held();
}
