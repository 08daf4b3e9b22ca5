// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1Condition, V1ObjectMeta } from './metaV1.js';

/** An object of `ipaddresses.networking.k8s.io` in `networking.k8s.io/v1beta1`. */
export interface V1beta1IPAddress {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1beta1IPAddressSpec;
}

/** A list of `V1beta1IPAddress`. */
export type V1beta1IPAddressList = KubernetesList<V1beta1IPAddress>;

/** Part of `V1beta1IPAddress`. */
export interface V1beta1IPAddressSpec {
  readonly parentRef: V1beta1ParentReference;
}

/** Part of `V1beta1IPAddressSpec`. */
export interface V1beta1ParentReference {
  readonly group?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly resource: string;
}

/** An object of `servicecidrs.networking.k8s.io` in `networking.k8s.io/v1beta1`. */
export interface V1beta1ServiceCIDR {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1beta1ServiceCIDRSpec;
  readonly status?: V1beta1ServiceCIDRStatus;
}

/** A list of `V1beta1ServiceCIDR`. */
export type V1beta1ServiceCIDRList = KubernetesList<V1beta1ServiceCIDR>;

/** Part of `V1beta1ServiceCIDR`. */
export interface V1beta1ServiceCIDRSpec {
  readonly cidrs?: readonly string[];
}

/** Part of `V1beta1ServiceCIDR`. */
export interface V1beta1ServiceCIDRStatus {
  readonly conditions?: readonly V1Condition[];
}
