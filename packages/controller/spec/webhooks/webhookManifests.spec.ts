import { describe, expect, it } from '@jest/globals';
import { customResource, type KubernetesObject, resources, type V1CustomResourceDefinition } from 'rx-informer';
import { startApiServer } from '@rx-informer/api-server';
import { convert } from '../../src/webhooks/convert.js';
import { mutate } from '../../src/webhooks/mutate.js';
import { validate } from '../../src/webhooks/validate.js';
import { webhookManifests } from '../../src/webhooks/webhookManifests.js';

const { pods } = resources.core.v1;
const { clusterroles } = resources.rbac.v1;
const service = { namespace: 'guard', name: 'guard' };
const names = { group: 'example.com', plural: 'sites', kind: 'Site', namespaced: true };
const [v1, v1beta1] = ['v1', 'v1beta1'].map((version) => customResource<KubernetesObject>({ ...names, version })) as [
  ReturnType<typeof customResource>,
  ReturnType<typeof customResource>,
];
const same = (object: KubernetesObject): KubernetesObject => object;
const schema = { openAPIV3Schema: { type: 'object' } };
const definition: V1CustomResourceDefinition = {
  ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
  metadata: { name: 'sites.example.com', annotations: { kept: 'yes' } },
  spec: {
    ...{ group: 'example.com', scope: 'Namespaced', names: { plural: 'sites', kind: 'Site' } },
    versions: ['v1', 'v1beta1'].map((name) => ({ name, served: true, storage: name === 'v1', schema })),
  },
};

describe('webhookManifests', () => {
  const webhooks = [
    validate(pods, () => undefined, {
      ...{ operations: ['DELETE'], failurePolicy: 'Ignore', timeoutSeconds: 2, sideEffects: 'NoneOnDryRun' },
      namespaceSelector: { matchLabels: { team: 'a' } },
      objectSelector: { matchLabels: { app: 'b' } },
      matchConditions: [{ name: 'not-system', expression: '!request.userInfo.username.startsWith("system:")' }],
    }),
    validate(clusterroles, () => undefined),
    mutate(pods, () => undefined, { reinvocationPolicy: 'IfNeeded' }),
    convert(v1, { resource: v1beta1, toHub: same, fromHub: same }),
  ];

  it('writes a configuration of each type, and leaves its own namespace out', () => {
    const [, validating, mutating] = webhookManifests(webhooks, { service, definitions: [definition] });
    const own = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['guard'] };
    expect(validating).toEqual({
      ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name: 'guard' } },
      webhooks: [
        {
          name: 'validate.v1.pods.core',
          clientConfig: { service: { ...service, path: '/validate--v1-pod', port: 443 } },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods'], scope: 'Namespaced' }],
          ...{ failurePolicy: 'Ignore', matchPolicy: 'Equivalent', sideEffects: 'NoneOnDryRun', timeoutSeconds: 2 },
          admissionReviewVersions: ['v1'],
          namespaceSelector: { matchLabels: { team: 'a' }, matchExpressions: [own] },
          objectSelector: { matchLabels: { app: 'b' } },
          matchConditions: [{ name: 'not-system', expression: '!request.userInfo.username.startsWith("system:")' }],
        },
        expect.objectContaining({ name: 'validate.v1.clusterroles.rbac.authorization.k8s.io', failurePolicy: 'Fail', timeoutSeconds: 5 }),
      ],
    });
    expect(mutating).toMatchObject({
      kind: 'MutatingWebhookConfiguration',
      webhooks: [{ name: 'mutate.v1.pods.core', reinvocationPolicy: 'IfNeeded', namespaceSelector: { matchExpressions: [own] } }],
    });
  });

  it("gives definitions their conversion, and cert-manager's annotation where it is asked for", () => {
    const manifests = webhookManifests(webhooks, { service, injectFrom: 'guard/guard', definitions: [definition] });
    for (const { metadata } of manifests) expect(metadata?.annotations).toMatchObject({ 'cert-manager.io/inject-ca-from': 'guard/guard' });
    expect(manifests[0]).toMatchObject({
      metadata: { annotations: { kept: 'yes' } },
      spec: {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { service: { ...service, path: '/convert', port: 443 } }, conversionReviewVersions: ['v1'] },
        },
      },
    });
    expect(JSON.stringify(manifests)).not.toContain('caBundle');
  });

  it('names another port of the service, where 443 does not reach the pods', () => {
    const manifests = webhookManifests(webhooks, { service: { ...service, port: 8443 }, definitions: [definition] });
    expect(JSON.stringify(manifests).match(/"port":\d+/g)).toEqual(Array.from({ length: 4 }, () => '"port":8443'));
  });

  it('is valid for an API server, with a service and with an address', async () => {
    const server = await startApiServer();
    try {
      for (const options of [{ service }, { url: 'https://127.0.0.1:9443', name: 'outside', caBundle: 'CA' }])
        for (const manifest of webhookManifests(webhooks, { ...options, definitions: [definition] })) {
          const [group = '', version] = (manifest.apiVersion ?? '').split('/');
          const resource = await server.client.discovery.find(`${(manifest.kind ?? '').toLowerCase()}s.${version ?? ''}.${group}`);
          const created = await server.client.create(resource, { ...manifest }, { fieldValidation: 'Strict', dryRun: true });
          expect(created.metadata?.name).toBe(manifest.metadata?.name);
        }
    } finally {
      await server.close();
    }
  });

  it('refuses a definition with a version that is not converted', () => {
    const versions = [...definition.spec.versions, { name: 'v2', served: true, storage: false, schema }];
    const more = { ...definition, spec: { ...definition.spec, versions } };
    expect(() => webhookManifests(webhooks, { service, definitions: [more] })).toThrow('got none for v2');
  });

  it.each<readonly [object, string]>([
    [{}, 'Expected `service` or `url`'],
    [{ url: 'https://127.0.0.1' }, 'Expected `name`'],
    [{ service: { name: 'guard' } }, 'Expected `namespace` of `webhookManifests.service`'],
    [{ service, injectFrom: 'guard' }, 'a Certificate as \'namespace/name\', got "guard"'],
    [{ service, caBundel: 'x' }, 'did you mean `caBundle`?'],
  ])('refuses %j', (options, message) => {
    expect(() => webhookManifests(webhooks, options)).toThrow(message);
  });
});
