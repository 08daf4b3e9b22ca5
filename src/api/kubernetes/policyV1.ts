// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1Condition, V1DeleteOptions, V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** The body of a request or of an answer. */
export interface V1Eviction {
  readonly apiVersion?: string;
  readonly deleteOptions?: V1DeleteOptions;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
}

/** An object of `poddisruptionbudgets.policy` in `policy/v1`. */
export interface V1PodDisruptionBudget {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1PodDisruptionBudgetSpec;
  readonly status?: V1PodDisruptionBudgetStatus;
}

/** A list of `V1PodDisruptionBudget`. */
export type V1PodDisruptionBudgetList = KubernetesList<V1PodDisruptionBudget>;

/** Part of `V1PodDisruptionBudget`. */
export interface V1PodDisruptionBudgetSpec {
  readonly maxUnavailable?: number | string;
  readonly minAvailable?: number | string;
  readonly selector?: V1LabelSelector;
  readonly unhealthyPodEvictionPolicy?: string;
}

/** Part of `V1PodDisruptionBudget`. */
export interface V1PodDisruptionBudgetStatus {
  readonly conditions?: readonly V1Condition[];
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed: number;
  readonly expectedPods: number;
  readonly observedGeneration?: number;
}
