import { brand } from '../../api/brand.js';
import { messageOf } from '../../api/errors/messageOf.js';

const longestName = 253;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, longestName) : '';
}

/** Names an object in a message by its kind and name alone: what else it holds may be secret. */
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
