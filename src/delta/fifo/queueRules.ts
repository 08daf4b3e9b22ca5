import type { OptionRules } from '../../api/options/optionRule.js';
import { rules } from '../../api/options/rules.js';
import { deltaCompressions } from './compressDeltas.js';
import type { DeltaFifoStoreOptions } from './deltaFifoStore.js';

/**
 * The rules of the options that both forms of the queue have.
 */
export const queueRules: OptionRules<Pick<DeltaFifoStoreOptions<never>, 'keyFunc' | 'knownObjects' | 'compress' | 'onError'>> = {
  keyFunc: rules.function,
  knownObjects: rules.withMethods('listKeys', 'getByKey'),
  compress: rules.oneOf(...deltaCompressions),
  onError: rules.function,
};
