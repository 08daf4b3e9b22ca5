// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `leasecandidates.coordination.k8s.io` in `coordination.k8s.io/v1alpha2`. */
export interface V1alpha2LeaseCandidate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1alpha2LeaseCandidateSpec;
}

/** A list of `V1alpha2LeaseCandidate`. */
export type V1alpha2LeaseCandidateList = KubernetesList<V1alpha2LeaseCandidate>;

/** Part of `V1alpha2LeaseCandidate`. */
export interface V1alpha2LeaseCandidateSpec {
  readonly binaryVersion: string;
  readonly emulationVersion?: string;
  readonly leaseName: string;
  readonly pingTime?: string;
  readonly renewTime?: string;
  readonly strategy: string;
}
