// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectReference, V1PodTemplateSpec } from './coreV1.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** An object of `cronjobs.batch` in `batch/v1`. */
export interface V1CronJob {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1CronJobSpec;
  readonly status?: V1CronJobStatus;
}

/** A list of `V1CronJob`. */
export type V1CronJobList = KubernetesList<V1CronJob>;

/** Part of `V1CronJob`. */
export interface V1CronJobSpec {
  readonly concurrencyPolicy?: string;
  readonly failedJobsHistoryLimit?: number;
  readonly jobTemplate: V1JobTemplateSpec;
  readonly schedule: string;
  readonly startingDeadlineSeconds?: number;
  readonly successfulJobsHistoryLimit?: number;
  readonly suspend?: boolean;
  readonly timeZone?: string;
}

/** Part of `V1CronJob`. */
export interface V1CronJobStatus {
  readonly active?: readonly V1ObjectReference[];
  readonly lastScheduleTime?: string;
  readonly lastSuccessfulTime?: string;
}

/** An object of `jobs.batch` in `batch/v1`. */
export interface V1Job {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1JobSpec;
  readonly status?: V1JobStatus;
}

/** Part of `V1JobStatus`. */
export interface V1JobCondition {
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1Job`. */
export type V1JobList = KubernetesList<V1Job>;

/** Part of `V1Job`, `V1JobTemplateSpec`. */
export interface V1JobSpec {
  readonly activeDeadlineSeconds?: number;
  readonly backoffLimit?: number;
  readonly backoffLimitPerIndex?: number;
  readonly completionMode?: string;
  readonly completions?: number;
  readonly managedBy?: string;
  readonly manualSelector?: boolean;
  readonly maxFailedIndexes?: number;
  readonly parallelism?: number;
  readonly podFailurePolicy?: V1PodFailurePolicy;
  readonly podReplacementPolicy?: string;
  readonly selector?: V1LabelSelector;
  readonly successPolicy?: V1SuccessPolicy;
  readonly suspend?: boolean;
  readonly template: V1PodTemplateSpec;
  readonly ttlSecondsAfterFinished?: number;
}

/** Part of `V1Job`. */
export interface V1JobStatus {
  readonly active?: number;
  readonly completedIndexes?: string;
  readonly completionTime?: string;
  readonly conditions?: readonly V1JobCondition[];
  readonly failed?: number;
  readonly failedIndexes?: string;
  readonly ready?: number;
  readonly startTime?: string;
  readonly succeeded?: number;
  readonly terminating?: number;
  readonly uncountedTerminatedPods?: V1UncountedTerminatedPods;
}

/** Part of `V1CronJobSpec`. */
export interface V1JobTemplateSpec {
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1JobSpec;
}

/** Part of `V1JobSpec`. */
export interface V1PodFailurePolicy {
  readonly rules: readonly V1PodFailurePolicyRule[];
}

/** Part of `V1PodFailurePolicyRule`. */
export interface V1PodFailurePolicyOnExitCodesRequirement {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[];
}

/** Part of `V1PodFailurePolicyRule`. */
export interface V1PodFailurePolicyOnPodConditionsPattern {
  readonly status: string;
  readonly type: string;
}

/** Part of `V1PodFailurePolicy`. */
export interface V1PodFailurePolicyRule {
  readonly action: string;
  readonly onExitCodes?: V1PodFailurePolicyOnExitCodesRequirement;
  readonly onPodConditions?: readonly V1PodFailurePolicyOnPodConditionsPattern[];
}

/** Part of `V1JobSpec`. */
export interface V1SuccessPolicy {
  readonly rules: readonly V1SuccessPolicyRule[];
}

/** Part of `V1SuccessPolicy`. */
export interface V1SuccessPolicyRule {
  readonly succeededCount?: number;
  readonly succeededIndexes?: string;
}

/** Part of `V1JobStatus`. */
export interface V1UncountedTerminatedPods {
  readonly failed?: readonly string[];
  readonly succeeded?: readonly string[];
}
