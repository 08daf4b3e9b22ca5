import type { ResourceEvent } from '../../api/events/resourceEvent.js';
import type { Store } from '../../cache/store/store.js';

/** What a buffer reads of the store whose events it holds. */
export type StoreContent<T> = Pick<Store<T>, 'getByKey' | 'listKeys' | 'lastStoreSyncResourceVersion'>;

/** Where the events of one consumer wait while it is busy. */
export interface EventBuffer<T> {
  /** Returns `false` when there is no room, and the consumer has to end. */
  push(event: ResourceEvent<T>): boolean;
  shift(): ResourceEvent<T> | undefined;
  isEmpty(): boolean;
  size(): number;
  clear(): void;
  /** Whether the next event to take out depends on the store: nothing must be taken before every change of the store has been pushed. */
  readonly overflown?: boolean;
}
