import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// As `--expose-gc`, which workers of a test runner are not given.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** How many of them are still held when everything has been collected that can be. */
export async function heldAfterCollection(references: readonly WeakRef<object>[]): Promise<number> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    // What a WeakRef has given out is held until this turn of the event loop is over.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    if (references.every((reference) => reference.deref() === undefined)) return 0;
  }
  return references.filter((reference) => reference.deref() !== undefined).length;
}
