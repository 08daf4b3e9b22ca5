import type { Subject } from 'rxjs';

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

/** What a collection drops, for whoever follows it. */
export type Drops = Pick<Subject<Drop>, 'observed' | 'next' | 'subscribe'>;

/** Where synchronous operators tell what they filter out: the drops of the collection whose change is being delivered. */
export const delivering: { drops: Drops | undefined } = { drops: undefined };
