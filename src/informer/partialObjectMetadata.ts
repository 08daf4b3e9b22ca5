import type { KubernetesObject, ObjectMeta } from '../api/kubernetesObject.js';

/** An object of which only the metadata was requested. */
export interface PartialObjectMetadata extends KubernetesObject {
  readonly metadata: ObjectMeta;
}
