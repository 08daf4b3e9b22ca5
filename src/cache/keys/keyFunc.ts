import { DeletedFinalStateUnknown } from './deletedFinalStateUnknown.js';
import { ExplicitKey } from './explicitKey.js';
import { KeyError } from './keyError.js';

/** Returns the key under which an object is stored. Must be pure; may throw for an object that has no key. */
export type KeyFunc<T> = (object: T) => string;

/** An object, or what can stand for it where only its key matters. */
export type ObjectOrKey<T> = T | ExplicitKey | DeletedFinalStateUnknown<T>;

/** The key of an object by a user's key function. @throws KeyError when that throws, or returns anything but a string. */
export function keyOf<T>(keyFunc: KeyFunc<T>, object: T): string {
  if (object === undefined || object === null) throw new KeyError(object, new TypeError(`Expected an object, got ${String(object)}`));
  let key: unknown;
  try {
    key = keyFunc(object);
  } catch (error) {
    throw error instanceof KeyError ? error : new KeyError(object, error);
  }
  if (typeof key === 'string') return key;
  throw new KeyError(object, new TypeError(`Expected the key function to return a string, got ${typeof key}`));
}

/** The key of an object, or the one that stands for it. Works with every key function, which need not know keys and tombstones. */
export function keyOfObjectOrKey<T>(keyFunc: KeyFunc<T>, object: ObjectOrKey<T>): string {
  return object instanceof ExplicitKey || object instanceof DeletedFinalStateUnknown ? object.key : keyOf(keyFunc, object);
}
