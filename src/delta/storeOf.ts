import type { NoInference } from '../api/noInference.js';
import type { Store } from '../cache/store/store.js';
import { describeValue } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';

/** Any store of `U`. `U` is inferred from what can be read from the store; some stores take more than that in their `delete`. */
export type StoreOf<U> = Store<NoInference<U>> & Pick<Store<U>, 'getByKey'>;

const store = rules.withMethods('getByKey', 'listKeys', 'update', 'replace');

/** @throws TypeError when a value is no store. */
export function expectStore(owner: string, value: unknown): void {
  if (!store.holds(value)) throw new TypeError(`Expected the store of \`${owner}\` to be ${store.expected}, got ${describeValue(value)}`);
}
