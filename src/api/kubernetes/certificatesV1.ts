// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `certificatesigningrequests.certificates.k8s.io` in `certificates.k8s.io/v1`. */
export interface V1CertificateSigningRequest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1CertificateSigningRequestSpec;
  readonly status?: V1CertificateSigningRequestStatus;
}

/** Part of `V1CertificateSigningRequestStatus`. */
export interface V1CertificateSigningRequestCondition {
  readonly lastTransitionTime?: string | null;
  readonly lastUpdateTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1CertificateSigningRequest`. */
export type V1CertificateSigningRequestList = KubernetesList<V1CertificateSigningRequest>;

/** Part of `V1CertificateSigningRequest`. */
export interface V1CertificateSigningRequestSpec {
  readonly expirationSeconds?: number;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly groups?: readonly string[];
  readonly request: string;
  readonly signerName: string;
  readonly uid?: string;
  readonly usages?: readonly string[];
  readonly username?: string;
}

/** Part of `V1CertificateSigningRequest`. */
export interface V1CertificateSigningRequestStatus {
  readonly certificate?: string;
  readonly conditions?: readonly V1CertificateSigningRequestCondition[];
}
