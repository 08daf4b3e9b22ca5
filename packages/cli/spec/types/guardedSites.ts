import * as z from 'zod';
import type { KubernetesObject, V1CustomResourceDefinition } from 'rx-informer';
import { defineResource } from '@rx-informer/controller';
import { convert, validate, webhookManifests } from '@rx-informer/controller/webhooks';

const schema = z.object({ spec: z.object({ host: z.string(), listed: z.enum(['on', 'off']).optional() }) });

const defined = defineResource({
  group: 'example.com',
  kind: 'Site',
  scope: 'Namespaced',
  versions: { v1: { schema, storage: true }, v1beta1: { schema } },
});

/** What a module exports for `types --from`: the resource, and the manifests of its webhooks. */
export const sites: { readonly definition: V1CustomResourceDefinition } = defined;

const { v1, v1beta1 } = defined.versions;
const webhooks = [validate(defined, () => undefined), convert(v1, { resource: v1beta1, toHub: (site) => site, fromHub: (site) => site })];

export const manifests: readonly KubernetesObject[] = webhookManifests(webhooks, {
  service: { namespace: 'guard', name: 'guard' },
  definitions: [sites.definition],
});
