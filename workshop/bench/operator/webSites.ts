import { customResource, type KubernetesObject, type Resource, type V1CustomResourceDefinition } from 'rx-informer';

/** A parent of the benchmark. */
export interface WebSite extends KubernetesObject {
  readonly spec: { readonly host: string; readonly image: string; readonly replicas: number };
  readonly status?: { readonly readyReplicas: number; readonly observedGeneration: number } | undefined;
}

const names = { group: 'example.com', kind: 'WebSite', plural: 'websites', singular: 'website' };

export const websites: Resource<WebSite> = customResource<WebSite>({
  ...names,
  version: 'v1',
  namespaced: true,
  subresources: ['status'],
});

const integer = { type: 'integer' };
const text = { type: 'string' };

export const definition: V1CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'websites.example.com' },
  spec: {
    group: names.group,
    scope: 'Namespaced',
    names: { kind: names.kind, plural: names.plural, singular: names.singular, listKind: 'WebSiteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { host: text, image: text, replicas: integer } },
              status: { type: 'object', properties: { readyReplicas: integer, observedGeneration: integer } },
            },
          },
        },
      },
    ],
  },
};
