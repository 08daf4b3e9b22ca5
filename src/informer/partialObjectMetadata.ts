import type { KubernetesObject, ObjectMeta } from '../api/kubernetesObject.js';

/**
 * An object of which only the metadata was asked for.
 */
export interface PartialObjectMetadata extends KubernetesObject {
  readonly metadata: ObjectMeta;
}
