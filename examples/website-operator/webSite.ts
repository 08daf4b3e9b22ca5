import { customResource, type KubernetesObject, type Resource, type V1CustomResourceDefinition } from '../../src/index.js';
import type { Condition } from '../../src/controller/index.js';

/** A site to be served: what the user wants, and what the operator made of it. */
export interface WebSite extends KubernetesObject {
  readonly spec: {
    /** The name under which the site is found. */
    readonly host: string;
    readonly image: string;
    readonly replicas?: number;
  };
  readonly status?: {
    readonly readyReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

const names = { group: 'example.com', version: 'v1', plural: 'websites', kind: 'WebSite' } as const;

export const websites: Resource<WebSite> = customResource<WebSite>({ ...names, namespaced: true, subresources: ['status'] });

const text = { type: 'string', minLength: 1 };
const fixed = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'a site keeps its host' }] };

export const webSiteDefinition: V1CustomResourceDefinition = {
  metadata: { name: `${names.plural}.${names.group}` },
  spec: {
    group: names.group,
    scope: 'Namespaced',
    names: { plural: names.plural, singular: 'website', kind: names.kind, shortNames: ['site'] },
    versions: [
      {
        name: names.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Host', type: 'string', jsonPath: '.spec.host' },
          { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                required: ['host', 'image'],
                properties: { host: { ...text, ...fixed }, image: text, replicas: { type: 'integer', minimum: 0, default: 1 } },
              },
              status: {
                type: 'object',
                properties: {
                  readyReplicas: { type: 'integer' },
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: {
                      type: 'object',
                      required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
                      properties: {
                        type: text,
                        status: text,
                        reason: text,
                        message: { type: 'string' },
                        lastTransitionTime: { type: 'string', format: 'date-time' },
                        observedGeneration: { type: 'integer' },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
