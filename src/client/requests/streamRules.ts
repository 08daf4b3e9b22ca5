import type { KubernetesObject } from '../../api/kubernetesObject.js';
import type { ListRequest, WatchRequest } from '../../api/listerWatcher.js';
import { checkOptions, type OptionRules, rules } from '../../api/options.js';
import { apiVersionOf, type Resource } from '../../api/resource.js';
import type { ReadOptions, SelectionOptions, SendOptions } from '../kubeClient.js';

/** @internal */
export const sending: OptionRules<SendOptions> = { beforeSend: rules.function, rateLimited: rules.boolean };
/** @internal */
export const selection: OptionRules<SelectionOptions> = {
  namespace: rules.string,
  labelSelector: rules.either(rules.string, rules.object),
  fieldSelector: rules.string,
};
const resourceVersionMatch = rules.oneOf('Exact', 'NotOlderThan');
/** @internal */
export const listed: OptionRules<ListRequest> = {
  limit: rules.number({ integer: true, min: 0 }),
  continue: rules.string,
  resourceVersion: rules.string,
  resourceVersionMatch,
  shardSelector: rules.string,
};
const watched: OptionRules<WatchRequest> = {
  resourceVersion: rules.string,
  resourceVersionMatch,
  allowWatchBookmarks: rules.boolean,
  sendInitialEvents: rules.boolean,
  timeoutSeconds: rules.number({ min: 0 }),
  shardSelector: rules.string,
};
const read: OptionRules<ReadOptions> = {
  managedFields: rules.oneOf('drop', 'keep'),
  metadataOnly: rules.boolean,
  sharedBy: rules.object,
  shard: rules.object,
  reader: rules.object,
};

const streams = {
  listChunks: { ...listed, ...selection, ...read, ...sending } as OptionRules<ListRequest & SelectionOptions & ReadOptions & SendOptions>,
  watch: { ...watched, ...selection, ...read, ...sending } as OptionRules<WatchRequest & SelectionOptions & ReadOptions & SendOptions>,
};

/** Checks the options of a client's list or watch: a misspelt `namespace` would read the whole cluster. */
export function checkStream(name: keyof typeof streams, options: object): void {
  checkOptions<object>(`client.${name}`, options, streams[name]);
}

/** `apiVersion` and `kind` of a resource's objects. */
export function typeOf(resource: Resource<KubernetesObject, never>): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind };
}
