import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  ingress: {
    path: '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
    body: { metadata: { name: 'x' }, spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  },
  ingressClass: {
    path: '/apis/networking.k8s.io/v1/ingressclasses',
    body: { metadata: { name: 'x' }, spec: { controller: 'a.example/b' } },
  },
  policy: {
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    body: { metadata: { name: 'x' }, spec: { podSelector: {} } },
  },
};

const rules: readonly Rule[] = [
  ['ingress', 'there is a rule or a default', { 'spec.defaultBackend': undefined }, ['spec: Invalid value']],
  ['ingress', 'a backend is a service or a resource', { 'spec.defaultBackend': {} }, ['spec.defaultBackend: Invalid value']],
  [
    'ingress',
    'and not both',
    { 'spec.defaultBackend': { resource: { kind: 'K', name: 'n' }, service: { name: 's', port: { number: 80 } } } },
    ['spec.defaultBackend: Invalid value'],
  ],
  ['ingress', 'a service has a name', { 'spec.defaultBackend.service.name': '' }, ['spec.defaultBackend.service.name: Required value']],
  ['ingress', 'which is a label', { 'spec.defaultBackend.service.name': 'a.b' }, ['spec.defaultBackend.service.name: Invalid value']],
  ['ingress', 'a port has a name or a number', { 'spec.defaultBackend.service.port': {} }, ['spec.defaultBackend: Required value']],
  ['ingress', 'and not both', { 'spec.defaultBackend.service.port': { name: 'a', number: 1 } }, ['spec.defaultBackend: Invalid value']],
  [
    'ingress',
    'a number of a port has an end',
    { 'spec.defaultBackend.service.port': { number: 65536 } },
    ['spec.defaultBackend.service.port.number: Invalid value'],
  ],
  [
    'ingress',
    'a name of a port has letters',
    { 'spec.defaultBackend.service.port': { name: '80' } },
    ['spec.defaultBackend.service.port.name: Invalid value'],
  ],
  [
    'ingress',
    'a resource has a kind and a name',
    { 'spec.defaultBackend': { resource: { kind: '', name: '' } } },
    ['spec.defaultBackend.resource.kind: Required value', 'spec.defaultBackend.resource.name: Required value'],
  ],
  ['ingress', 'a host is no address', { 'spec.rules': [{ host: '1.2.3.4' }] }, ['spec.rules[0].host: Invalid value']],
  ['ingress', 'a host is a domain', { 'spec.rules': [{ host: 'A_b' }] }, ['spec.rules[0].host: Invalid value']],
  ['ingress', 'a wildcard stands for the first label alone', { 'spec.rules': [{ host: 'a.*.b' }] }, ['spec.rules[0].host: Invalid value']],
  [
    'ingress',
    'a path is absolute',
    { 'spec.rules': [{ http: { paths: [{ path: 'a', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }] } }] },
    ['spec.rules[0].http.paths[0].path: Invalid value'],
  ],
  [
    'ingress',
    'a path has a type',
    { 'spec.rules': [{ http: { paths: [{ path: '/a', pathType: '', backend: { service: { name: 's', port: { number: 1 } } } }] } }] },
    ['spec.rules[0].http.paths[0].pathType: Unsupported value'],
  ],
  [
    'ingress',
    'of three',
    { 'spec.rules': [{ http: { paths: [{ path: '/a', pathType: 'Regex', backend: { service: { name: 's', port: { number: 1 } } } }] } }] },
    ['spec.rules[0].http.paths[0].pathType: Unsupported value'],
  ],
  [
    'ingress',
    'a path of another kind begins with a slash',
    {
      'spec.rules': [
        { http: { paths: [{ path: 'x', pathType: 'ImplementationSpecific', backend: { service: { name: 's', port: { number: 1 } } } }] } },
      ],
    },
    ['spec.rules[0].http.paths[0].path: Invalid value'],
  ],
  [
    'ingress',
    'hosts with certificates are domains',
    { 'spec.tls': [{ hosts: ['a b', '*.*.c'], secretName: 's' }] },
    ['spec.tls[0].hosts[0]: Invalid value', 'spec.tls[0].hosts[1]: Invalid value'],
  ],
  [
    'ingress',
    'a secret has a name of its kind',
    { 'spec.tls': [{ hosts: ['a'], secretName: 'A_' }] },
    ['spec.tls[0].secretName: Invalid value'],
  ],
  ['ingress', 'a class has a name of its kind', { 'spec.ingressClassName': 'A_' }, ['spec.ingressClassName: Invalid value']],
  [
    'ingressClass',
    'parameters have a kind and a name',
    { 'spec.parameters': { scope: 'Cluster', kind: '', name: '' } },
    ['spec.parameters.kind: Required value', 'spec.parameters.name: Required value'],
  ],
  [
    'ingressClass',
    'parameters of a namespace name it',
    { 'spec.parameters': { scope: 'Namespace', kind: 'K', name: 'n' } },
    ['spec.parameters.namespace: Required value'],
  ],
  [
    'ingressClass',
    'those of the cluster name none',
    { 'spec.parameters': { scope: 'Cluster', namespace: 'a', kind: 'K', name: 'n' } },
    ['spec.parameters.namespace: Forbidden'],
  ],
  [
    'ingressClass',
    'there are two scopes',
    { 'spec.parameters': { scope: 'World', kind: 'K', name: 'n' } },
    ['spec.parameters.scope: Unsupported value'],
  ],
  ['policy', 'a type is one of two', { 'spec.policyTypes': ['Sideways'] }, ['spec.policyTypes[0]: Unsupported value']],
  ['policy', 'a peer is something', { 'spec.ingress': [{ from: [{}] }] }, ['spec.ingress[0].from[0]: Required value']],
  [
    'policy',
    'a range stands alone',
    { 'spec.ingress': [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] },
    ['spec.ingress[0].from[0]: Forbidden'],
  ],
  [
    'policy',
    'a range is one',
    { 'spec.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0' } }] }] },
    ['spec.egress[0].to[0].ipBlock.cidr: Invalid value'],
  ],
  [
    'policy',
    'an end needs a number',
    { 'spec.ingress': [{ ports: [{ port: 'web', endPort: 90 }, { endPort: 90 }] }] },
    ['spec.ingress[0].ports[0].endPort: Invalid value', 'spec.ingress[0].ports[1].endPort: Invalid value'],
  ],
  [
    'policy',
    'and is not below it',
    { 'spec.ingress': [{ ports: [{ port: 80, endPort: 79 }] }] },
    ['spec.ingress[0].ports[0].endPort: Invalid value'],
  ],
  [
    'policy',
    'a protocol is one of three',
    { 'spec.ingress': [{ ports: [{ protocol: 'ICMP' }] }] },
    ['spec.ingress[0].ports[0].protocol: Unsupported value'],
  ],
  ['policy', 'a port has an end', { 'spec.ingress': [{ ports: [{ port: 65536 }] }] }, ['spec.ingress[0].ports[0].port: Invalid value']],
  [
    'policy',
    'a name of a port has letters',
    { 'spec.ingress': [{ ports: [{ port: '_' }] }] },
    ['spec.ingress[0].ports[0].port: Invalid value', 'spec.ingress[0].ports[0].port: Invalid value'],
  ],
];

describe('validation of ingresses, their classes and network policies', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it.each(Object.entries(bases))('takes what breaks no rule (%s)', async (_, base) => {
    expect(await createChanged(target, base, {})).toEqual([201, []]);
  });

  it.each(rules)('%s: %s', async (base, _, changes, said) => {
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, [...new Set(said)].sort()]);
  });
});
