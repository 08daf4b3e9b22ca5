// Made by rx-informer types of gadgets.things.example.com, resources.things.example.com. Do not edit.
import { customResource, type KubernetesObject, type Resource, type UnstructuredObject } from '../../../src/index.js';

export interface GadgetV1beta1 extends KubernetesObject {
  readonly spec?: GadgetV1beta1Spec;
}

export interface GadgetV1beta1Spec {
  readonly size?: number;
}

/** gadgets.things.example.com, version v1beta1. */
export const gadgetsV1beta1: Resource<GadgetV1beta1> = customResource<GadgetV1beta1>({
  group: 'things.example.com',
  version: 'v1beta1',
  plural: 'gadgets',
  kind: 'Gadget',
  singular: 'gadget',
  shortNames: ['gd'],
  namespaced: true,
});

/** A gadget. */
export interface Gadget extends KubernetesObject {
  readonly spec: GadgetSpec;
  readonly status?: GadgetStatus;
}

export interface GadgetSpec {
  /** How it is called. Not *\/ the end of this comment. */
  readonly name: string;
  /** Default: `1`. */
  readonly replicas?: number;
  readonly weight?: number | null;
  readonly port: number | string;
  readonly mode: 'fast' | "it's slow";
  readonly level?: 1 | 2 | null;
  readonly enabled?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, number | string>>;
  readonly args?: readonly (string | null)[];
  /** No item twice. */
  readonly modes?: readonly ('a' | 'b')[];
  readonly matrix?: readonly (readonly number[])[];
  /** One item for each `name`. */
  readonly parts?: readonly {
    readonly name: string;
    readonly when?: string;
  }[];
  readonly template?: UnstructuredObject;
  readonly claim?: KubernetesObject & {
    readonly spec?: {
      readonly size: string;
    };
  };
  readonly plain?: KubernetesObject;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly mixed?: {
    readonly known: string;
    readonly [field: string]: unknown;
  };
  readonly anything?: unknown;
  readonly optional?: {
    readonly a?: string;
  } | null;
  readonly 'odd-key.example.com/x'?: string;
}

export interface GadgetStatus {
  readonly replicas?: number;
  /** One item for each `type`. */
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
  }[];
}

/** gadgets.things.example.com, version v1. */
export const gadgets: Resource<Gadget> = customResource<Gadget>({
  group: 'things.example.com',
  version: 'v1',
  plural: 'gadgets',
  kind: 'Gadget',
  singular: 'gadget',
  shortNames: ['gd'],
  namespaced: true,
  subresources: ['status', 'scale'],
});

export interface Resource2 extends KubernetesObject {
  readonly [field: string]: unknown;
}

/** resources.things.example.com, version v1. */
export const resources: Resource<Resource2> = customResource<Resource2>({
  group: 'things.example.com',
  version: 'v1',
  plural: 'resources',
  kind: 'Resource',
  namespaced: false,
});
