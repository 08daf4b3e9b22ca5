// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1alpha1StorageVersionMigrationSpec`. */
export interface V1alpha1GroupVersionResource {
  readonly group?: string;
  readonly resource?: string;
  readonly version?: string;
}

/** Part of `V1alpha1StorageVersionMigrationStatus`. */
export interface V1alpha1MigrationCondition {
  readonly lastUpdateTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** An object of `storageversionmigrations.storagemigration.k8s.io` in `storagemigration.k8s.io/v1alpha1`. */
export interface V1alpha1StorageVersionMigration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1alpha1StorageVersionMigrationSpec;
  readonly status?: V1alpha1StorageVersionMigrationStatus;
}

/** A list of `V1alpha1StorageVersionMigration`. */
export type V1alpha1StorageVersionMigrationList = KubernetesList<V1alpha1StorageVersionMigration>;

/** Part of `V1alpha1StorageVersionMigration`. */
export interface V1alpha1StorageVersionMigrationSpec {
  readonly continueToken?: string;
  readonly resource: V1alpha1GroupVersionResource;
}

/** Part of `V1alpha1StorageVersionMigration`. */
export interface V1alpha1StorageVersionMigrationStatus {
  readonly conditions?: readonly V1alpha1MigrationCondition[];
  readonly resourceVersion?: string;
}
