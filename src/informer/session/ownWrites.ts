import { filter, isObservable, type Observable } from 'rxjs';
import { parseFieldSelector } from '../../api/selectors/fieldSelector.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { parseLabelSelector } from '../../api/selectors/parseLabelSelector.js';
import type { Resource } from '../../api/resource.js';
import type { ClientWrite, KubeClient } from '../../client/kubeClient.js';
import type { SourceRequest } from '../../source/listerWatcherOptions.js';
import type { ResourceInformerOptions } from '../informerOptions.js';
import { matchesFields } from '../compat/matchesFields.js';

/**
 * The writes that a client makes to what an informer is about.
 */
export interface OwnWrites<T> {
  readonly write$: Observable<ClientWrite>;
  /** What the source would bring of an object that the server answered with; undefined where it would not. Throws where that cannot be told. */
  readonly sourced: (written: KubernetesObject) => T | undefined;
}

type Options<T, U> = Pick<
  ResourceInformerOptions<T, U>,
  'labelSelector' | 'fieldSelector' | 'managedFields' | 'metadataOnly' | 'tweakListOptions'
>;

/** An object as a list or watch would bring it, in a copy: the answer belongs to whoever has asked for the write. */
function read<T, U>(written: KubernetesObject, { managedFields = 'drop', metadataOnly = false }: Options<T, U>): KubernetesObject {
  const object = JSON.parse(JSON.stringify(written)) as KubernetesObject;
  const { managedFields: managed, ...rest } = object.metadata ?? {};
  const metadata = managedFields === 'keep' && managed !== undefined ? { ...rest, managedFields: managed } : rest;
  return metadataOnly ? { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata } : { ...object, metadata };
}

/**
 * Picks a client's writes to a resource, in the namespaces that are covered at the time.
 *
 * @throws TypeError when the client does not tell its writes.
 */
export function ownWritesOf<T extends KubernetesObject, U>(
  { writes$ }: Partial<Pick<KubeClient, 'writes$'>>,
  resource: Resource<T, 'list' | 'watch'>,
  options: Options<T, U>,
  isCovered: (namespace: string) => boolean,
): OwnWrites<T> {
  if (!isObservable(writes$)) throw new TypeError('Expected a client with `writes$` for `readYourWrites`, got one without');
  const { tweakListOptions = (request: SourceRequest): SourceRequest => request } = options;
  const { labelSelector = '', fieldSelector = '' } = tweakListOptions({
    labelSelector: options.labelSelector,
    fieldSelector: options.fieldSelector,
  });
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  return {
    // Another version of the resource has another shape: its writes show when the cache has them.
    write$: writes$.pipe(
      filter(
        ({ namespace, resource: { group, version, plural } }) =>
          group === resource.group && version === resource.version && plural === resource.plural && isCovered(namespace),
      ),
    ),
    sourced: (written) =>
      labels.matches(written.metadata?.labels) && matchesFields(fields, written) ? (read(written, options) as T) : undefined,
  };
}
