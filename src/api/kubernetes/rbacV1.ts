// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V1ClusterRoleBinding`, `V1RoleBinding`. */
export interface RbacV1Subject {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Part of `V1ClusterRole`. */
export interface V1AggregationRule {
  readonly clusterRoleSelectors?: readonly V1LabelSelector[];
}

/** An object of `clusterroles.rbac.authorization.k8s.io` in `rbac.authorization.k8s.io/v1`. */
export interface V1ClusterRole {
  readonly aggregationRule?: V1AggregationRule;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly rules?: readonly V1PolicyRule[] | null;
}

/** An object of `clusterrolebindings.rbac.authorization.k8s.io` in `rbac.authorization.k8s.io/v1`. */
export interface V1ClusterRoleBinding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly roleRef: V1RoleRef;
  readonly subjects?: readonly RbacV1Subject[];
}

/** A list of `V1ClusterRoleBinding`. */
export type V1ClusterRoleBindingList = KubernetesList<V1ClusterRoleBinding>;

/** A list of `V1ClusterRole`. */
export type V1ClusterRoleList = KubernetesList<V1ClusterRole>;

/** Part of `V1ClusterRole`, `V1Role`. */
export interface V1PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** An object of `roles.rbac.authorization.k8s.io` in `rbac.authorization.k8s.io/v1`. */
export interface V1Role {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly rules?: readonly V1PolicyRule[] | null;
}

/** An object of `rolebindings.rbac.authorization.k8s.io` in `rbac.authorization.k8s.io/v1`. */
export interface V1RoleBinding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly roleRef: V1RoleRef;
  readonly subjects?: readonly RbacV1Subject[];
}

/** A list of `V1RoleBinding`. */
export type V1RoleBindingList = KubernetesList<V1RoleBinding>;

/** A list of `V1Role`. */
export type V1RoleList = KubernetesList<V1Role>;

/** Part of `V1ClusterRoleBinding`, `V1RoleBinding`. */
export interface V1RoleRef {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}
