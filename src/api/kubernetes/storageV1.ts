// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1PersistentVolumeSpec } from './coreV1.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V1CSIDriverSpec`. */
export interface StorageV1TokenRequest {
  readonly audience: string;
  readonly expirationSeconds?: number;
}

/** An object of `csidrivers.storage.k8s.io` in `storage.k8s.io/v1`. */
export interface V1CSIDriver {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1CSIDriverSpec;
}

/** A list of `V1CSIDriver`. */
export type V1CSIDriverList = KubernetesList<V1CSIDriver>;

/** Part of `V1CSIDriver`. */
export interface V1CSIDriverSpec {
  readonly attachRequired?: boolean;
  readonly fsGroupPolicy?: string;
  readonly nodeAllocatableUpdatePeriodSeconds?: number;
  readonly podInfoOnMount?: boolean;
  readonly requiresRepublish?: boolean;
  readonly seLinuxMount?: boolean;
  readonly storageCapacity?: boolean;
  readonly tokenRequests?: readonly StorageV1TokenRequest[];
  readonly volumeLifecycleModes?: readonly string[];
}

/** An object of `csinodes.storage.k8s.io` in `storage.k8s.io/v1`. */
export interface V1CSINode {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1CSINodeSpec;
}

/** Part of `V1CSINodeSpec`. */
export interface V1CSINodeDriver {
  readonly allocatable?: V1VolumeNodeResources;
  readonly name: string;
  readonly nodeID: string;
  readonly topologyKeys?: readonly string[];
}

/** A list of `V1CSINode`. */
export type V1CSINodeList = KubernetesList<V1CSINode>;

/** Part of `V1CSINode`. */
export interface V1CSINodeSpec {
  readonly drivers: readonly V1CSINodeDriver[];
}

/** An object of `csistoragecapacities.storage.k8s.io` in `storage.k8s.io/v1`. */
export interface V1CSIStorageCapacity {
  readonly apiVersion?: string;
  readonly capacity?: string;
  readonly kind?: string;
  readonly maximumVolumeSize?: string;
  readonly metadata?: V1ObjectMeta;
  readonly nodeTopology?: V1LabelSelector;
  readonly storageClassName: string;
}

/** A list of `V1CSIStorageCapacity`. */
export type V1CSIStorageCapacityList = KubernetesList<V1CSIStorageCapacity>;

/** An object of `storageclasses.storage.k8s.io` in `storage.k8s.io/v1`. */
export interface V1StorageClass {
  readonly allowVolumeExpansion?: boolean;
  readonly allowedTopologies?: readonly V1TopologySelectorTerm[];
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly mountOptions?: readonly string[];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly provisioner: string;
  readonly reclaimPolicy?: string;
  readonly volumeBindingMode?: string;
}

/** A list of `V1StorageClass`. */
export type V1StorageClassList = KubernetesList<V1StorageClass>;

/** Part of `V1TopologySelectorTerm`. */
export interface V1TopologySelectorLabelRequirement {
  readonly key: string;
  readonly values: readonly string[];
}

/** Part of `V1StorageClass`. */
export interface V1TopologySelectorTerm {
  readonly matchLabelExpressions?: readonly V1TopologySelectorLabelRequirement[];
}

/** An object of `volumeattachments.storage.k8s.io` in `storage.k8s.io/v1`. */
export interface V1VolumeAttachment {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1VolumeAttachmentSpec;
  readonly status?: V1VolumeAttachmentStatus;
}

/** A list of `V1VolumeAttachment`. */
export type V1VolumeAttachmentList = KubernetesList<V1VolumeAttachment>;

/** Part of `V1VolumeAttachmentSpec`. */
export interface V1VolumeAttachmentSource {
  readonly inlineVolumeSpec?: V1PersistentVolumeSpec;
  readonly persistentVolumeName?: string;
}

/** Part of `V1VolumeAttachment`. */
export interface V1VolumeAttachmentSpec {
  readonly attacher: string;
  readonly nodeName: string;
  readonly source: V1VolumeAttachmentSource;
}

/** Part of `V1VolumeAttachment`. */
export interface V1VolumeAttachmentStatus {
  readonly attachError?: V1VolumeError;
  readonly attached: boolean;
  readonly attachmentMetadata?: Readonly<Record<string, string>>;
  readonly detachError?: V1VolumeError;
}

/** An object of `volumeattributesclasses.storage.k8s.io` in `storage.k8s.io/v1`. */
export interface V1VolumeAttributesClass {
  readonly apiVersion?: string;
  readonly driverName: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A list of `V1VolumeAttributesClass`. */
export type V1VolumeAttributesClassList = KubernetesList<V1VolumeAttributesClass>;

/** Part of `V1VolumeAttachmentStatus`. */
export interface V1VolumeError {
  readonly errorCode?: number;
  readonly message?: string;
  readonly time?: string | null;
}

/** Part of `V1CSINodeDriver`. */
export interface V1VolumeNodeResources {
  readonly count?: number;
}
