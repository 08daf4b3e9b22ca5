// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V1beta1Mutation`. */
export interface V1beta1ApplyConfiguration {
  readonly expression?: string;
}

/** Part of `V1beta1Mutation`. */
export interface V1beta1JSONPatch {
  readonly expression?: string;
}

/** Part of `V1beta1MutatingAdmissionPolicySpec`. */
export interface V1beta1MatchCondition {
  readonly expression: string;
  readonly name: string;
}

/** Part of `V1beta1MutatingAdmissionPolicyBindingSpec`, `V1beta1MutatingAdmissionPolicySpec`. */
export interface V1beta1MatchResources {
  readonly excludeResourceRules?: readonly V1beta1NamedRuleWithOperations[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: V1LabelSelector;
  readonly objectSelector?: V1LabelSelector;
  readonly resourceRules?: readonly V1beta1NamedRuleWithOperations[];
}

/** An object of `mutatingadmissionpolicies.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1beta1`. */
export interface V1beta1MutatingAdmissionPolicy {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1beta1MutatingAdmissionPolicySpec;
}

/** An object of `mutatingadmissionpolicybindings.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1beta1`. */
export interface V1beta1MutatingAdmissionPolicyBinding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1beta1MutatingAdmissionPolicyBindingSpec;
}

/** A list of `V1beta1MutatingAdmissionPolicyBinding`. */
export type V1beta1MutatingAdmissionPolicyBindingList = KubernetesList<V1beta1MutatingAdmissionPolicyBinding>;

/** Part of `V1beta1MutatingAdmissionPolicyBinding`. */
export interface V1beta1MutatingAdmissionPolicyBindingSpec {
  readonly matchResources?: V1beta1MatchResources;
  readonly paramRef?: V1beta1ParamRef;
  readonly policyName?: string;
}

/** A list of `V1beta1MutatingAdmissionPolicy`. */
export type V1beta1MutatingAdmissionPolicyList = KubernetesList<V1beta1MutatingAdmissionPolicy>;

/** Part of `V1beta1MutatingAdmissionPolicy`. */
export interface V1beta1MutatingAdmissionPolicySpec {
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly V1beta1MatchCondition[];
  readonly matchConstraints?: V1beta1MatchResources;
  readonly mutations?: readonly V1beta1Mutation[];
  readonly paramKind?: V1beta1ParamKind;
  readonly reinvocationPolicy?: string;
  readonly variables?: readonly V1beta1Variable[];
}

/** Part of `V1beta1MutatingAdmissionPolicySpec`. */
export interface V1beta1Mutation {
  readonly applyConfiguration?: V1beta1ApplyConfiguration;
  readonly jsonPatch?: V1beta1JSONPatch;
  readonly patchType: string;
}

/** Part of `V1beta1MatchResources`. */
export interface V1beta1NamedRuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

/** Part of `V1beta1MutatingAdmissionPolicySpec`. */
export interface V1beta1ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Part of `V1beta1MutatingAdmissionPolicyBindingSpec`. */
export interface V1beta1ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly parameterNotFoundAction?: string;
  readonly selector?: V1LabelSelector;
}

/** Part of `V1beta1MutatingAdmissionPolicySpec`. */
export interface V1beta1Variable {
  readonly expression: string;
  readonly name: string;
}
