// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `AdmissionregistrationV1WebhookClientConfig`. */
export interface AdmissionregistrationV1ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}

/** Part of `V1MutatingWebhook`, `V1ValidatingWebhook`. */
export interface AdmissionregistrationV1WebhookClientConfig {
  readonly caBundle?: string;
  readonly service?: AdmissionregistrationV1ServiceReference;
  readonly url?: string;
}

/** Part of `V1ValidatingAdmissionPolicySpec`. */
export interface V1AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** Part of `V1TypeChecking`. */
export interface V1ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/** Part of `V1MutatingWebhook`, `V1ValidatingAdmissionPolicySpec`, `V1ValidatingWebhook`. */
export interface V1MatchCondition {
  readonly expression: string;
  readonly name: string;
}

/** Part of `V1ValidatingAdmissionPolicyBindingSpec`, `V1ValidatingAdmissionPolicySpec`. */
export interface V1MatchResources {
  readonly excludeResourceRules?: readonly V1NamedRuleWithOperations[];
  readonly matchPolicy?: string;
  readonly namespaceSelector?: V1LabelSelector;
  readonly objectSelector?: V1LabelSelector;
  readonly resourceRules?: readonly V1NamedRuleWithOperations[];
}

/** Part of `V1MutatingWebhookConfiguration`. */
export interface V1MutatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: AdmissionregistrationV1WebhookClientConfig;
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly V1MatchCondition[];
  readonly matchPolicy?: string;
  readonly name: string;
  readonly namespaceSelector?: V1LabelSelector;
  readonly objectSelector?: V1LabelSelector;
  readonly reinvocationPolicy?: string;
  readonly rules?: readonly V1RuleWithOperations[];
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
}

/** An object of `mutatingwebhookconfigurations.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1`. */
export interface V1MutatingWebhookConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly webhooks?: readonly V1MutatingWebhook[];
}

/** A list of `V1MutatingWebhookConfiguration`. */
export type V1MutatingWebhookConfigurationList = KubernetesList<V1MutatingWebhookConfiguration>;

/** Part of `V1MatchResources`. */
export interface V1NamedRuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

/** Part of `V1ValidatingAdmissionPolicySpec`. */
export interface V1ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

/** Part of `V1ValidatingAdmissionPolicyBindingSpec`. */
export interface V1ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly parameterNotFoundAction?: string;
  readonly selector?: V1LabelSelector;
}

/** Part of `V1MutatingWebhook`, `V1ValidatingWebhook`. */
export interface V1RuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
}

/** Part of `V1ValidatingAdmissionPolicyStatus`. */
export interface V1TypeChecking {
  readonly expressionWarnings?: readonly V1ExpressionWarning[];
}

/** An object of `validatingadmissionpolicies.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1`. */
export interface V1ValidatingAdmissionPolicy {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ValidatingAdmissionPolicySpec;
  readonly status?: V1ValidatingAdmissionPolicyStatus;
}

/** An object of `validatingadmissionpolicybindings.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1`. */
export interface V1ValidatingAdmissionPolicyBinding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ValidatingAdmissionPolicyBindingSpec;
}

/** A list of `V1ValidatingAdmissionPolicyBinding`. */
export type V1ValidatingAdmissionPolicyBindingList = KubernetesList<V1ValidatingAdmissionPolicyBinding>;

/** Part of `V1ValidatingAdmissionPolicyBinding`. */
export interface V1ValidatingAdmissionPolicyBindingSpec {
  readonly matchResources?: V1MatchResources;
  readonly paramRef?: V1ParamRef;
  readonly policyName?: string;
  readonly validationActions?: readonly string[];
}

/** A list of `V1ValidatingAdmissionPolicy`. */
export type V1ValidatingAdmissionPolicyList = KubernetesList<V1ValidatingAdmissionPolicy>;

/** Part of `V1ValidatingAdmissionPolicy`. */
export interface V1ValidatingAdmissionPolicySpec {
  readonly auditAnnotations?: readonly V1AuditAnnotation[];
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly V1MatchCondition[];
  readonly matchConstraints?: V1MatchResources;
  readonly paramKind?: V1ParamKind;
  readonly validations?: readonly V1Validation[];
  readonly variables?: readonly V1Variable[];
}

/** Part of `V1ValidatingAdmissionPolicy`. */
export interface V1ValidatingAdmissionPolicyStatus {
  readonly conditions?: readonly V1Condition[];
  readonly observedGeneration?: number;
  readonly typeChecking?: V1TypeChecking;
}

/** Part of `V1ValidatingWebhookConfiguration`. */
export interface V1ValidatingWebhook {
  readonly admissionReviewVersions: readonly string[];
  readonly clientConfig: AdmissionregistrationV1WebhookClientConfig;
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly V1MatchCondition[];
  readonly matchPolicy?: string;
  readonly name: string;
  readonly namespaceSelector?: V1LabelSelector;
  readonly objectSelector?: V1LabelSelector;
  readonly rules?: readonly V1RuleWithOperations[];
  readonly sideEffects: string;
  readonly timeoutSeconds?: number;
}

/** An object of `validatingwebhookconfigurations.admissionregistration.k8s.io` in `admissionregistration.k8s.io/v1`. */
export interface V1ValidatingWebhookConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly webhooks?: readonly V1ValidatingWebhook[];
}

/** A list of `V1ValidatingWebhookConfiguration`. */
export type V1ValidatingWebhookConfigurationList = KubernetesList<V1ValidatingWebhookConfiguration>;

/** Part of `V1ValidatingAdmissionPolicySpec`. */
export interface V1Validation {
  readonly expression: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

/** Part of `V1ValidatingAdmissionPolicySpec`. */
export interface V1Variable {
  readonly expression: string;
  readonly name: string;
}
