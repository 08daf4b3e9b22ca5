import type { Store } from '../../cache/store/store.js';

/**
 * What the consumer of a queue knows already: usually the store that it keeps.
 *
 * @see client-go: `KeyListerGetter`
 */
export type KnownObjects<T> = Pick<Store<T>, 'listKeys' | 'getByKey'>;
