// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { V1FieldSelectorRequirement, V1LabelSelectorRequirement, V1ObjectMeta } from './metaV1.js';

/** Part of `V1ResourceAttributes`. */
export interface V1FieldSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly V1FieldSelectorRequirement[];
}

/** Part of `V1ResourceAttributes`. */
export interface V1LabelSelectorAttributes {
  readonly rawSelector?: string;
  readonly requirements?: readonly V1LabelSelectorRequirement[];
}

/** An object of `localsubjectaccessreviews.authorization.k8s.io` in `authorization.k8s.io/v1`. */
export interface V1LocalSubjectAccessReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1SubjectAccessReviewSpec;
  readonly status?: V1SubjectAccessReviewStatus;
}

/** Part of `V1SelfSubjectAccessReviewSpec`, `V1SubjectAccessReviewSpec`. */
export interface V1NonResourceAttributes {
  readonly path?: string;
  readonly verb?: string;
}

/** Part of `V1SubjectRulesReviewStatus`. */
export interface V1NonResourceRule {
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

/** Part of `V1SelfSubjectAccessReviewSpec`, `V1SubjectAccessReviewSpec`. */
export interface V1ResourceAttributes {
  readonly fieldSelector?: V1FieldSelectorAttributes;
  readonly group?: string;
  readonly labelSelector?: V1LabelSelectorAttributes;
  readonly name?: string;
  readonly namespace?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly verb?: string;
  readonly version?: string;
}

/** Part of `V1SubjectRulesReviewStatus`. */
export interface V1ResourceRule {
  readonly apiGroups?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
}

/** An object of `selfsubjectaccessreviews.authorization.k8s.io` in `authorization.k8s.io/v1`. */
export interface V1SelfSubjectAccessReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1SelfSubjectAccessReviewSpec;
  readonly status?: V1SubjectAccessReviewStatus;
}

/** Part of `V1SelfSubjectAccessReview`. */
export interface V1SelfSubjectAccessReviewSpec {
  readonly nonResourceAttributes?: V1NonResourceAttributes;
  readonly resourceAttributes?: V1ResourceAttributes;
}

/** An object of `selfsubjectrulesreviews.authorization.k8s.io` in `authorization.k8s.io/v1`. */
export interface V1SelfSubjectRulesReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1SelfSubjectRulesReviewSpec;
  readonly status?: V1SubjectRulesReviewStatus;
}

/** Part of `V1SelfSubjectRulesReview`. */
export interface V1SelfSubjectRulesReviewSpec {
  readonly namespace?: string;
}

/** An object of `subjectaccessreviews.authorization.k8s.io` in `authorization.k8s.io/v1`. */
export interface V1SubjectAccessReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1SubjectAccessReviewSpec;
  readonly status?: V1SubjectAccessReviewStatus;
}

/** Part of `V1LocalSubjectAccessReview`, `V1SubjectAccessReview`. */
export interface V1SubjectAccessReviewSpec {
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly groups?: readonly string[];
  readonly nonResourceAttributes?: V1NonResourceAttributes;
  readonly resourceAttributes?: V1ResourceAttributes;
  readonly uid?: string;
  readonly user?: string;
}

/** Part of `V1LocalSubjectAccessReview`, `V1SelfSubjectAccessReview`, `V1SubjectAccessReview`. */
export interface V1SubjectAccessReviewStatus {
  readonly allowed: boolean;
  readonly denied?: boolean;
  readonly evaluationError?: string;
  readonly reason?: string;
}

/** Part of `V1SelfSubjectRulesReview`. */
export interface V1SubjectRulesReviewStatus {
  readonly evaluationError?: string;
  readonly incomplete: boolean;
  readonly nonResourceRules: readonly V1NonResourceRule[] | null;
  readonly resourceRules: readonly V1ResourceRule[] | null;
}
