// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `clustertrustbundles.certificates.k8s.io` in `certificates.k8s.io/v1beta1`. */
export interface V1beta1ClusterTrustBundle {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta1ClusterTrustBundleSpec;
}

/** A list of `V1beta1ClusterTrustBundle`. */
export type V1beta1ClusterTrustBundleList = KubernetesList<V1beta1ClusterTrustBundle>;

/** Part of `V1beta1ClusterTrustBundle`. */
export interface V1beta1ClusterTrustBundleSpec {
  readonly signerName?: string;
  readonly trustBundle: string;
}
