// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V1alpha1Mutation`. */
export interface V1alpha1ApplyConfiguration {
  readonly expression?: string;
}

/** Part of `V1alpha1Mutation`. */
export interface V1alpha1JSONPatch {
  readonly expression?: string;
}

/** Part of `V1alpha1MutatingAdmissionPolicySpec`. */
export interface V1alpha1MatchCondition {
  readonly expression: string;
  readonly name: string;
}

/** Part of `V1alpha1MutatingAdmissionPolicyBindingSpec`, `V1alpha1MutatingAdmissionPolicySpec`. */
export interface V1alpha1MatchResources {
  readonly excludeResourceRules?: readonly V1alpha1NamedRuleWithOperations[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: V1LabelSelector;
  readonly objectSelector?: V1LabelSelector;
  readonly resourceRules?: readonly V1alpha1NamedRuleWithOperations[];
}

/** An object of `mutatingadmissionpolicies.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1alpha1`. */
export interface V1alpha1MutatingAdmissionPolicy {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1alpha1MutatingAdmissionPolicySpec;
}

/** An object of `mutatingadmissionpolicybindings.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1alpha1`. */
export interface V1alpha1MutatingAdmissionPolicyBinding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1alpha1MutatingAdmissionPolicyBindingSpec;
}

/** A list of `V1alpha1MutatingAdmissionPolicyBinding`. */
export type V1alpha1MutatingAdmissionPolicyBindingList = KubernetesList<V1alpha1MutatingAdmissionPolicyBinding>;

/** Part of `V1alpha1MutatingAdmissionPolicyBinding`. */
export interface V1alpha1MutatingAdmissionPolicyBindingSpec {
  readonly matchResources?: V1alpha1MatchResources;
  readonly paramRef?: V1alpha1ParamRef;
  readonly policyName?: string;
}

/** A list of `V1alpha1MutatingAdmissionPolicy`. */
export type V1alpha1MutatingAdmissionPolicyList = KubernetesList<V1alpha1MutatingAdmissionPolicy>;

/** Part of `V1alpha1MutatingAdmissionPolicy`. */
export interface V1alpha1MutatingAdmissionPolicySpec {
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly V1alpha1MatchCondition[];
  readonly matchConstraints?: V1alpha1MatchResources;
  readonly mutations?: readonly V1alpha1Mutation[];
  readonly paramKind?: V1alpha1ParamKind;
  readonly reinvocationPolicy?: string;
  readonly variables?: readonly V1alpha1Variable[];
}

/** Part of `V1alpha1MutatingAdmissionPolicySpec`. */
export interface V1alpha1Mutation {
  readonly applyConfiguration?: V1alpha1ApplyConfiguration;
  readonly jsonPatch?: V1alpha1JSONPatch;
  readonly patchType: string;
}

/** Part of `V1alpha1MatchResources`. */
export interface V1alpha1NamedRuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

/** Part of `V1alpha1MutatingAdmissionPolicySpec`. */
export interface V1alpha1ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Part of `V1alpha1MutatingAdmissionPolicyBindingSpec`. */
export interface V1alpha1ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly parameterNotFoundAction?: string;
  readonly selector?: V1LabelSelector;
}

/** Part of `V1alpha1MutatingAdmissionPolicySpec`. */
export interface V1alpha1Variable {
  readonly expression: string;
  readonly name: string;
}
