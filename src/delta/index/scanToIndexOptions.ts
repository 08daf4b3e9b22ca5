import type { ObjectIntakeOptions } from './objectIntake.js';
import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';

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
