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

// What is expected was answered by a kube-apiserver 1.36.3.
const rules: readonly Rule[] = [
  [
    'ingress',
    'there is a rule or a default',
    { 'spec.defaultBackend': undefined },
    ['spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  ],
  [
    'ingress',
    'a backend is a service or a resource',
    { 'spec.defaultBackend': {} },
    ['spec.defaultBackend: Invalid value: "": resource or service backend is required'],
  ],
  [
    'ingress',
    'and not both',
    { 'spec.defaultBackend': { resource: { kind: 'K', name: 'n' }, service: { name: 's', port: { number: 80 } } } },
    ['spec.defaultBackend: Invalid value: "": cannot set both resource and service backends'],
  ],
  ['ingress', 'a service has a name', { 'spec.defaultBackend.service.name': '' }, ['spec.defaultBackend.service.name: Required value']],
  [
    'ingress',
    'which is a label',
    { 'spec.defaultBackend.service.name': 'a.b' },
    ['spec.defaultBackend.service.name: Invalid value: "a.b": must not contain dots'],
  ],
  [
    'ingress',
    'a port has a name or a number',
    { 'spec.defaultBackend.service.port': {} },
    ['spec.defaultBackend: Required value: port name or number is required'],
  ],
  [
    'ingress',
    'and not both',
    { 'spec.defaultBackend.service.port': { name: 'a', number: 1 } },
    ['spec.defaultBackend: Invalid value: "": cannot set both port name & port number'],
  ],
  [
    'ingress',
    'a number of a port has an end',
    { 'spec.defaultBackend.service.port': { number: 65536 } },
    ['spec.defaultBackend.service.port.number: Invalid value: 65536: must be between 1 and 65535, inclusive'],
  ],
  [
    'ingress',
    'a name of a port has letters',
    { 'spec.defaultBackend.service.port': { name: '80' } },
    ['spec.defaultBackend.service.port.name: Invalid value: "80": must contain at least one letter (a-z)'],
  ],
  [
    'ingress',
    'a resource has a kind and a name',
    { 'spec.defaultBackend': { resource: { kind: '', name: '' } } },
    ['spec.defaultBackend.resource.kind: Required value', 'spec.defaultBackend.resource.name: Required value'],
  ],
  [
    'ingress',
    'a host is no address',
    { 'spec.rules': [{ host: '1.2.3.4' }] },
    ['spec.rules[0].host: Invalid value: "1.2.3.4": must be a DNS name, not an IP address'],
  ],
  [
    'ingress',
    'a host is a domain',
    { 'spec.rules': [{ host: 'A_b' }] },
    [
      "spec.rules[0].host: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'ingress',
    'a wildcard stands for the first label alone',
    { 'spec.rules': [{ host: 'a.*.b' }] },
    [
      "spec.rules[0].host: Invalid value: \"a.*.b\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'ingress',
    'a path is absolute',
    { 'spec.rules': [{ http: { paths: [{ path: 'a', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }] } }] },
    ['spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path'],
  ],
  [
    'ingress',
    'a path has a type',
    { 'spec.rules': [{ http: { paths: [{ path: '/a', pathType: '', backend: { service: { name: 's', port: { number: 1 } } } }] } }] },
    ['spec.rules[0].http.paths[0].pathType: Unsupported value: "": supported values: "Exact", "ImplementationSpecific", "Prefix"'],
  ],
  [
    'ingress',
    'of three',
    { 'spec.rules': [{ http: { paths: [{ path: '/a', pathType: 'Regex', backend: { service: { name: 's', port: { number: 1 } } } }] } }] },
    ['spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"'],
  ],
  [
    'ingress',
    'a path has no empty part',
    {
      'spec.rules': [{ http: { paths: [{ path: '/a//b', pathType: 'Exact', backend: { service: { name: 's', port: { number: 1 } } } }] } }],
    },
    ['spec.rules[0].http.paths[0].path: Invalid value: "/a//b": must not contain \'//\''],
  ],
  [
    'ingress',
    'and does not go up',
    {
      'spec.rules': [
        { http: { paths: [{ path: '/a/../b', pathType: 'Exact', backend: { service: { name: 's', port: { number: 1 } } } }] } },
      ],
    },
    ['spec.rules[0].http.paths[0].path: Invalid value: "/a/../b": must not contain \'/../\''],
  ],
  [
    'ingress',
    'nor end so',
    {
      'spec.rules': [
        { http: { paths: [{ path: '/a/..', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }] } },
      ],
    },
    ['spec.rules[0].http.paths[0].path: Invalid value: "/a/..": cannot end with \'/..\''],
  ],
  [
    'ingress',
    'nor has escaped slashes',
    {
      'spec.rules': [
        { http: { paths: [{ path: '/a%2fb', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }] } },
      ],
    },
    ['spec.rules[0].http.paths[0].path: Invalid value: "/a%2fb": must not contain \'%2f\''],
  ],
  [
    'ingress',
    'a path of another kind begins with a slash',
    {
      'spec.rules': [
        { http: { paths: [{ path: 'x', pathType: 'ImplementationSpecific', backend: { service: { name: 's', port: { number: 1 } } } }] } },
      ],
    },
    ['spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path'],
  ],
  [
    'ingress',
    'hosts with certificates are domains',
    { 'spec.tls': [{ hosts: ['a b', '*.*.c'], secretName: 's' }] },
    [
      "spec.tls[0].hosts[0]: Invalid value: \"a b\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.tls[0].hosts[1]: Invalid value: \"*.*.c\": a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'ingress',
    'a secret has a name of its kind',
    { 'spec.tls': [{ hosts: ['a'], secretName: 'A_' }] },
    [
      "spec.tls[0].secretName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'ingress',
    'a class has a name of its kind',
    { 'spec.ingressClassName': 'A_' },
    [
      "spec.ingressClassName: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
  [
    'ingressClass',
    'a controller has a domain',
    { 'spec.controller': 'a' },
    ['spec.controller: Invalid value: "a": must be a domain-prefixed path (such as "acme.io/foo")'],
  ],
  [
    'ingressClass',
    'which is one',
    { 'spec.controller': 'A_/b' },
    [
      "spec.controller: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  ],
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
    ["spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
  ],
  [
    'ingressClass',
    'those of the cluster name none',
    { 'spec.parameters': { scope: 'Cluster', namespace: 'a', kind: 'K', name: 'n' } },
    ["spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
  ],
  [
    'ingressClass',
    'there are two scopes',
    { 'spec.parameters': { scope: 'World', kind: 'K', name: 'n' } },
    ['spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"'],
  ],
  [
    'ingressClass',
    'a controller is not too long',
    {
      'spec.controller':
        'a.example/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',
    },
    ['spec.controller: Too long: may not be more than 250 bytes'],
  ],
  [
    'policy',
    'a type is one of two',
    { 'spec.policyTypes': ['Sideways'] },
    ['spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"'],
  ],
  [
    'policy',
    'there are two at most',
    { 'spec.policyTypes': ['Ingress', 'Egress', 'Ingress'] },
    ['spec.policyTypes: Invalid value: ["Ingress","Egress","Ingress"]: may not specify more than two policyTypes'],
  ],
  ['policy', 'a peer is something', { 'spec.ingress': [{ from: [{}] }] }, ['spec.ingress[0].from[0]: Required value: must specify a peer']],
  [
    'policy',
    'a range stands alone',
    { 'spec.ingress': [{ from: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] },
    ['spec.ingress[0].from[0]: Forbidden: may not specify both ipBlock and another peer'],
  ],
  [
    'policy',
    'a range is one',
    { 'spec.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0' } }] }] },
    ['spec.egress[0].to[0].ipBlock.cidr: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'],
  ],
  [
    'policy',
    'exceptions lie within',
    { 'spec.egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', 'x'] } }] }] },
    [
      'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
      'spec.egress[0].to[0].ipBlock.except[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ],
  [
    'policy',
    'an end needs a number',
    { 'spec.ingress': [{ ports: [{ port: 'web', endPort: 90 }, { endPort: 90 }] }] },
    [
      'spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric',
      'spec.ingress[0].ports[1].endPort: Invalid value: 90: may not be specified when `port` is not specified',
    ],
  ],
  [
    'policy',
    'and is not below it',
    { 'spec.ingress': [{ ports: [{ port: 80, endPort: 79 }] }] },
    ['spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`'],
  ],
  [
    'policy',
    'a protocol is one of three',
    { 'spec.ingress': [{ ports: [{ protocol: 'ICMP' }] }] },
    ['spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"'],
  ],
  [
    'policy',
    'a port has an end',
    { 'spec.ingress': [{ ports: [{ port: 65536 }] }] },
    ['spec.ingress[0].ports[0].port: Invalid value: 65536: must be between 1 and 65535, inclusive'],
  ],
  [
    'policy',
    'a name of a port has letters',
    { 'spec.ingress': [{ ports: [{ port: '_' }] }] },
    [
      'spec.ingress[0].ports[0].port: Invalid value: "_": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      'spec.ingress[0].ports[0].port: Invalid value: "_": must contain at least one letter (a-z)',
    ],
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
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, said]);
  });
});
