// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { V1ObjectMeta } from './metaV1.js';

/** The body of a request or of an answer. */
export interface AuthenticationV1TokenRequest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1TokenRequestSpec;
  readonly status?: V1TokenRequestStatus;
}

/** Part of `V1TokenRequestSpec`. */
export interface V1BoundObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
}

/** An object of `selfsubjectreviews.authentication.k8s.io` in `authentication.k8s.io/v1`. */
export interface V1SelfSubjectReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly status?: V1SelfSubjectReviewStatus;
}

/** Part of `V1SelfSubjectReview`. */
export interface V1SelfSubjectReviewStatus {
  readonly userInfo?: V1UserInfo;
}

/** Part of `AuthenticationV1TokenRequest`. */
export interface V1TokenRequestSpec {
  readonly audiences: readonly string[];
  readonly boundObjectRef?: V1BoundObjectReference;
  readonly expirationSeconds?: number;
}

/** Part of `AuthenticationV1TokenRequest`. */
export interface V1TokenRequestStatus {
  readonly expirationTimestamp: string;
  readonly token: string;
}

/** An object of `tokenreviews.authentication.k8s.io` in `authentication.k8s.io/v1`. */
export interface V1TokenReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1TokenReviewSpec;
  readonly status?: V1TokenReviewStatus;
}

/** Part of `V1TokenReview`. */
export interface V1TokenReviewSpec {
  readonly audiences?: readonly string[];
  readonly token?: string;
}

/** Part of `V1TokenReview`. */
export interface V1TokenReviewStatus {
  readonly audiences?: readonly string[];
  readonly authenticated?: boolean;
  readonly error?: string;
  readonly user?: V1UserInfo;
}

/** Part of `V1SelfSubjectReviewStatus`, `V1TokenReviewStatus`. */
export interface V1UserInfo {
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly username?: string;
}
