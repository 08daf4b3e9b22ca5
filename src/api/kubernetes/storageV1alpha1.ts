// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** An object of `volumeattributesclasses.storage.k8s.io` in `storage.k8s.io/v1alpha1`. */
export interface V1alpha1VolumeAttributesClass {
  readonly apiVersion?: string;
  readonly driverName: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A list of `V1alpha1VolumeAttributesClass`. */
export type V1alpha1VolumeAttributesClassList = KubernetesList<V1alpha1VolumeAttributesClass>;
