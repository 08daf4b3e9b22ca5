// Made by rx-informer types of gadgets.things.example.com, resources.things.example.com. Do not edit.
import { customResource, type KubernetesObject, type Resource, type UnstructuredObject } from 'rx-informer';

export interface GadgetV1beta1 extends KubernetesObject {
  readonly spec?: GadgetV1beta1Spec | undefined;
}

export interface GadgetV1beta1Spec {
  readonly size?: number | undefined;
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
  readonly status?: GadgetStatus | undefined;
}

export interface GadgetSpec {
  /** How it is called. Not *\/ the end of this comment. */
  readonly name: string;
  /** Default: `1`. */
  readonly replicas?: number | undefined;
  readonly weight?: number | null | undefined;
  readonly port: number | string;
  readonly mode: 'fast' | "it's slow";
  readonly level?: 1 | 2 | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly limits?: Readonly<Record<string, number | string>> | undefined;
  readonly args?: readonly (string | null)[] | undefined;
  /** No item twice. */
  readonly modes?: readonly ('a' | 'b')[] | undefined;
  readonly matrix?: readonly (readonly number[])[] | undefined;
  /** One item for each `name`. */
  readonly parts?: readonly {
    readonly name: string;
    readonly when?: string | undefined;
  }[] | undefined;
  readonly template?: UnstructuredObject | undefined;
  readonly claim?: KubernetesObject & {
    readonly spec?: {
      readonly size: string;
    } | undefined;
  } | undefined;
  readonly plain?: KubernetesObject | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  readonly mixed?: {
    readonly known: string;
    readonly [field: string]: unknown;
  } | undefined;
  readonly anything?: unknown;
  readonly optional?: {
    readonly a?: string | undefined;
  } | null | undefined;
  readonly 'odd-key.example.com/x'?: string | undefined;
}

export interface GadgetStatus {
  readonly replicas?: number | undefined;
  /** One item for each `type`. */
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
  }[] | undefined;
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
