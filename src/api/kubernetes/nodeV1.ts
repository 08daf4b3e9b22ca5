// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1Toleration } from './coreV1.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1RuntimeClass`. */
export interface V1Overhead {
  readonly podFixed?: Readonly<Record<string, string>>;
}

/** An object of `runtimeclasses.node.k8s.io` in `node.k8s.io/v1`. */
export interface V1RuntimeClass {
  readonly apiVersion?: string;
  readonly handler: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly overhead?: V1Overhead;
  readonly scheduling?: V1Scheduling;
}

/** A list of `V1RuntimeClass`. */
export type V1RuntimeClassList = KubernetesList<V1RuntimeClass>;

/** Part of `V1RuntimeClass`. */
export interface V1Scheduling {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly V1Toleration[];
}
