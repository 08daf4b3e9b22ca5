import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import type { ProcessDeltasOptions } from './deltaApplication.js';
import type { ScanToIndexOptions } from './scanToIndexOptions.js';

/**
 * The rules of the options of `processDeltas`.
 *
 * @internal
 */
export const processDeltasRules: OptionRules<ProcessDeltasOptions<never>> = {
  transform: rules.function,
  keys: rules.withMethods('keyOf', 'remember'),
  freeze: rules.boolean,
  resource: rules.string,
  known: rules.boolean,
  degraded: { expected: 'a Set', holds: (value) => value instanceof Set },
};

/**
 * The rules of the options of `scanToIndex`.
 *
 * @internal
 */
export const scanToIndexRules: OptionRules<ScanToIndexOptions<never>> = {
  ...processDeltasRules,
  keyFunc: rules.function,
  onError: rules.function,
  scopes: rules.iterable,
};
