import { checkOptions } from '../../api/options.js';
import type { KubernetesObject, ObjectMeta } from '../../api/kubernetesObject.js';
import type { Resource } from '../../api/resource.js';
import { createInformer } from '../createInformer.js';
import type { InformerClient } from '../parts/part.js';
import { type ResourceInformerOptions, resourceInformerRules } from '../informerOptions.js';
import { metadataRequests } from '../parts/requests.js';
import type { SharedInformer } from '../sharedInformer.js';

/** An object of which only the metadata was requested. */
export interface PartialObjectMetadata extends KubernetesObject {
  readonly metadata: ObjectMeta;
}

/** Options of `createMetadataInformer`. */
export type MetadataInformerOptions<U> = ResourceInformerOptions<PartialObjectMetadata, U>;

/**
 * Makes an informer of the metadata of a resource's objects alone: for programs that need names, labels, owners or
 * finalizers, at a fraction of the memory.
 *
 * @example
 * ```ts
 * import { createClient, createMetadataInformer, resources } from 'rx-informer';
 *
 * const secrets = createMetadataInformer(createClient(), resources.core.v1.secrets);
 * secrets.resource$.subscribe((event) => {
 *   if (event.type !== 'synced') console.log(event.object.metadata.labels);
 * });
 * ```
 *
 * @throws TypeError when an option is wrong, or the server cannot list and watch the resource.
 *
 * @see client-go: `metadatainformer`
 */
export function createMetadataInformer<U = PartialObjectMetadata>(
  client: InformerClient,
  resource: Resource<KubernetesObject, 'list' | 'watch'>,
  options: MetadataInformerOptions<U> = {},
): SharedInformer<U> {
  checkOptions<MetadataInformerOptions<U>>('createMetadataInformer', options, resourceInformerRules);
  // The server then sends this type for any resource.
  const metadata = resource as Resource<PartialObjectMetadata, 'list' | 'watch'>;
  return createInformer<PartialObjectMetadata, U>(client, metadata, { ...options, parts: [...(options.parts ?? []), metadataRequests] });
}
