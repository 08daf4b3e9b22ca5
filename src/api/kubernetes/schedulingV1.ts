// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `priorityclasses.scheduling.k8s.io` in `scheduling.k8s.io/v1`. */
export interface V1PriorityClass {
  readonly apiVersion?: string;
  readonly description?: string;
  readonly globalDefault?: boolean;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly preemptionPolicy?: string;
  readonly value: number;
}

/** A list of `V1PriorityClass`. */
export type V1PriorityClassList = KubernetesList<V1PriorityClass>;
