import { describeValue } from '../api/options/describeValue.js';
import { rules } from '../api/options/rules.js';

const store = rules.withMethods('getByKey', 'listKeys', 'update', 'replace');

/** @throws TypeError when a value is no store. */
export function expectStore(owner: string, value: unknown): void {
  if (!store.holds(value)) throw new TypeError(`Expected the store of \`${owner}\` to be ${store.expected}, got ${describeValue(value)}`);
}
