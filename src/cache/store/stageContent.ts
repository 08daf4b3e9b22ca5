import type { KeyFunc } from '../keys/keyFunc.js';
import { MemoryStore } from './memoryStore.js';
import type { StagedContent } from './stagedContent.js';
import type { Store } from './store.js';

/**
 * Begins a content that is to take the place of the present one of `store`; undefined for a store that can only `replace`: a user's own, or one
 * whose `replace` does something else than ours.
 *
 * @param keyFunc - makes the keys that the objects will be handed over with.
 */
export function stageContent<T>(store: Store<T>, keyFunc?: KeyFunc<T>): StagedContent<T> | undefined {
  return store instanceof MemoryStore && store.replace === MemoryStore.prototype.replace
    ? (store as MemoryStore<T>).stage(keyFunc)
    : undefined;
}
