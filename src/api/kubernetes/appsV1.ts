// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1PersistentVolumeClaim, V1PodTemplateSpec } from './coreV1.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** An object of `controllerrevisions.apps` in `apps/v1`. */
export interface V1ControllerRevision {
  readonly apiVersion?: string;
  readonly data?: unknown;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly revision: number;
}

/** A list of `V1ControllerRevision`. */
export type V1ControllerRevisionList = KubernetesList<V1ControllerRevision>;

/** An object of `daemonsets.apps` in `apps/v1`. */
export interface V1DaemonSet {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1DaemonSetSpec;
  readonly status?: V1DaemonSetStatus;
}

/** Part of `V1DaemonSetStatus`. */
export interface V1DaemonSetCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1DaemonSet`. */
export type V1DaemonSetList = KubernetesList<V1DaemonSet>;

/** Part of `V1DaemonSet`. */
export interface V1DaemonSetSpec {
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: V1LabelSelector;
  readonly template: V1PodTemplateSpec;
  readonly updateStrategy?: V1DaemonSetUpdateStrategy;
}

/** Part of `V1DaemonSet`. */
export interface V1DaemonSetStatus {
  readonly collisionCount?: number;
  readonly conditions?: readonly V1DaemonSetCondition[];
  readonly currentNumberScheduled: number;
  readonly desiredNumberScheduled: number;
  readonly numberAvailable?: number;
  readonly numberMisscheduled: number;
  readonly numberReady: number;
  readonly numberUnavailable?: number;
  readonly observedGeneration?: number;
  readonly updatedNumberScheduled?: number;
}

/** Part of `V1DaemonSetSpec`. */
export interface V1DaemonSetUpdateStrategy {
  readonly rollingUpdate?: V1RollingUpdateDaemonSet;
  readonly type?: string;
}

/** An object of `deployments.apps` in `apps/v1`. */
export interface V1Deployment {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1DeploymentSpec;
  readonly status?: V1DeploymentStatus;
}

/** Part of `V1DeploymentStatus`. */
export interface V1DeploymentCondition {
  readonly lastTransitionTime?: string | null;
  readonly lastUpdateTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1Deployment`. */
export type V1DeploymentList = KubernetesList<V1Deployment>;

/** Part of `V1Deployment`. */
export interface V1DeploymentSpec {
  readonly minReadySeconds?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: V1LabelSelector;
  readonly strategy?: V1DeploymentStrategy;
  readonly template: V1PodTemplateSpec;
}

/** Part of `V1Deployment`. */
export interface V1DeploymentStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly V1DeploymentCondition[];
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas?: number;
  readonly terminatingReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly updatedReplicas?: number;
}

/** Part of `V1DeploymentSpec`. */
export interface V1DeploymentStrategy {
  readonly rollingUpdate?: V1RollingUpdateDeployment;
  readonly type?: string;
}

/** An object of `replicasets.apps` in `apps/v1`. */
export interface V1ReplicaSet {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ReplicaSetSpec;
  readonly status?: V1ReplicaSetStatus;
}

/** Part of `V1ReplicaSetStatus`. */
export interface V1ReplicaSetCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1ReplicaSet`. */
export type V1ReplicaSetList = KubernetesList<V1ReplicaSet>;

/** Part of `V1ReplicaSet`. */
export interface V1ReplicaSetSpec {
  readonly minReadySeconds?: number;
  readonly replicas?: number;
  readonly selector: V1LabelSelector;
  readonly template?: V1PodTemplateSpec;
}

/** Part of `V1ReplicaSet`. */
export interface V1ReplicaSetStatus {
  readonly availableReplicas?: number;
  readonly conditions?: readonly V1ReplicaSetCondition[];
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly terminatingReplicas?: number;
}

/** Part of `V1DaemonSetUpdateStrategy`. */
export interface V1RollingUpdateDaemonSet {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
}

/** Part of `V1DeploymentStrategy`. */
export interface V1RollingUpdateDeployment {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
}

/** Part of `V1StatefulSetUpdateStrategy`. */
export interface V1RollingUpdateStatefulSetStrategy {
  readonly maxUnavailable?: number | string;
  readonly partition?: number;
}

/** An object of `statefulsets.apps` in `apps/v1`. */
export interface V1StatefulSet {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1StatefulSetSpec;
  readonly status?: V1StatefulSetStatus;
}

/** Part of `V1StatefulSetStatus`. */
export interface V1StatefulSetCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1StatefulSet`. */
export type V1StatefulSetList = KubernetesList<V1StatefulSet>;

/** Part of `V1StatefulSetSpec`. */
export interface V1StatefulSetOrdinals {
  readonly start?: number;
}

/** Part of `V1StatefulSetSpec`. */
export interface V1StatefulSetPersistentVolumeClaimRetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}

/** Part of `V1StatefulSet`. */
export interface V1StatefulSetSpec {
  readonly minReadySeconds?: number;
  readonly ordinals?: V1StatefulSetOrdinals;
  readonly persistentVolumeClaimRetentionPolicy?: V1StatefulSetPersistentVolumeClaimRetentionPolicy;
  readonly podManagementPolicy?: string;
  readonly replicas?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: V1LabelSelector;
  readonly serviceName?: string;
  readonly template: V1PodTemplateSpec;
  readonly updateStrategy?: V1StatefulSetUpdateStrategy;
  readonly volumeClaimTemplates?: readonly V1PersistentVolumeClaim[];
}

/** Part of `V1StatefulSet`. */
export interface V1StatefulSetStatus {
  readonly availableReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly V1StatefulSetCondition[];
  readonly currentReplicas?: number;
  readonly currentRevision?: string;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
  readonly updateRevision?: string;
  readonly updatedReplicas?: number;
}

/** Part of `V1StatefulSetSpec`. */
export interface V1StatefulSetUpdateStrategy {
  readonly rollingUpdate?: V1RollingUpdateStatefulSetStrategy;
  readonly type?: string;
}
