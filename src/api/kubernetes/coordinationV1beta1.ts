// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `leasecandidates.coordination.k8s.io` in `coordination.k8s.io/v1beta1`. */
export interface V1beta1LeaseCandidate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1beta1LeaseCandidateSpec;
}

/** A list of `V1beta1LeaseCandidate`. */
export type V1beta1LeaseCandidateList = KubernetesList<V1beta1LeaseCandidate>;

/** Part of `V1beta1LeaseCandidate`. */
export interface V1beta1LeaseCandidateSpec {
  readonly binaryVersion: string;
  readonly emulationVersion?: string;
  readonly leaseName: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly strategy: string;
}
