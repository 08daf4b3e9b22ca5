import type { Store } from '../../cache/store/store.js';

/** What a buffer reads of the store whose events it holds. */
export type StoreContent<T> = Pick<Store<T>, 'getByKey' | 'listKeys' | 'lastStoreSyncResourceVersion'>;
