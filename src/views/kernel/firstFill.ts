import type { SchedulerLike } from 'rxjs';
import type { ObjectEvent } from '../../api/events.js';
import type { IndexReader } from '../../cache/store/store.js';
import { Transitions } from '../../delta/index/identity.js';

/** What makes the content of a store another one. */
export function differenceOf<T>(
  store: Pick<IndexReader<T>, 'getByKey' | 'listKeys'>,
  objects: ReadonlyMap<string, T>,
): readonly ObjectEvent<T>[] {
  const told = new Transitions<T>({ initial: true, inferred: false });
  for (const key of store.listKeys()) if (!objects.has(key)) told.add(key, store.getByKey(key), undefined);
  for (const [key, value] of objects) {
    const before = store.getByKey(key);
    if (before !== value) told.add(key, before, value);
  }
  return told.events();
}

/** How long a stretch of a first fill takes, in milliseconds, and after how many keys the clock is looked at. */
const sliceMs = 8;
const lookEvery = 16;

/** Divides a first fill into stretches, between which others get a turn of the event loop. One that fits into a stretch is done in one, whatever time it takes. */
export class Stretches {
  isLarge = false;
  private readonly sliceSize: number;

  constructor(sliceSize: number) {
    this.sliceSize = sliceSize;
  }

  /** Begins one with this number of keys to compute. Returns what says, once for each key, whether it is over. */
  begin(keys: number, scheduler: SchedulerLike): () => boolean {
    const { sliceSize } = this;
    this.isLarge ||= keys > sliceSize;
    if (!this.isLarge) return () => false;
    const until = scheduler.now() + sliceMs;
    let count = 0;
    return () => {
      count += 1;
      return count > sliceSize || (count % lookEvery === 0 && scheduler.now() >= until);
    };
  }
}
