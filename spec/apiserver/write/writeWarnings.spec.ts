import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const metadata = { name: 'w' };
const container = { name: 'c', image: 'i' };
const labels = { a: 'b' };
const template = (spec: object): object => ({ metadata: { labels }, spec: { containers: [container], ...spec } });
const deployment = (spec: object): object => ({ metadata, spec: { selector: { matchLabels: labels }, template: template(spec) } });

const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const cases: readonly (readonly [name: string, path: string, body: object, warnings: readonly string[]])[] = [
  ['nothing', pods, { metadata, spec: { containers: [container] } }, []],
  [
    'a label of nodes that is old',
    pods,
    { metadata, spec: { containers: [container], nodeSelector: { 'beta.kubernetes.io/os': 'x' } } },
    ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'no label whose name every object has',
    pods,
    { metadata, spec: { containers: [container], nodeSelector: { constructor: 'x', toString: 'y' } } },
    [],
  ],
  [
    'a kind of volume that is gone',
    deployments,
    deployment({ volumes: [{ name: 'v', glusterfs: { endpoints: 'a', path: 'b' } }] }),
    ['spec.template.spec.volumes[0].glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  ],
  [
    'ports with the same number, annotations that fields replace, and terms without a selector',
    deployments,
    {
      metadata,
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' } },
          spec: {
            affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a' }] } },
            containers: [{ ...container, ports: [{ containerPort: 1 }, { containerPort: 1, hostPort: 2 }, { containerPort: 1 }] }],
          },
        },
      },
    },
    [
      'spec.template.spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod',
      'spec.template.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
      'spec.template.spec.containers[0].ports[1]: overlapping port definition with spec.template.spec.containers[0].ports[0]',
      'spec.template.spec.containers[0].ports[2]: duplicate port definition with spec.template.spec.containers[0].ports[0]',
      'spec.template.spec.containers[0].ports[2]: overlapping port definition with spec.template.spec.containers[0].ports[1]',
    ],
  ],
  [
    'an annotation of an ingress that a field replaces',
    '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    {
      metadata: { ...metadata, annotations: { 'kubernetes.io/ingress.class': 'x' } },
      spec: { defaultBackend: { service: { name: 's', port: { number: 1 } } } },
    },
    [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`],
  ],
  [
    'a claim of a part of a byte',
    '/api/v1/namespaces/default/persistentvolumeclaims',
    { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1500m' } } } },
    ['spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  [
    'a volume that is recycled, and of a kind that is gone',
    '/api/v1/persistentvolumes',
    {
      metadata,
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Recycle',
        cephfs: { monitors: ['m'] },
      },
    },
    [
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
      'spec.cephfs: deprecated in v1.28, non-functional in v1.31+',
    ],
  ],
  [
    'secrets without a name or twice',
    deployments,
    deployment({ imagePullSecrets: [{ name: 'a' }, { name: 'a' }, { name: '' }] }),
    [
      'spec.template.spec.imagePullSecrets[1].name: duplicate name "a"',
      'spec.template.spec.imagePullSecrets[2].name: invalid empty name ""',
    ],
  ],
  [
    'parts of bytes, hidden variables and names of ports',
    pods,
    {
      metadata,
      spec: {
        containers: [
          {
            ...container,
            resources: { requests: { memory: '100m' } },
            env: [
              { name: 'A', value: 'b' },
              { name: 'A', value: 'c' },
            ],
            ports: [{ name: 'p', containerPort: 1 }],
          },
          { ...container, name: 'd', ports: [{ name: 'p', containerPort: 2 }] },
        ],
      },
    },
    [
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      'spec.containers[1].ports[0]: duplicate port name "p" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
    ],
  ],
  [
    'an owner that is named twice',
    '/api/v1/namespaces/default/configmaps',
    { metadata: { ...metadata, ownerReferences: [1, 2].map(() => ({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' })) } },
    [
      '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: u',
    ],
  ],
  [
    'external addresses of a service',
    '/api/v1/namespaces/default/services',
    { metadata, spec: { ports: [{ port: 1 }], externalIPs: ['1.2.3.4'] } },
    ['spec.externalIPs is deprecated and may no longer be implemented in some clusters'],
  ],
];

describe('a write that is accepted', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it.each(cases)('warns of %s', async (_, path, body, warnings) => {
    const { code, headers } = await target.request(`${path}?dryRun=All`, { method: 'POST', body });
    const shown = warnings.map((text) => `299 - ${JSON.stringify(text)}`);
    expect([code, headers.warning]).toEqual([201, shown.length === 0 ? undefined : shown.join(', ')]);
  });

  it('warns of a template again when it changes, and not otherwise', async () => {
    const old = deployment({ nodeSelector: { 'beta.kubernetes.io/os': 'x' } });
    await target.post(deployments, old);
    const again = await target.request(`${deployments}/w`, { method: 'PUT', body: old });
    expect([again.code, again.headers.warning]).toEqual([200, undefined]);
    const changed = deployment({ nodeSelector: { 'beta.kubernetes.io/os': 'y' } });
    expect((await target.request(`${deployments}/w`, { method: 'PUT', body: changed })).headers.warning).toContain(
      'deprecated since v1.14',
    );
  });
});
