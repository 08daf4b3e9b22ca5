/**
 * Why an event goes no further:
 *
 * - `same version`: the cache has that version of the object.
 * - `same value`: the transform has made of it what the cache has.
 * - `not cached`: the deletion of an object that the cache does not have.
 * - `transform failed`: the last good value stays.
 * - `stale list`: its list was begun anew before it was complete.
 * - `nobody subscribed`: the cache has changed, and there is no subscriber, handler or view.
 * - `filtered`: an operator behind `change$` or `resource$`, or the `filter` of a handler, does not let it through.
 */
export type DropReason =
  'same version' | 'same value' | 'not cached' | 'transform failed' | 'stale list' | 'nobody subscribed' | 'filtered';

/** Objects with an event that goes no further. */
export interface Drop {
  readonly reason: DropReason;
  /** One, but for what a whole list has in common. */
  readonly keys: readonly string[];
  /** What has filtered: the name of the operator, or of the handler. */
  readonly by?: string | undefined;
}

/** What a collection drops, for whoever looks. */
export class Drops {
  /** Tells all followers; undefined while there are none. */
  note: ((drop: Drop) => void) | undefined;
  /** Whether anybody gets the changes of the collection. */
  readonly isHeard: () => boolean;
  private readonly followers = new Set<(drop: Drop) => void>();

  constructor(isHeard: () => boolean) {
    this.isHeard = isHeard;
  }

  /** Calls a function with each drop; the result ends that. */
  follow(follower: (drop: Drop) => void): () => void {
    this.followers.add(follower);
    this.note = (drop) => this.followers.forEach((each) => each(drop));
    return () => {
      this.followers.delete(follower);
      if (this.followers.size === 0) this.note = undefined;
    };
  }
}

/** Where synchronous operators tell what they filter out: `note` of the collection whose change is being delivered. */
export const delivering: { note: Drops['note'] } = { note: undefined };

/** Delivers a value of a collection to one of its subscribers. */
export function deliverWith<V>(note: Drops['note'], observer: { next(value: V): void }, value: V): void {
  const outer = delivering.note;
  delivering.note = note;
  try {
    observer.next(value);
  } finally {
    delivering.note = outer;
  }
}
