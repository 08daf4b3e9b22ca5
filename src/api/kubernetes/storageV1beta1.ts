// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `volumeattributesclasses.storage.k8s.io` in `storage.k8s.io/v1beta1`. */
export interface V1beta1VolumeAttributesClass {
  readonly apiVersion?: string;
  readonly driverName: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A list of `V1beta1VolumeAttributesClass`. */
export type V1beta1VolumeAttributesClassList = KubernetesList<V1beta1VolumeAttributesClass>;
