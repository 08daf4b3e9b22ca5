// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1HorizontalPodAutoscalerSpec`. */
export interface V1CrossVersionObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** An object of `horizontalpodautoscalers.autoscaling` in `autoscaling/v1`. */
export interface V1HorizontalPodAutoscaler {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1HorizontalPodAutoscalerSpec;
  readonly status?: V1HorizontalPodAutoscalerStatus;
}

/** A list of `V1HorizontalPodAutoscaler`. */
export type V1HorizontalPodAutoscalerList = KubernetesList<V1HorizontalPodAutoscaler>;

/** Part of `V1HorizontalPodAutoscaler`. */
export interface V1HorizontalPodAutoscalerSpec {
  readonly maxReplicas: number;
  readonly minReplicas?: number;
  readonly scaleTargetRef: V1CrossVersionObjectReference;
  readonly targetCPUUtilizationPercentage?: number;
}

/** Part of `V1HorizontalPodAutoscaler`. */
export interface V1HorizontalPodAutoscalerStatus {
  readonly currentCPUUtilizationPercentage?: number;
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string;
  readonly observedGeneration?: number;
}

/** The body of a request or of an answer. */
export interface V1Scale {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ScaleSpec;
  readonly status?: V1ScaleStatus;
}

/** Part of `V1Scale`. */
export interface V1ScaleSpec {
  readonly replicas?: number;
}

/** Part of `V1Scale`. */
export interface V1ScaleStatus {
  readonly replicas: number;
  readonly selector?: string;
}
