import type { ListRequest, WatchRequest } from '../api/listerWatcher.js';
import type { ReadOptions, SelectionOptions } from '../client/kubeClient.js';
import type { OptionRules } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';

/** All parameters of one list or watch. */
export type SourceRequest = ListRequest & WatchRequest & SelectionOptions;

/** Options of `listerWatcher`. */
export interface ListerWatcherOptions extends SelectionOptions, ReadOptions {
  /** `false` for a server that is known not to stream lists. Default: what the client says, which is `false` in browsers. */
  readonly watchList?: boolean | undefined;
  /** What this source covers, where several are merged. Default: the namespace. */
  readonly scope?: string | undefined;
  /**
   * Changes each request, list and watch alike: gets the one that is about to be sent and returns the one that is sent instead. Nothing protects
   * the versions, limits and timeouts in it.
   */
  readonly tweakListOptions?: ((request: SourceRequest) => SourceRequest) | undefined;
}

/** What each option of `listerWatcher` has to be; also the list of their names. Selectors are checked where they are parsed. @internal */
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
