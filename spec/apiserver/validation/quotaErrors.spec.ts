import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  limits: { path: '/api/v1/namespaces/default/limitranges', body: { metadata: { name: 'x' }, spec: { limits: [] } } },
  quota: { path: '/api/v1/namespaces/default/resourcequotas', body: { metadata: { name: 'x' }, spec: { hard: { pods: '1' } } } },
};

// What is expected was answered by a kube-apiserver 1.36.3.
const rules: readonly Rule[] = [
  [
    'limits',
    'the least is not above the most',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] },
    [
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
    ],
  ],
  [
    'limits',
    'what is requested is not below the least',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, defaultRequest: { cpu: '1' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1'],
  ],
  [
    'limits',
    'nor above the most',
    { 'spec.limits': [{ type: 'Container', max: { cpu: '1' }, defaultRequest: { cpu: '2' } }] },
    [
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1',
    ],
  ],
  [
    'limits',
    'nor above the limit',
    { 'spec.limits': [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1'],
  ],
  [
    'limits',
    'a limit is not below the least',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, default: { cpu: '1' } }] },
    [
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1',
      'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 1',
    ],
  ],
  [
    'limits',
    'nor above the most',
    { 'spec.limits': [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }] },
    [
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
      'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
    ],
  ],
  [
    'limits',
    'a type is known, or has a domain',
    { 'spec.limits': [{ type: 'Node', max: { cpu: '1' } }] },
    ['spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified'],
  ],
  [
    'limits',
    'a resource of containers is known',
    { 'spec.limits': [{ type: 'Container', max: { shoes: '1' } }] },
    [
      'spec.limits[0].max[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.limits[0].max[shoes]: Invalid value: "shoes": must be a standard resource for containers',
      'spec.limits[0].default[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.limits[0].default[shoes]: Invalid value: "shoes": must be a standard resource for containers',
      'spec.limits[0].defaultRequest[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.limits[0].defaultRequest[shoes]: Invalid value: "shoes": must be a standard resource for containers',
    ],
  ],
  [
    'limits',
    'a resource of others too',
    { 'spec.limits': [{ type: 'PersistentVolumeClaim', max: { shoes: '1' } }] },
    [
      'spec.limits[0].max[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
    ],
  ],
  [
    'limits',
    'pods have no defaults',
    { 'spec.limits': [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] },
    [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
    ],
  ],
  [
    'limits',
    'a claim has a least or a most',
    { 'spec.limits': [{ type: 'PersistentVolumeClaim' }] },
    ['spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided'],
  ],
  [
    'limits',
    'a ratio is at least one',
    { 'spec.limits': [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }] },
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1'],
  ],
  [
    'limits',
    'a ratio fits the bounds',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }] },
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000'],
  ],
  [
    'limits',
    'a type stands there once',
    {
      'spec.limits': [
        { type: 'Pod', max: { cpu: '1' } },
        { type: 'Pod', max: { cpu: '2' } },
      ],
    },
    ['spec.limits[1].type: Duplicate value: "Pod"'],
  ],
  [
    'quota',
    'an amount is not negative',
    { 'spec.hard': { pods: '-1' } },
    ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
  ],
  [
    'quota',
    'a resource is one of quotas',
    { 'spec.hard': { shoes: '1' } },
    [
      'spec.hard[shoes]: Invalid value: "shoes": must be a standard resource type or fully qualified',
      'spec.hard[shoes]: Invalid value: "shoes": must be a standard resource for quota',
    ],
  ],
  [
    'quota',
    'its name is a name',
    { 'spec.hard': { 'a b': '1' } },
    [
      "spec.hard[a b]: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
      'spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota',
    ],
  ],
  ['quota', 'pods are whole', { 'spec.hard': { pods: '1500m' } }, ['spec.hard[pods]: Invalid value: "1500m": must be an integer']],
  ['quota', 'a scope is known', { 'spec.scopes': ['Sunny'] }, ['spec.scopes: Invalid value: ["Sunny"]: unsupported scope']],
  [
    'quota',
    'a scope fits the resources',
    { 'spec.hard': { services: '1' }, 'spec.scopes': ['BestEffort'] },
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [
    'quota',
    'scopes do not exclude each other',
    { 'spec.scopes': ['BestEffort', 'NotBestEffort'] },
    ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
  ],
  [
    'quota',
    'a scope that is in a list of values has some',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [] }] } },
    [
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
  [
    'quota',
    'a scope that exists has none',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }] } },
    [
      "spec.scopeSelector.matchExpressions.values: Invalid value: [\"a\"]: must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
    ],
  ],
  [
    'quota',
    'an operator is known',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Like' }] } },
    ['spec.scopeSelector.matchExpressions.operator: Invalid value: "Like": not a valid selector operator'],
  ],
  [
    'quota',
    'a scope of a selector is known',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'Sunny', operator: 'Exists' }] } },
    ['spec.scopeSelector.matchExpressions.scopeName: Invalid value: "Sunny": unsupported scope'],
  ],
  [
    'quota',
    'most scopes are there or not',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['a'] }] } },
    [
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity',
    ],
  ],
];

describe('validation of limits and quotas', () => {
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
