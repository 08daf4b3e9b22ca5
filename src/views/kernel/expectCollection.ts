import { describeValue } from '../../api/options/describeValue.js';
import { collectionPort } from '../../informer/collection.js';

/**
 * @throws TypeError when a value is no informer and no view.
 */
export function expectCollection(owner: string, value: unknown): void {
  if (typeof value === 'object' && value !== null && collectionPort in value) return;
  throw new TypeError(`Expected \`${owner}\` to be given an informer or a view, got ${describeValue(value)}`);
}
