import type { Observable } from 'rxjs';
import { apiVersionOf } from '../api/apiVersionOf.js';
import type { KubernetesObject } from '../api/kubernetesObject.js';
import type { LabelSelectorObject } from '../api/selectors/labelSelector.js';
import type { ListChunk, ListerWatcher, ListRequest, WatchRequest } from '../api/listerWatcher.js';
import { parseFieldSelector } from '../api/selectors/fieldSelector.js';
import { parseLabelSelector } from '../api/selectors/parseLabelSelector.js';
import type { Resource } from '../api/resource.js';
import { resourceName } from '../api/resourceName.js';
import { resourcePath } from '../api/resourcePath.js';
import type { WatchEvent, WatchProgress } from '../api/events/watchEvent.js';
import type { KubeClient, SelectionOptions } from '../client/kubeClient.js';

/**
 * Everything that one list or watch asks the server for.
 */
export type SourceRequest = ListRequest & WatchRequest & SelectionOptions;

/**
 * Options of {@link listerWatcher}.
 */
export interface ListerWatcherOptions {
  /** One namespace; all when absent or empty. */
  readonly namespace?: string | undefined;
  /** The text of kubectl's `-l`, or the object that specs carry. */
  readonly labelSelector?: string | LabelSelectorObject | undefined;
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
  /** `false` for a server that is known not to stream lists. Default `true`. */
  readonly watchList?: boolean | undefined;
  /** What this source covers, where several are merged. Default: the namespace. */
  readonly scope?: string | undefined;
  /**
   * The last word about each request, list and watch alike: gets what is about to be asked and returns what is asked instead. Nothing protects
   * the versions, limits and timeouts in it.
   */
  readonly tweakListOptions?: ((request: SourceRequest) => SourceRequest) | undefined;
}

function checkResource(resource: Resource<unknown, 'list' | 'watch'>): void {
  const verbs: Partial<Record<string, true>> = resource.verbs;
  for (const verb of ['list', 'watch']) {
    if (verbs[verb] !== true)
      throw new TypeError(`Expected \`resource\` to be one that the server can ${verb}, got ${resourceName(resource)}`);
  }
}

function selectionOf(options: ListerWatcherOptions): SelectionOptions {
  const { namespace = '', labelSelector, fieldSelector } = options;
  const selection: { namespace?: string; labelSelector?: string; fieldSelector?: string } = {};
  if (namespace !== '') selection.namespace = namespace;
  if (labelSelector !== undefined) {
    const parsed = parseLabelSelector(labelSelector);
    if (parsed.requirements.length > 0) selection.labelSelector = typeof labelSelector === 'string' ? labelSelector : parsed.toString();
  }
  if (fieldSelector !== undefined && parseFieldSelector(fieldSelector).length > 0) selection.fieldSelector = fieldSelector;
  return selection;
}

/**
 * Lists and watches one resource of an API server: the port that {@link reflect} reads from.
 *
 * ```text
 * list    --(ab)--(c)|        the parts of one answer, as they arrive
 * watch   -o----a----d---|    o: PROGRESS, the headers have come; it completes when the server closes it
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
  client: Pick<KubeClient, 'listChunks' | 'watch'>,
  resource: Resource<T, 'list' | 'watch'>,
  options: ListerWatcherOptions = {},
): ListerWatcher<T> {
  checkResource(resource);
  const { managedFields, metadataOnly = false, sharedBy, tweakListOptions = (request: SourceRequest) => request } = options;
  if (managedFields !== undefined && !['drop', 'keep'].includes(managedFields)) {
    throw new TypeError(`Expected \`managedFields\` to be 'drop' or 'keep', got ${JSON.stringify(managedFields)}`);
  }
  if (typeof tweakListOptions !== 'function') {
    throw new TypeError(`Expected \`tweakListOptions\` to be a function, got ${JSON.stringify(tweakListOptions)}`);
  }
  const selection = selectionOf(options);
  resourcePath(resource, { namespace: selection.namespace });
  const reading = {
    ...(managedFields !== undefined && { managedFields }),
    ...(metadataOnly && { metadataOnly }),
    ...(sharedBy !== undefined && { sharedBy }),
  };
  return {
    resource: resourceName(resource),
    scope: options.scope ?? selection.namespace ?? '',
    expected: metadataOnly
      ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata' }
      : { apiVersion: apiVersionOf(resource), kind: resource.kind },
    ...(options.watchList !== undefined && { watchList: options.watchList }),
    list: (request): Observable<ListChunk<T>> =>
      client.listChunks(resource, { ...tweakListOptions({ ...request, ...selection }), ...reading }),
    watch: (request): Observable<WatchEvent<T> | WatchProgress> =>
      client.watch(resource, { ...tweakListOptions({ ...request, ...selection }), ...reading }),
  };
}
