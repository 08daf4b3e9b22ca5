// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1Condition, V1ObjectMeta } from './metaV1.js';

/** An object of `clustertrustbundles.certificates.k8s.io` in `certificates.k8s.io/v1alpha1`. */
export interface V1alpha1ClusterTrustBundle {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1alpha1ClusterTrustBundleSpec;
}

/** A list of `V1alpha1ClusterTrustBundle`. */
export type V1alpha1ClusterTrustBundleList = KubernetesList<V1alpha1ClusterTrustBundle>;

/** Part of `V1alpha1ClusterTrustBundle`. */
export interface V1alpha1ClusterTrustBundleSpec {
  readonly signerName?: string;
  readonly trustBundle: string;
}

/** An object of `podcertificaterequests.certificates.k8s.io` in `certificates.k8s.io/v1alpha1`. */
export interface V1alpha1PodCertificateRequest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1alpha1PodCertificateRequestSpec;
  readonly status?: V1alpha1PodCertificateRequestStatus;
}

/** A list of `V1alpha1PodCertificateRequest`. */
export type V1alpha1PodCertificateRequestList = KubernetesList<V1alpha1PodCertificateRequest>;

/** Part of `V1alpha1PodCertificateRequest`. */
export interface V1alpha1PodCertificateRequestSpec {
  readonly maxExpirationSeconds?: number;
  readonly nodeName: string;
  readonly nodeUID: string;
  readonly pkixPublicKey: string;
  readonly podName: string;
  readonly podUID: string;
  readonly proofOfPossession: string;
  readonly serviceAccountName: string;
  readonly serviceAccountUID: string;
  readonly signerName: string;
}

/** Part of `V1alpha1PodCertificateRequest`. */
export interface V1alpha1PodCertificateRequestStatus {
  readonly beginRefreshAt?: string;
  readonly certificateChain?: string;
  readonly conditions?: readonly V1Condition[];
  readonly notAfter?: string;
  readonly notBefore?: string;
}
