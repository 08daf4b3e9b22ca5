import type { LabelMap, LabelSelectorObject } from '../api/selectors/labelSelector.js';
import type { ListRequest, WatchRequest } from '../api/listerWatcher.js';
import type { ShardFilter } from '../api/shards/shardFilter.js';
import type { SelectionOptions } from '../client/kubeClient.js';
import type { OptionRules } from '../api/options/optionRule.js';
import { rules } from '../api/options/rules.js';

/**
 * Everything that one list or watch asks the server for.
 */
export type SourceRequest = ListRequest & WatchRequest & SelectionOptions;

/**
 * Options of `listerWatcher`.
 */
export interface ListerWatcherOptions {
  /** One namespace; all when absent or empty. */
  readonly namespace?: string | undefined;
  /** The text of kubectl's `-l`, the object that specs carry, or labels with their values. */
  readonly labelSelector?: string | LabelSelectorObject | LabelMap | undefined;
  /** For example `spec.nodeName=node-1,status.phase!=Succeeded`. */
  readonly fieldSelector?: string | undefined;
  /** `'keep'` leaves `metadata.managedFields` in the objects. Default `'drop'`. */
  readonly managedFields?: 'drop' | 'keep' | undefined;
  /** Asks for the objects' metadata alone; they come as `PartialObjectMetadata`. Default `false`. */
  readonly metadataOnly?: boolean | undefined;
  /**
   * Whatever stands for those who share the objects, a cache for example. Objects that are read for the same one have the parts in common in which they
   * are equal, which saves parsing and memory, and what they have in common is frozen: they must not be changed from the moment they are read. Without
   * it, objects have nothing in common.
   */
  readonly sharedBy?: object | undefined;
  /** Objects of other shards are dropped by their bytes, before they are parsed. */
  readonly shard?: ShardFilter | undefined;
  /** `false` for a server that is known not to stream lists. Default: what the client says, which is `false` in browsers. */
  readonly watchList?: boolean | undefined;
  /** What this source covers, where several are merged. Default: the namespace. */
  readonly scope?: string | undefined;
  /**
   * The last word about each request, list and watch alike: gets what is about to be asked and returns what is asked instead. Nothing protects
   * the versions, limits and timeouts in it.
   */
  readonly tweakListOptions?: ((request: SourceRequest) => SourceRequest) | undefined;
}

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
