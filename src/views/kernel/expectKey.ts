import { describeValue } from '../../api/options/describeValue.js';

/**
 * @throws TypeError when a value is no key, and not left out.
 */
export function expectKey(owner: string, value: unknown): void {
  if (value === undefined || (typeof value === 'string' && value !== '')) return;
  throw new TypeError(`Expected \`key\` of \`${owner}\` to be a text that is not empty, got ${describeValue(value)}; leave it out for all`);
}
