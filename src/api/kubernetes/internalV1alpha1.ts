// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1alpha1StorageVersionStatus`. */
export interface V1alpha1ServerStorageVersion {
  readonly apiServerID?: string;
  readonly decodableVersions?: readonly string[];
  readonly encodingVersion?: string;
  readonly servedVersions?: readonly string[];
}

/** An object of `storageversions.internal.apiserver.k8s.io` in `internal.apiserver.k8s.io/v1alpha1`. */
export interface V1alpha1StorageVersion {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: unknown;
  readonly status: V1alpha1StorageVersionStatus;
}

/** Part of `V1alpha1StorageVersionStatus`. */
export interface V1alpha1StorageVersionCondition {
  readonly lastTransitionTime?: string | null;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1alpha1StorageVersion`. */
export type V1alpha1StorageVersionList = KubernetesList<V1alpha1StorageVersion>;

/** Part of `V1alpha1StorageVersion`. */
export interface V1alpha1StorageVersionStatus {
  readonly commonEncodingVersion?: string;
  readonly conditions?: readonly V1alpha1StorageVersionCondition[];
  readonly storageVersions?: readonly V1alpha1ServerStorageVersion[];
}
