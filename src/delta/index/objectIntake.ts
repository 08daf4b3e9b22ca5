import { noteTransformed } from '../../api/transformed.js';
import { inProduction } from '../../api/inProduction.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { InformerError, type InformerErrorCode, messageOf } from '../../api/errors/informerError.js';
import { metaNamespaceKey } from '../../cache/keys.js';
import { shareUnchanged } from '../../cache/store/shareUnchanged.js';
import { type OptionRules, rules } from '../../api/options.js';

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

/** Options of `scanToIndex`. */
export interface ScanToIndexOptions<T, U = T> extends ObjectIntakeOptions<T, U> {
  /**
   * The scopes that must be complete before the first `synced`. Read anew at every completed list, so a live Set may change; the list of a
   * scope that is not in it is its last one. By default the scopes that have appeared.
   */
  readonly scopes?: Iterable<string> | undefined;
  /**
   * Whether the subscribers have the content of the store when the session begins. If so, the first list is compared like any later one; if not
   * (the default), each of its objects is emitted, as `updated` where the store has it.
   */
  readonly known?: boolean | undefined;
  /** Is kept filled with the keys whose transform fails. */
  readonly degraded?: Set<string> | undefined;
}

/** Options of `processDeltas`; they mean the same as for `scanToIndex`. */
export type ProcessDeltasOptions<T, U = T> = Pick<
  ScanToIndexOptions<T, U>,
  'transform' | 'freeze' | 'comesShared' | 'resource' | 'known' | 'degraded'
>;

/** The rules of the options of `processDeltas`. @internal */
export const processDeltasRules: OptionRules<ProcessDeltasOptions<never>> = {
  transform: rules.function,
  freeze: rules.boolean,
  comesShared: rules.boolean,
  resource: rules.string,
  known: rules.boolean,
  degraded: { expected: 'a Set', holds: (value) => value instanceof Set },
};

/** The rules of the options of `scanToIndex`. @internal */
export const scanToIndexRules: OptionRules<ScanToIndexOptions<never>> = {
  ...processDeltasRules,
  keyFunc: rules.function,
  onError: rules.function,
  scopes: rules.iterable,
};
