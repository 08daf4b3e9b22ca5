import type { KeyFunc } from './keyFunc.js';
import { MemoryStore } from './memoryStore.js';
import type { Store } from './store.js';

const { add, update, delete: remove } = MemoryStore.prototype;

/**
 * `store` as one that can be handed the keys that `keyFunc` makes, so that it neither makes nor keeps others; undefined for a store that goes by
 * another key function, is a user's own, or does something else than ours when it is written to.
 */
export function keyedStore<T>(store: Store<T>, keyFunc: KeyFunc<T> | undefined): MemoryStore<T> | undefined {
  if (!(store instanceof MemoryStore) || !store.isKeyedBy(keyFunc)) return undefined;
  const isOurs = store.add === add && store.update === update && store.delete === remove;
  return isOurs ? (store as MemoryStore<T>) : undefined;
}
