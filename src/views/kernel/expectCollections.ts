import { describeValue } from '../../api/options/describeValue.js';
import { expectCollection } from './expectCollection.js';

/**
 * @throws TypeError when a value is no list of informers and views.
 */
export function expectCollections(owner: string, value: unknown): void {
  if (!Array.isArray(value))
    throw new TypeError(`Expected \`${owner}\` to be given a list of informers and views, got ${describeValue(value)}`);
  for (const collection of value) expectCollection(owner, collection);
}
