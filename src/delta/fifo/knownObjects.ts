import type { Store } from '../../cache/store/store.js';

/**
 * The objects that the consumer of a queue has already: usually the store that it keeps.
 *
 * @see client-go: `KeyListerGetter`
 */
export type KnownObjects<T> = Pick<Store<T>, 'listKeys' | 'getByKey'>;
