import { noteTransformed } from '../../api/transformed.js';
import { inProduction } from '../../api/inProduction.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { InformerError, type InformerErrorCode, messageOf } from '../../api/errors/informerError.js';
import { metaNamespaceKey } from '../../cache/keys.js';
import { shareUnchanged } from '../../cache/store/shareUnchanged.js';
import { type OptionRules, rules } from '../../api/options.js';

/** How objects are prepared for the cache. */
export interface ObjectIntakeOptions<T, U = T> {
  /** The key of an object as sent. @defaultValue its namespace and name */
  readonly keyFunc?: ((object: T) => string) | undefined;
  /** Makes the cached value of an object; must return an object. Runs once per version. The client's `replace` refuses its results. */
  readonly transform?: ((object: T) => U) | undefined;
  /** Freezes cached values deeply, so that a mutation throws where it happens. @defaultValue true outside production */
  readonly freeze?: boolean | undefined;
  /** Whether objects arrive with shared, frozen parts already, so that they are not compared with their version before. @defaultValue false */
  readonly comesShared?: boolean | undefined;
  /** Called for every object without a key, failing transform and failing index function. By default they are not reported. */
  readonly onError?: ((error: InformerError) => void) | undefined;
  /** The plural of the objects, for messages. @defaultValue `'objects'` */
  readonly resource?: string | undefined;
}

/** Replaces the value of an object whose transform failed. */
export const failed: unique symbol = Symbol('failed');

/** The steps from an object as sent to the cached value. */
export interface ObjectIntake<T, U> {
  /** The key: the one that came with the object, else computed. Undefined, after a report, where there is none. */
  keyOf(object: T, told?: string): string | undefined;
  /** The value to cache, which shares unchanged parts with `previous`; `failed`, after a report, when the transform fails. */
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
   * The scopes that must be complete before the first `synced`. Read at every completed list, so a Set may change meanwhile; a scope that is not among them
   * is dropped after its next list. @defaultValue the scopes that have appeared
   */
  readonly scopes?: Iterable<string> | undefined;
  /**
   * Whether subscribers already have the content of the store when the session begins. If so, the first list is compared like any later one; otherwise
   * each of its objects is emitted, as `updated` if the store has it. @defaultValue false
   */
  readonly known?: boolean | undefined;
  /** Receives the keys whose transform fails. */
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
