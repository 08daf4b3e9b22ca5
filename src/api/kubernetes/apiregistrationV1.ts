// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1APIServiceSpec`. */
export interface ApiregistrationV1ServiceReference {
  readonly name?: string;
  readonly namespace?: string;
  readonly port?: number;
}

/** An object of `apiservices.apiregistration.k8s.io` in `apiregistration.k8s.io/v1`. */
export interface V1APIService {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1APIServiceSpec;
  readonly status?: V1APIServiceStatus;
}

/** Part of `V1APIServiceStatus`. */
export interface V1APIServiceCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1APIService`. */
export type V1APIServiceList = KubernetesList<V1APIService>;

/** Part of `V1APIService`. */
export interface V1APIServiceSpec {
  readonly caBundle?: string;
  readonly group?: string;
  readonly groupPriorityMinimum: number;
  readonly insecureSkipTLSVerify?: boolean;
  readonly service?: ApiregistrationV1ServiceReference;
  readonly version?: string;
  readonly versionPriority: number;
}

/** Part of `V1APIService`. */
export interface V1APIServiceStatus {
  readonly conditions?: readonly V1APIServiceCondition[];
}
