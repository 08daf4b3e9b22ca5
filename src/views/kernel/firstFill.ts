import type { SchedulerLike } from 'rxjs';
import type { ObjectEvent } from '../../api/events.js';
import type { IndexReader } from '../../cache/store/store.js';
import { isOtherObject } from '../../delta/index/identity.js';

/** The events of a change in the making, deletions by themselves. */
interface EventsOf<T> {
  readonly deleted: ObjectEvent<T>[];
  readonly others: ObjectEvent<T>[];
  /** Whether they are the first content. */
  readonly initial: boolean;
}

/** Adds the events of one key. */
export function describe<T>({ deleted, others, initial }: EventsOf<T>, key: string, before: T | undefined, value: T | undefined): void {
  const isReplaced = before !== undefined && value !== undefined && isOtherObject(before, value);
  if (before !== undefined && (value === undefined || isReplaced))
    deleted.push({ type: 'deleted', key, object: before, finalStateUnknown: false, inferred: false });
  if (value === undefined) return;
  if (before === undefined || isReplaced) others.push({ type: 'added', key, object: value, initial, inferred: false });
  else others.push({ type: 'updated', key, object: value, oldObject: before, resync: false, inferred: false });
}

/** What makes the content of a store another one. */
export function differenceOf<T>(
  store: Pick<IndexReader<T>, 'getByKey' | 'listKeys'>,
  objects: ReadonlyMap<string, T>,
): readonly ObjectEvent<T>[] {
  const deleted: ObjectEvent<T>[] = [];
  const others: ObjectEvent<T>[] = [];
  const events = { deleted, others, initial: true };
  for (const key of store.listKeys()) if (!objects.has(key)) describe(events, key, store.getByKey(key), undefined);
  for (const [key, value] of objects) {
    const before = store.getByKey(key);
    if (before !== value) describe(events, key, before, value);
  }
  return deleted.concat(others);
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

  /** Begins one with so many keys to compute. Returns what says, once for each key, whether it is over. */
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
