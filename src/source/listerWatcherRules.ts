import type { OptionRules } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';
import type { ListerWatcherOptions } from './listerWatcherOptions.js';

/**
 * What each option of `listerWatcher` has to be; also the list of their names. Selectors are checked where they are parsed.
 *
 * @internal
 */
export const listerWatcherRules: OptionRules<ListerWatcherOptions> = {
  namespace: rules.string,
  labelSelector: rules.either(rules.string, rules.object),
  fieldSelector: rules.string,
  managedFields: rules.oneOf('drop', 'keep'),
  metadataOnly: rules.boolean,
  sharedBy: rules.object,
  shard: rules.object,
  watchList: rules.boolean,
  scope: rules.string,
  tweakListOptions: rules.function,
};
