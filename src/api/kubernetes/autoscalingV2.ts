// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V2MetricSpec`. */
export interface V2ContainerResourceMetricSource {
  readonly container: string;
  readonly name: string;
  readonly target: V2MetricTarget;
}

/** Part of `V2MetricStatus`. */
export interface V2ContainerResourceMetricStatus {
  readonly container: string;
  readonly current: V2MetricValueStatus;
  readonly name: string;
}

/** Part of `V2HorizontalPodAutoscalerSpec`, `V2ObjectMetricSource`, `V2ObjectMetricStatus`. */
export interface V2CrossVersionObjectReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

/** Part of `V2MetricSpec`. */
export interface V2ExternalMetricSource {
  readonly metric: V2MetricIdentifier;
  readonly target: V2MetricTarget;
}

/** Part of `V2MetricStatus`. */
export interface V2ExternalMetricStatus {
  readonly current: V2MetricValueStatus;
  readonly metric: V2MetricIdentifier;
}

/** Part of `V2HPAScalingRules`. */
export interface V2HPAScalingPolicy {
  readonly periodSeconds: number;
  readonly type: string;
  readonly value: number;
}

/** Part of `V2HorizontalPodAutoscalerBehavior`. */
export interface V2HPAScalingRules {
  readonly policies?: readonly V2HPAScalingPolicy[];
  readonly selectPolicy?: string;
  readonly stabilizationWindowSeconds?: number;
  readonly tolerance?: string;
}

/** An object of `horizontalpodautoscalers.autoscaling` in `autoscaling/v2`. */
export interface V2HorizontalPodAutoscaler {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V2HorizontalPodAutoscalerSpec;
  readonly status?: V2HorizontalPodAutoscalerStatus;
}

/** Part of `V2HorizontalPodAutoscalerSpec`. */
export interface V2HorizontalPodAutoscalerBehavior {
  readonly scaleDown?: V2HPAScalingRules;
  readonly scaleUp?: V2HPAScalingRules;
}

/** Part of `V2HorizontalPodAutoscalerStatus`. */
export interface V2HorizontalPodAutoscalerCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V2HorizontalPodAutoscaler`. */
export type V2HorizontalPodAutoscalerList = KubernetesList<V2HorizontalPodAutoscaler>;

/** Part of `V2HorizontalPodAutoscaler`. */
export interface V2HorizontalPodAutoscalerSpec {
  readonly behavior?: V2HorizontalPodAutoscalerBehavior;
  readonly maxReplicas: number;
  readonly metrics?: readonly V2MetricSpec[];
  readonly minReplicas?: number;
  readonly scaleTargetRef: V2CrossVersionObjectReference;
}

/** Part of `V2HorizontalPodAutoscaler`. */
export interface V2HorizontalPodAutoscalerStatus {
  readonly conditions?: readonly V2HorizontalPodAutoscalerCondition[];
  readonly currentMetrics?: readonly V2MetricStatus[] | null;
  readonly currentReplicas?: number;
  readonly desiredReplicas: number;
  readonly lastScaleTime?: string;
  readonly observedGeneration?: number;
}

/** Part of `V2ExternalMetricSource`, `V2ExternalMetricStatus`, `V2ObjectMetricSource` and others. */
export interface V2MetricIdentifier {
  readonly name: string;
  readonly selector?: V1LabelSelector;
}

/** Part of `V2HorizontalPodAutoscalerSpec`. */
export interface V2MetricSpec {
  readonly containerResource?: V2ContainerResourceMetricSource;
  readonly external?: V2ExternalMetricSource;
  readonly object?: V2ObjectMetricSource;
  readonly pods?: V2PodsMetricSource;
  readonly resource?: V2ResourceMetricSource;
  readonly type: string;
}

/** Part of `V2HorizontalPodAutoscalerStatus`. */
export interface V2MetricStatus {
  readonly containerResource?: V2ContainerResourceMetricStatus;
  readonly external?: V2ExternalMetricStatus;
  readonly object?: V2ObjectMetricStatus;
  readonly pods?: V2PodsMetricStatus;
  readonly resource?: V2ResourceMetricStatus;
  readonly type: string;
}

/** Part of `V2ContainerResourceMetricSource`, `V2ExternalMetricSource`, `V2ObjectMetricSource` and others. */
export interface V2MetricTarget {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly type: string;
  readonly value?: string;
}

/** Part of `V2ContainerResourceMetricStatus`, `V2ExternalMetricStatus`, `V2ObjectMetricStatus` and others. */
export interface V2MetricValueStatus {
  readonly averageUtilization?: number;
  readonly averageValue?: string;
  readonly value?: string;
}

/** Part of `V2MetricSpec`. */
export interface V2ObjectMetricSource {
  readonly describedObject: V2CrossVersionObjectReference;
  readonly metric: V2MetricIdentifier;
  readonly target: V2MetricTarget;
}

/** Part of `V2MetricStatus`. */
export interface V2ObjectMetricStatus {
  readonly current: V2MetricValueStatus;
  readonly describedObject: V2CrossVersionObjectReference;
  readonly metric: V2MetricIdentifier;
}

/** Part of `V2MetricSpec`. */
export interface V2PodsMetricSource {
  readonly metric: V2MetricIdentifier;
  readonly target: V2MetricTarget;
}

/** Part of `V2MetricStatus`. */
export interface V2PodsMetricStatus {
  readonly current: V2MetricValueStatus;
  readonly metric: V2MetricIdentifier;
}

/** Part of `V2MetricSpec`. */
export interface V2ResourceMetricSource {
  readonly name: string;
  readonly target: V2MetricTarget;
}

/** Part of `V2MetricStatus`. */
export interface V2ResourceMetricStatus {
  readonly current: V2MetricValueStatus;
  readonly name: string;
}
