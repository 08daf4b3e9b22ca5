import type { NoInference } from '../api/noInference.js';
import type { Store } from '../cache/store/store.js';

/** Any store of `U`. `U` is inferred from what can be read from the store; some stores take more than that in their `delete`. */
export type StoreOf<U> = Store<NoInference<U>> & Pick<Store<U>, 'getByKey'>;
