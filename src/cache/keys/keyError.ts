import { brand } from '../../api/brand.js';
import { describeObject } from './describeObject.js';
import { messageOf } from './messageOf.js';

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
