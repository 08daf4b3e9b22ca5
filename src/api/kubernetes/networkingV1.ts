// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1TypedLocalObjectReference } from './coreV1.js';
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V1HTTPIngressRuleValue`. */
export interface V1HTTPIngressPath {
  readonly backend: V1IngressBackend;
  readonly path?: string;
  readonly pathType: string;
}

/** Part of `V1IngressRule`. */
export interface V1HTTPIngressRuleValue {
  readonly paths: readonly V1HTTPIngressPath[];
}

/** An object of `ipaddresses.networking.k8s.io` in `networking.k8s.io/v1`. */
export interface V1IPAddress {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1IPAddressSpec;
}

/** A list of `V1IPAddress`. */
export type V1IPAddressList = KubernetesList<V1IPAddress>;

/** Part of `V1IPAddress`. */
export interface V1IPAddressSpec {
  readonly parentRef: V1ParentReference;
}

/** Part of `V1NetworkPolicyPeer`. */
export interface V1IPBlock {
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** An object of `ingresses.networking.k8s.io` in `networking.k8s.io/v1`. */
export interface V1Ingress {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1IngressSpec;
  readonly status?: V1IngressStatus;
}

/** Part of `V1HTTPIngressPath`, `V1IngressSpec`. */
export interface V1IngressBackend {
  readonly resource?: V1TypedLocalObjectReference;
  readonly service?: V1IngressServiceBackend;
}

/** An object of `ingressclasses.networking.k8s.io` in `networking.k8s.io/v1`. */
export interface V1IngressClass {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1IngressClassSpec;
}

/** A list of `V1IngressClass`. */
export type V1IngressClassList = KubernetesList<V1IngressClass>;

/** Part of `V1IngressClassSpec`. */
export interface V1IngressClassParametersReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly scope?: string;
}

/** Part of `V1IngressClass`. */
export interface V1IngressClassSpec {
  readonly controller?: string;
  readonly parameters?: V1IngressClassParametersReference;
}

/** A list of `V1Ingress`. */
export type V1IngressList = KubernetesList<V1Ingress>;

/** Part of `V1IngressLoadBalancerStatus`. */
export interface V1IngressLoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ports?: readonly V1IngressPortStatus[];
}

/** Part of `V1IngressStatus`. */
export interface V1IngressLoadBalancerStatus {
  readonly ingress?: readonly V1IngressLoadBalancerIngress[];
}

/** Part of `V1IngressLoadBalancerIngress`. */
export interface V1IngressPortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: string;
}

/** Part of `V1IngressSpec`. */
export interface V1IngressRule {
  readonly host?: string;
  readonly http?: V1HTTPIngressRuleValue;
}

/** Part of `V1IngressBackend`. */
export interface V1IngressServiceBackend {
  readonly name: string;
  readonly port?: V1ServiceBackendPort;
}

/** Part of `V1Ingress`. */
export interface V1IngressSpec {
  readonly defaultBackend?: V1IngressBackend;
  readonly ingressClassName?: string;
  readonly rules?: readonly V1IngressRule[];
  readonly tls?: readonly V1IngressTLS[];
}

/** Part of `V1Ingress`. */
export interface V1IngressStatus {
  readonly loadBalancer?: V1IngressLoadBalancerStatus;
}

/** Part of `V1IngressSpec`. */
export interface V1IngressTLS {
  readonly hosts?: readonly string[];
  readonly secretName?: string;
}

/** An object of `networkpolicies.networking.k8s.io` in `networking.k8s.io/v1`. */
export interface V1NetworkPolicy {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1NetworkPolicySpec;
}

/** Part of `V1NetworkPolicySpec`. */
export interface V1NetworkPolicyEgressRule {
  readonly ports?: readonly V1NetworkPolicyPort[];
  readonly to?: readonly V1NetworkPolicyPeer[];
}

/** Part of `V1NetworkPolicySpec`. */
export interface V1NetworkPolicyIngressRule {
  readonly from?: readonly V1NetworkPolicyPeer[];
  readonly ports?: readonly V1NetworkPolicyPort[];
}

/** A list of `V1NetworkPolicy`. */
export type V1NetworkPolicyList = KubernetesList<V1NetworkPolicy>;

/** Part of `V1NetworkPolicyEgressRule`, `V1NetworkPolicyIngressRule`. */
export interface V1NetworkPolicyPeer {
  readonly ipBlock?: V1IPBlock;
  readonly namespaceSelector?: V1LabelSelector;
  readonly podSelector?: V1LabelSelector;
}

/** Part of `V1NetworkPolicyEgressRule`, `V1NetworkPolicyIngressRule`. */
export interface V1NetworkPolicyPort {
  readonly endPort?: number;
  readonly port?: number | string;
  readonly protocol?: string;
}

/** Part of `V1NetworkPolicy`. */
export interface V1NetworkPolicySpec {
  readonly egress?: readonly V1NetworkPolicyEgressRule[];
  readonly ingress?: readonly V1NetworkPolicyIngressRule[];
  readonly podSelector?: V1LabelSelector;
  readonly policyTypes?: readonly string[];
}

/** Part of `V1IPAddressSpec`. */
export interface V1ParentReference {
  readonly group?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly resource: string;
}

/** Part of `V1IngressServiceBackend`. */
export interface V1ServiceBackendPort {
  readonly name?: string;
  readonly number?: number;
}

/** An object of `servicecidrs.networking.k8s.io` in `networking.k8s.io/v1`. */
export interface V1ServiceCIDR {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ServiceCIDRSpec;
  readonly status?: V1ServiceCIDRStatus;
}

/** A list of `V1ServiceCIDR`. */
export type V1ServiceCIDRList = KubernetesList<V1ServiceCIDR>;

/** Part of `V1ServiceCIDR`. */
export interface V1ServiceCIDRSpec {
  readonly cidrs?: readonly string[];
}

/** Part of `V1ServiceCIDR`. */
export interface V1ServiceCIDRStatus {
  readonly conditions?: readonly V1Condition[];
}
