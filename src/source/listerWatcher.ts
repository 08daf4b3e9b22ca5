import type { Observable } from 'rxjs';
import { checkOptions, definedOf, expectArgument, type OptionRules, rules } from '../api/options.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import { parseFieldSelector, parseLabelSelector } from '../api/selectors.js';
import { apiVersionOf, expectResource, type Resource, resourceName, resourcePath } from '../api/resource.js';
import type { ListChunk, ListerWatcher, ListRequest, WatchChunk, WatchRequest } from '../api/listerWatcher.js';
import type { KubeClient, ReadOptions, SelectionOptions } from '../client/kubeClient.js';

/** All parameters of one list or watch. */
export type SourceRequest = ListRequest & WatchRequest & SelectionOptions;

/** Options of `listerWatcher`. */
export interface ListerWatcherOptions extends SelectionOptions, Omit<ReadOptions, 'reader'> {
  /** Whether the server can stream lists. @defaultValue the client's `watchList`, which is `false` in browsers */
  readonly watchList?: boolean | undefined;
  /** The name of this source's part, where several sources are merged. @defaultValue the namespace */
  readonly scope?: string | undefined;
  /**
   * Changes each request, list and watch alike: gets the request and returns the one to send. The versions, limits and timeouts in it are sent as
   * returned.
   */
  readonly tweakListOptions?: ((request: SourceRequest) => SourceRequest) | undefined;
}

/** The rules of the options of `listerWatcher`, and their names. Selectors are checked by their parsers. @internal */
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

function checkResource(resource: Resource<unknown, 'list' | 'watch'>): void {
  expectResource(resource);
  const verbs: Partial<Record<string, true>> = resource.verbs;
  for (const verb of ['list', 'watch']) {
    if (verbs[verb] !== true)
      throw new TypeError(`Expected \`resource\` to be one that the server can ${verb}, got ${resourceName(resource)}`);
  }
}

/** The selection, without selectors that select everything. */
function selectionOf({ namespace = '', labelSelector = '', fieldSelector = '' }: ListerWatcherOptions): SelectionOptions {
  const labels = parseLabelSelector(labelSelector).toString();
  const fields = parseFieldSelector(fieldSelector).length > 0 ? fieldSelector : undefined;
  return definedOf({ namespace: namespace || undefined, labelSelector: labels || undefined, fieldSelector: fields });
}

/**
 * Lists and watches one resource of an API server: the port that {@link reflect} reads from.
 *
 * ```text
 * list    --(ab)--(c)|        the parts of one answer, as they arrive
 * watch   -o----(a)--(cd)|    o: a part without events, the headers have arrived; it completes when the server closes it
 * ```
 *
 * Both are cold: each subscription sends one request, and unsubscribing aborts it. They fail with an ApiError when the server refused, and with
 * another Error when the connection failed. Every selector, `tweakListOptions` included, applies to lists, watches and streamed lists alike.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 * import { listerWatcher, reflect } from 'rx-informer/pipeline';
 *
 * const web = listerWatcher(createClient(), resources.core.v1.pods, { namespace: 'default', labelSelector: 'app=web' });
 * reflect(web).subscribe((event) => console.log(event.type));
 * ```
 *
 * @throws TypeError when the resource cannot be listed and watched, a selector or the namespace is wrong, or a cluster-scoped resource is given a
 * namespace.
 * @see client-go's `NewFilteredListWatchFromClient`
 */
export function listerWatcher<T extends KubernetesObject>(
  client: Pick<KubeClient, 'listChunks' | 'watch'> & Partial<Pick<KubeClient, 'watchList'>>,
  resource: Resource<T, 'list' | 'watch'>,
  options: ListerWatcherOptions = {},
): ListerWatcher<T> {
  checkResource(resource);
  checkOptions('listerWatcher', options, listerWatcherRules);
  const { managedFields, metadataOnly = false, sharedBy, shard, tweakListOptions = (request: SourceRequest) => request } = options;
  const watchList = options.watchList ?? client.watchList;
  const selection = selectionOf(options);
  resourcePath(resource, { namespace: selection.namespace });
  const reading = definedOf({ managedFields, metadataOnly: metadataOnly || undefined, sharedBy, shard, reader: {} });
  const sent = (request: SourceRequest): SourceRequest & ReadOptions => {
    const tweaked = tweakListOptions({ ...request, ...selection });
    // Without its selection, a request would read the whole cluster.
    expectArgument('listerWatcher', 'tweakListOptions()', tweaked, rules.object);
    return { ...tweaked, ...reading };
  };
  return {
    resource: resourceName(resource),
    scope: options.scope ?? selection.namespace ?? '',
    namespaced: resource.namespaced,
    expected: metadataOnly
      ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
      : { apiVersion: apiVersionOf(resource), kind: resource.kind },
    ...(watchList !== undefined && { watchList }),
    list: (request): Observable<ListChunk<T>> => client.listChunks(resource, sent(request)),
    watch: (request): Observable<WatchChunk<T>> => client.watch(resource, sent(request)),
  };
}
