import type { DeletedFinalStateUnknown } from './deletedFinalStateUnknown.js';
import type { ExplicitKey } from './explicitKey.js';

/** Returns the key under which an object is stored. Must be pure; may throw for an object that has no key. */
export type KeyFunc<T> = (object: T) => string;

/** An object, or what can stand for it where only its key matters. */
export type ObjectOrKey<T> = T | ExplicitKey | DeletedFinalStateUnknown<T>;
