import type { KeyFunc } from '../keys/keyFunc.js';
import { MemoryStore } from './memoryStore.js';
import type { Store } from './store.js';

/**
 * `store` as one that can be handed the keys that `keyFunc` makes, so that it neither makes nor keeps others; undefined for a store that goes by
 * another key function, is a user's own, or does something else than ours when it is written to.
 */
export function keyedStore<T>(store: Store<T>, keyFunc: KeyFunc<T> | undefined): MemoryStore<T> | undefined {
  if (!(store instanceof MemoryStore) || !store.isKeyedBy(keyFunc)) return undefined;
  const { prototype } = MemoryStore;
  const isOurs = store.add === prototype.add && store.update === prototype.update && store.delete === prototype.delete;
  return isOurs ? (store as MemoryStore<T>) : undefined;
}
