import { brand } from '../api/brand.js';
import { messageOf } from '../api/errors/informerError.js';
import { DeletedFinalStateUnknown, ExplicitKey } from '../api/kubernetesObject.js';

const longestName = 253;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestName) : '';
}

/** Names an object in a message by kind and name alone: its other fields may be secret. */
export function describeObject(object: unknown): string {
  if (object === null) return 'null';
  if (typeof object !== 'object') return object === undefined ? 'undefined' : `a ${typeof object}`;
  const { kind, metadata } = object as { kind?: unknown; metadata?: { name?: unknown; namespace?: unknown } | null };
  const what = textOf(kind) || (Array.isArray(object) ? 'an array' : 'an object');
  const name = textOf(metadata?.name);
  if (name === '') return `${what} without a name`;
  const namespace = textOf(metadata?.namespace);
  return `${what} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/**
 * No key could be computed for an object, so the operation that needed it was not carried out.
 *
 * The message names the object by kind and name only; `cause` is what the key function threw. Errors of both builds of this package
 * (ES modules and CommonJS) are instances of each other.
 *
 * @see KeyError of client-go
 */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  /** The object; not enumerable, so that logging the error does not print it. */
  declare readonly object: unknown;

  constructor(object: unknown, cause: unknown) {
    super(`Unable to compute the key of ${describeObject(object)}: ${messageOf(cause)}`, { cause });
    Object.defineProperty(this, 'object', { value: object });
  }
}

brand(KeyError, 'KeyError');

/** Returns the key under which an object is stored. Must be pure; may throw for an object without a key. */
export type KeyFunc<T> = (object: T) => string;

/** An object, or one of its substitutes where only the key matters. */
export type ObjectOrKey<T> = T | ExplicitKey | DeletedFinalStateUnknown<T>;

/** The key of an object by a user's key function. @throws KeyError when the function throws or does not return a string. */
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

/** The key of an object, an explicit key or a tombstone. The key function only gets objects. */
export function keyOfObjectOrKey<T>(keyFunc: KeyFunc<T>, object: ObjectOrKey<T>): string {
  return object instanceof ExplicitKey || object instanceof DeletedFinalStateUnknown ? object.key : keyOf(keyFunc, object);
}
