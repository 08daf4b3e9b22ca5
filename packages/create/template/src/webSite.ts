import { defineResource, type ObjectOf } from '@rx-informer/controller';
import * as z from 'zod';

const text = z.string().min(1);
const condition = z.object({
  ...{ type: text, status: text, reason: text, message: z.string() },
  lastTransitionTime: z.string().meta({ format: 'date-time' }),
  observedGeneration: z.int().optional(),
});
const conditions = z.array(condition).meta({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] });

/** WebSites: their type, their resource, and their definition, which `npm run crds` writes to crds/website.yaml. */
export const websites = defineResource({
  group: 'example.com',
  kind: 'WebSite',
  scope: 'Namespaced',
  shortNames: ['site'],
  versions: {
    v1: {
      schema: z.object({
        spec: z.object({
          host: text
            .describe('The name under which the site is found.')
            .meta({ 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'a site keeps its host' }] }),
          image: text,
          replicas: z.int().min(0).default(1),
        }),
        status: z.object({ readyReplicas: z.int(), conditions }).partial().optional(),
      }),
      columns: [
        { name: 'Host', type: 'string', jsonPath: '.spec.host' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      ],
    },
  },
});

export type WebSite = ObjectOf<typeof websites>;
export type WebSiteStatus = NonNullable<WebSite['status']>;
