// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
export type { LabelSelectorObject as V1LabelSelector } from '../selectors.js';
export type { ListMeta as V1ListMeta, ManagedFieldsEntry as V1ManagedFieldsEntry, ObjectMeta as V1ObjectMeta, OwnerReference as V1OwnerReference } from '../kubernetesObject.js';
export type { Status as V1Status, StatusCause as V1StatusCause, StatusDetails as V1StatusDetails } from '../errors/apiError.js';

/** Part of `V1APIGroupList`. */
export interface V1APIGroup {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name: string;
  readonly preferredVersion?: V1GroupVersionForDiscovery;
  readonly serverAddressByClientCIDRs?: readonly V1ServerAddressByClientCIDR[];
  readonly versions: readonly V1GroupVersionForDiscovery[];
}

/** The body of a request or of an answer. */
export interface V1APIGroupList {
  readonly apiVersion?: string;
  readonly groups: readonly V1APIGroup[];
  readonly kind?: string;
}

/** Part of `V1APIResourceList`. */
export interface V1APIResource {
  readonly categories?: readonly string[];
  readonly group?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly singularName: string;
  readonly storageVersionHash?: string;
  readonly verbs: readonly string[];
  readonly version?: string;
}

/** The body of a request or of an answer. */
export interface V1APIResourceList {
  readonly apiVersion?: string;
  readonly groupVersion: string;
  readonly kind?: string;
  readonly resources: readonly V1APIResource[];
}

/** The body of a request or of an answer. */
export interface V1APIVersions {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly serverAddressByClientCIDRs: readonly V1ServerAddressByClientCIDR[];
  readonly versions: readonly string[];
}

/** Part of `V1AllocatedDeviceStatus`, `V1PodDisruptionBudgetStatus`, `V1ServiceCIDRStatus` and others. */
export interface V1Condition {
  readonly lastTransitionTime: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly reason: string;
  readonly status: string;
  readonly type: string;
}

/** Part of `V1Eviction`. */
export interface V1DeleteOptions {
  readonly apiVersion?: string;
  readonly dryRun?: readonly string[];
  readonly gracePeriodSeconds?: number;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly kind?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: V1Preconditions;
  readonly propagationPolicy?: string;
}

/** Part of `V1FieldSelectorAttributes`. */
export interface V1FieldSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Part of `V1APIGroup`. */
export interface V1GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

/** Part of `V1LabelSelector`, `V1LabelSelectorAttributes`. */
export interface V1LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Part of `V1DeleteOptions`. */
export interface V1Preconditions {
  readonly resourceVersion?: string;
  readonly uid?: string;
}

/** Part of `V1APIGroup`, `V1APIVersions`. */
export interface V1ServerAddressByClientCIDR {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

/** The body of a request or of an answer. */
export interface VersionInfo {
  readonly buildDate: string;
  readonly compiler: string;
  readonly emulationMajor?: string;
  readonly emulationMinor?: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly gitVersion: string;
  readonly goVersion: string;
  readonly major: string;
  readonly minCompatibilityMajor?: string;
  readonly minCompatibilityMinor?: string;
  readonly minor: string;
  readonly platform: string;
}
