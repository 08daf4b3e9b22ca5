import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  namespace: { path: '/api/v1/namespaces', body: { metadata: { name: 'x' } } },
  csr: {
    path: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    body: { metadata: { name: 'x' }, spec: { request: 'eA==', signerName: 'a.example/b', usages: ['client auth'] } },
  },
  endpoints: {
    path: '/api/v1/namespaces/default/endpoints',
    body: { metadata: { name: 'x' }, subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
  },
  slice: {
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
    body: { metadata: { name: 'x' }, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [] },
  },
  binding: {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    body: { metadata: { name: 'x' }, spec: { policyName: 'p', validationActions: ['Deny'] } },
  },
  policy: {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    body: {
      metadata: { name: 'x' },
      spec: {
        matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }] },
        validations: [{ expression: 'true' }],
      },
    },
  },
  level: {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
    body: { metadata: { name: 'x' }, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  },
  flow: {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    body: { metadata: { name: 'x' }, spec: { priorityLevelConfiguration: { name: 'global-default' }, rules: [] } },
  },
  roleBinding: {
    path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    body: { metadata: { name: 'x' }, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }, subjects: [] },
  },
};

const rules: readonly Rule[] = [
  [
    'namespace',
    'a finalizer is known, or has a domain',
    { spec: { finalizers: ['mine', 'a b'] } },
    ['spec.finalizers: Invalid value', 'spec.finalizers: Invalid value', 'spec.finalizers: Invalid value'],
  ],
  ['csr', 'a request is one of certificates', { 'spec.request': 'eA==' }, ['spec.request: Invalid value']],
  ['csr', 'usages are known', { 'spec.usages': ['joy'] }, ['spec.request: Invalid value', 'spec.usages[0]: Unsupported value']],
  [
    'endpoints',
    'an address is one',
    { subsets: [{ addresses: [{ ip: 'x' }], ports: [{ port: 80 }] }] },
    ['subsets[0].addresses[0].ip: Invalid value', 'subsets[0].addresses[0].ip: Invalid value'],
  ],
  ['slice', 'an address is one', { endpoints: [{ addresses: ['x'] }] }, ['endpoints[0].addresses[0]: Invalid value']],
  [
    'endpoints',
    'of somewhere',
    { subsets: [{ addresses: [{ ip: '0.0.0.0' }], ports: [{ port: 80 }] }] },
    ['subsets[0].addresses[0].ip: Invalid value'],
  ],
  ['slice', 'of somewhere', { endpoints: [{ addresses: ['0.0.0.0'] }] }, ['endpoints[0].addresses[0]: Invalid value']],
  [
    'endpoints',
    'not of this machine',
    { subsets: [{ addresses: [{ ip: '127.0.0.1' }], ports: [{ port: 80 }] }] },
    ['subsets[0].addresses[0].ip: Invalid value'],
  ],
  ['slice', 'not of this machine', { endpoints: [{ addresses: ['127.0.0.1'] }] }, ['endpoints[0].addresses[0]: Invalid value']],
  [
    'endpoints',
    'several ports have names',
    { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }, { name: 'b', port: 81 }] }] },
    ['subsets[0].ports[0].name: Required value'],
  ],
  [
    'endpoints',
    'a port has an end and a protocol',
    { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 65536, protocol: 'ICMP' }] }] },
    ['subsets[0].ports[0].port: Invalid value', 'subsets[0].ports[0].protocol: Unsupported value'],
  ],
  ['endpoints', 'there is an address', { subsets: [{ ports: [{ port: 80 }] }] }, ['subsets[0]: Required value']],
  ['slice', 'a type of addresses is one of three', { addressType: 'Phone' }, ['addressType: Unsupported value']],
  ['slice', 'an endpoint has addresses', { endpoints: [{ addresses: [] }] }, ['endpoints[0].addresses: Required value']],
  ['slice', 'ports are told apart', { ports: [{ port: 80 }, { port: 81 }] }, ['ports[1].name: Duplicate value']],
  [
    'binding',
    'parameters are named or selected',
    { 'spec.paramRef': { parameterNotFoundAction: 'Allow' } },
    ['spec.paramRef: Required value'],
  ],
  [
    'binding',
    'an action stands there once',
    { 'spec.validationActions': ['Deny', 'Deny'] },
    ['spec.validationActions[1]: Duplicate value'],
  ],
  [
    'binding',
    'denial and warning exclude each other',
    { 'spec.validationActions': ['Deny', 'Warn'] },
    ['spec.validationActions: Invalid value'],
  ],
  ['binding', 'an action is one of three', { 'spec.validationActions': ['Shout'] }, ['spec.validationActions[0]: Unsupported value']],
  [
    'binding',
    'selectors are such',
    { 'spec.matchResources': { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] }, matchPolicy: 'Near' } },
    [
      'spec.matchResources.matchPolicy: Unsupported value',
      'spec.matchResources.namespaceSelector.matchExpressions[0].values: Required value',
    ],
  ],
  [
    'policy',
    'there is something to validate',
    { 'spec.validations': [] },
    ['spec.validations: Required value', 'spec.auditAnnotations: Required value'],
  ],
  [
    'policy',
    'there is something to match',
    { 'spec.matchConstraints.resourceRules': [] },
    ['spec.matchConstraints.resourceRules: Required value'],
  ],
  [
    'policy',
    'an expression can be read',
    { 'spec.validations': [{ expression: '1 +' }] },
    ['spec.validations[0].expression: Invalid value'],
  ],
  ['policy', 'an expression is there', { 'spec.validations': [{ expression: '' }] }, ['spec.validations[0].expression: Required value']],
  [
    'policy',
    'a condition stands there once',
    {
      'spec.matchConditions': [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: 'true' },
      ],
    },
    ['spec.matchConditions[1].name: Duplicate value'],
  ],
  [
    'policy',
    'a reason is one of four',
    { 'spec.validations': [{ expression: 'true', reason: 'Mood' }] },
    ['spec.validations[0].reason: Unsupported value'],
  ],
  ['policy', 'a policy for failures is one of two', { 'spec.failurePolicy': 'Retry' }, ['spec.failurePolicy: Unsupported value']],
  ['level', 'a level has a type', { 'spec.type': '' }, ['spec.type: Required value']],
  ['level', 'a limited one has limits', { 'spec.limited': undefined }, ['spec.limited: Required value']],
  [
    'level',
    'who waits has a queue',
    { 'spec.limited.limitResponse': { type: 'Queue' } },
    ['spec.limited.limitResponse.queuing: Required value'],
  ],
  [
    'flow',
    'a rule has subjects',
    { 'spec.rules': [{ subjects: [], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }] },
    ['spec.rules[0].subjects: Required value'],
  ],
  [
    'flow',
    'a subject is what its kind says',
    { 'spec.rules': [{ subjects: [{ kind: 'User' }], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }] },
    ['spec.rules[0].subjects[0].user: Required value'],
  ],
  [
    'flow',
    'a verb is known',
    {
      'spec.rules': [
        { subjects: [{ kind: 'User', user: { name: 'u' } }], nonResourceRules: [{ verbs: ['sing'], nonResourceURLs: ['*'] }] },
      ],
    },
    ['spec.rules[0].nonResourceRules[0].verbs: Unsupported value'],
  ],
  [
    'flow',
    'a rule has a namespace or none',
    {
      'spec.rules': [
        { subjects: [{ kind: 'User', user: { name: 'u' } }], resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] },
      ],
    },
    ['spec.rules[0].resourceRules[0].namespaces: Required value'],
  ],
  [
    'roleBinding',
    'an account has a namespace',
    { subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
    ['subjects[0].namespace: Required value'],
  ],
  [
    'roleBinding',
    'a subject is one of three',
    { subjects: [{ kind: 'Pet', name: 'a', apiGroup: '' }] },
    ['subjects[0].kind: Unsupported value'],
  ],
  [
    'roleBinding',
    'a user is of the group of roles',
    { subjects: [{ kind: 'User', name: '', apiGroup: 'a' }] },
    ['subjects[0].name: Required value', 'subjects[0].apiGroup: Unsupported value'],
  ],
];

describe('validation of namespaces, endpoints, requests, policies and flows', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it.each(Object.entries(bases).filter(([name]) => name !== 'csr'))('takes what breaks no rule (%s)', async (_, base) => {
    expect(await createChanged(target, base, {})).toEqual([201, []]);
  });

  it.each(rules)('%s: %s', async (base, _, changes, said) => {
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, [...new Set(said)].sort()]);
  });
});
