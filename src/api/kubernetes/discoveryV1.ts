// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectReference } from './coreV1.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1EndpointSlice`. */
export interface DiscoveryV1EndpointPort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
}

/** Part of `V1EndpointSlice`. */
export interface V1Endpoint {
  readonly addresses: readonly string[];
  readonly conditions?: V1EndpointConditions;
  readonly deprecatedTopology?: Readonly<Record<string, string>>;
  readonly hints?: V1EndpointHints;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: V1ObjectReference;
  readonly zone?: string;
}

/** Part of `V1Endpoint`. */
export interface V1EndpointConditions {
  readonly ready?: boolean;
  readonly serving?: boolean;
  readonly terminating?: boolean;
}

/** Part of `V1Endpoint`. */
export interface V1EndpointHints {
  readonly forNodes?: readonly V1ForNode[];
  readonly forZones?: readonly V1ForZone[];
}

/** An object of `endpointslices.discovery.k8s.io` in `discovery.k8s.io/v1`. */
export interface V1EndpointSlice {
  readonly addressType: string;
  readonly apiVersion?: string;
  readonly endpoints: readonly V1Endpoint[] | null;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly ports?: readonly DiscoveryV1EndpointPort[] | null;
}

/** A list of `V1EndpointSlice`. */
export type V1EndpointSliceList = KubernetesList<V1EndpointSlice>;

/** Part of `V1EndpointHints`. */
export interface V1ForNode {
  readonly name: string;
}

/** Part of `V1EndpointHints`. */
export interface V1ForZone {
  readonly name: string;
}
