import type { SchedulerLike } from 'rxjs';
import type { IndexReader, ObjectEvent } from 'rx-informer';
import { Transitions } from 'rx-informer/internal';

/** The changes from a store's content to another one. */
export function differenceOf<T>(
  store: Pick<IndexReader<T>, 'getByKey' | 'listKeys'>,
  objects: ReadonlyMap<string, T>,
): readonly ObjectEvent<T>[] {
  const difference = new Transitions<T>({ initial: true, inferred: false });
  for (const key of store.listKeys()) if (!objects.has(key)) difference.add(key, store.getByKey(key), undefined);
  for (const [key, value] of objects) {
    const before = store.getByKey(key);
    if (before !== value) difference.add(key, before, value);
  }
  return difference.events();
}

/** The length of a slice in milliseconds, and the number of keys after which the clock is read. */
const sliceMs = 8;
const checkEvery = 16;

/**
 * Divides a first fill into slices, so that the event loop can run other tasks in between. A fill of at most `sliceSize` keys is not divided, however long it
 * takes.
 */
export class FillSlices {
  isLarge = false;
  private readonly sliceSize: number;

  constructor(sliceSize: number) {
    this.sliceSize = sliceSize;
  }

  /** Starts a slice with this number of keys to compute. Returns a function that says after each key whether the slice is over. */
  begin(keys: number, scheduler: SchedulerLike): () => boolean {
    const { sliceSize } = this;
    this.isLarge ||= keys > sliceSize;
    if (!this.isLarge) return () => false;
    const until = scheduler.now() + sliceMs;
    let count = 0;
    return () => {
      count += 1;
      return count > sliceSize || (count % checkEvery === 0 && scheduler.now() >= until);
    };
  }
}
