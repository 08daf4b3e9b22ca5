// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1alpha3DeviceSelector`. */
export interface V1alpha3CELDeviceSelector {
  readonly expression: string;
}

/** Part of `V1alpha3DeviceTaintSelector`. */
export interface V1alpha3DeviceSelector {
  readonly cel?: V1alpha3CELDeviceSelector;
}

/** Part of `V1alpha3DeviceTaintRuleSpec`. */
export interface V1alpha3DeviceTaint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string;
  readonly value?: string;
}

/** An object of `devicetaintrules.resource.k8s.io` in `resource.k8s.io/v1alpha3`. */
export interface V1alpha3DeviceTaintRule {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1alpha3DeviceTaintRuleSpec;
}

/** A list of `V1alpha3DeviceTaintRule`. */
export type V1alpha3DeviceTaintRuleList = KubernetesList<V1alpha3DeviceTaintRule>;

/** Part of `V1alpha3DeviceTaintRule`. */
export interface V1alpha3DeviceTaintRuleSpec {
  readonly deviceSelector?: V1alpha3DeviceTaintSelector;
  readonly taint: V1alpha3DeviceTaint;
}

/** Part of `V1alpha3DeviceTaintRuleSpec`. */
export interface V1alpha3DeviceTaintSelector {
  readonly device?: string;
  readonly deviceClassName?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly selectors?: readonly V1alpha3DeviceSelector[];
}
