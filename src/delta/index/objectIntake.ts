import { InformerError, type InformerErrorCode } from '../../api/errors/informerError.js';
import { noteTransformed } from '../../api/transformed.js';
import { inProduction } from '../../api/inProduction.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { messageOf } from '../../api/errors/messageOf.js';
import { metaNamespaceKey } from '../../cache/keys/metaNamespaceKey.js';
import { shareUnchanged } from '../../cache/store/shareUnchanged.js';

/** How objects are made ready for the cache. */
export interface ObjectIntakeOptions<T, U = T> {
  /** The key of an object as sent. By default its namespace and name. */
  readonly keyFunc?: ((object: T) => string) | undefined;
  /** Makes the cached value of an object; it must return an object. Runs once per version. What it returns, the client's `replace` refuses. */
  readonly transform?: ((object: T) => U) | undefined;
  /** Freezes cached values whole, so that a mutation throws where it happens. By default outside production. */
  readonly freeze?: boolean | undefined;
  /** The objects share among themselves what they are to share, and that is frozen: none is compared with the version before. `false` by default. */
  readonly comesShared?: boolean | undefined;
  /** Called for every object without a key, failing transform and failing index function. By default they are not reported. */
  readonly onError?: ((error: InformerError) => void) | undefined;
  /** What the objects are, for messages; `objects` by default. */
  readonly resource?: string | undefined;
}

/** Stands for the value of an object whose transform has failed. */
export const failed: unique symbol = Symbol('failed');

/** The steps between an object as sent and the value that is cached. */
export interface ObjectIntake<T, U> {
  /** The key: the one that came with the object, or else one made of it. Undefined, after a report, where there is none. */
  keyOf(object: T, told?: string): string | undefined;
  /** The value to cache, sharing everything unchanged with `previous`; `failed`, after a report, when the transform fails. */
  valueOf(key: string, object: T, previous: U | undefined): U | typeof failed;
  readonly report: (code: InformerErrorCode, message: string, cause: unknown, key?: string) => void;
}

export function createObjectIntake<T, U>(options: ObjectIntakeOptions<T, U>): ObjectIntake<T, U> {
  const { keyFunc = metaNamespaceKey as (object: T) => string, transform, onError } = options;
  const { freeze = !inProduction(), comesShared = false, resource = 'objects' } = options;

  const report = (code: InformerErrorCode, message: string, cause: unknown, key?: string): void => {
    onError?.(new InformerError({ code, message: `${message}: ${messageOf(cause)}`, cause, resource, key }));
  };

  const transformed = (object: T): U => {
    // Without a transform, U is T.
    if (transform === undefined) return object as unknown as U;
    const value: unknown = transform(object);
    if (typeof value !== 'object' || value === null) {
      throw new TypeError(`Expected \`transform\` to return an object, got ${value === null ? 'null' : typeof value}`);
    }
    return value as U;
  };

  return {
    report,
    keyOf: (object, told) => {
      try {
        const key: unknown = told ?? keyFunc(object);
        if (typeof key === 'string' && key !== '') return key;
        const what = told === undefined ? '`keyFunc` to return' : '`key` of a source event to be';
        throw new TypeError(`Expected ${what} a non-empty string, got ${key === '' ? 'an empty one' : typeof key}`);
      } catch (error) {
        report('ERR_KEY', `An object of ${resource} has no key and is left out`, error);
        return undefined;
      }
    },
    valueOf: (key, object, previous) => {
      try {
        const value = transformed(object);
        const stored = previous === undefined || comesShared ? value : shareUnchanged(previous, value);
        if (transform !== undefined) noteTransformed(stored);
        return freeze ? deepFreeze(stored) : stored;
      } catch (error) {
        report('ERR_TRANSFORM', `The transform of ${resource} ${JSON.stringify(key)} failed, the last good value is kept`, error, key);
        return failed;
      }
    },
  };
}
