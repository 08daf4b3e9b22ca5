import type { Collection } from '../../informer/collection.js';

/**
 * A collection of whatever it is: views keep inputs of different types in one place.
 */
export function untyped<T>(collection: Collection<T>): Collection<never> {
  return collection as unknown as Collection<never>;
}
