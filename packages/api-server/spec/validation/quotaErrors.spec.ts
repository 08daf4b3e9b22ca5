import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  limits: { path: '/api/v1/namespaces/default/limitranges', body: { metadata: { name: 'x' }, spec: { limits: [] } } },
  quota: { path: '/api/v1/namespaces/default/resourcequotas', body: { metadata: { name: 'x' }, spec: { hard: { pods: '1' } } } },
};

const rules: readonly Rule[] = [
  [
    'limits',
    'the least is not above the most',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }] },
    [
      'spec.limits[0].min[cpu]: Invalid value',
      'spec.limits[0].defaultRequest[cpu]: Invalid value',
      'spec.limits[0].default[cpu]: Invalid value',
    ],
  ],
  [
    'limits',
    'what is requested is not below the least',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, defaultRequest: { cpu: '1' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value'],
  ],
  [
    'limits',
    'nor above the most',
    { 'spec.limits': [{ type: 'Container', max: { cpu: '1' }, defaultRequest: { cpu: '2' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value', 'spec.limits[0].defaultRequest[cpu]: Invalid value'],
  ],
  [
    'limits',
    'nor above the limit',
    { 'spec.limits': [{ type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value'],
  ],
  [
    'limits',
    'a limit is not below the least',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '2' }, default: { cpu: '1' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value', 'spec.limits[0].default[cpu]: Invalid value'],
  ],
  [
    'limits',
    'nor above the most',
    { 'spec.limits': [{ type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }] },
    ['spec.limits[0].defaultRequest[cpu]: Invalid value', 'spec.limits[0].default[cpu]: Invalid value'],
  ],
  [
    'limits',
    'a type is known, or has a domain',
    { 'spec.limits': [{ type: 'Node', max: { cpu: '1' } }] },
    ['spec.limits[0].type: Invalid value'],
  ],
  [
    'limits',
    'a resource of containers is known',
    { 'spec.limits': [{ type: 'Container', max: { shoes: '1' } }] },
    [
      'spec.limits[0].max[shoes]: Invalid value',
      'spec.limits[0].max[shoes]: Invalid value',
      'spec.limits[0].default[shoes]: Invalid value',
      'spec.limits[0].default[shoes]: Invalid value',
      'spec.limits[0].defaultRequest[shoes]: Invalid value',
      'spec.limits[0].defaultRequest[shoes]: Invalid value',
    ],
  ],
  [
    'limits',
    'a resource of others too',
    { 'spec.limits': [{ type: 'PersistentVolumeClaim', max: { shoes: '1' } }] },
    ['spec.limits[0].max[shoes]: Invalid value', 'spec.limits[0].limits: Required value'],
  ],
  [
    'limits',
    'pods have no defaults',
    { 'spec.limits': [{ type: 'Pod', default: { cpu: '1' }, defaultRequest: { cpu: '1' } }] },
    ['spec.limits[0].default: Forbidden', 'spec.limits[0].defaultRequest: Forbidden'],
  ],
  [
    'limits',
    'a claim has a least or a most',
    { 'spec.limits': [{ type: 'PersistentVolumeClaim' }] },
    ['spec.limits[0].limits: Required value'],
  ],
  [
    'limits',
    'a ratio is at least one',
    { 'spec.limits': [{ type: 'Container', maxLimitRequestRatio: { cpu: '500m' } }] },
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value'],
  ],
  [
    'limits',
    'a ratio fits the bounds',
    { 'spec.limits': [{ type: 'Container', min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }] },
    ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value'],
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
    ['spec.limits[1].type: Duplicate value'],
  ],
  ['quota', 'an amount is not negative', { 'spec.hard': { pods: '-1' } }, ['spec.hard[pods]: Invalid value']],
  [
    'quota',
    'a resource is one of quotas',
    { 'spec.hard': { shoes: '1' } },
    ['spec.hard[shoes]: Invalid value', 'spec.hard[shoes]: Invalid value'],
  ],
  ['quota', 'its name is a name', { 'spec.hard': { 'a b': '1' } }, ['spec.hard[a b]: Invalid value', 'spec.hard[a b]: Invalid value']],
  ['quota', 'pods are whole', { 'spec.hard': { pods: '1500m' } }, ['spec.hard[pods]: Invalid value']],
  ['quota', 'a scope is known', { 'spec.scopes': ['Sunny'] }, ['spec.scopes: Invalid value']],
  [
    'quota',
    'a scope fits the resources',
    { 'spec.hard': { services: '1' }, 'spec.scopes': ['BestEffort'] },
    ['spec.scopes: Invalid value'],
  ],
  ['quota', 'scopes do not exclude each other', { 'spec.scopes': ['BestEffort', 'NotBestEffort'] }, ['spec.scopes: Invalid value']],
  [
    'quota',
    'a scope that is in a list of values has some',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [] }] } },
    ['spec.scopeSelector.matchExpressions.values: Required value'],
  ],
  [
    'quota',
    'a scope that exists has none',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['a'] }] } },
    ['spec.scopeSelector.matchExpressions.values: Invalid value'],
  ],
  [
    'quota',
    'an operator is known',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Like' }] } },
    ['spec.scopeSelector.matchExpressions.operator: Invalid value'],
  ],
  [
    'quota',
    'a scope of a selector is known',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'Sunny', operator: 'Exists' }] } },
    ['spec.scopeSelector.matchExpressions.scopeName: Invalid value'],
  ],
  [
    'quota',
    'most scopes are there or not',
    { 'spec.scopeSelector': { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['a'] }] } },
    ['spec.scopeSelector.matchExpressions.operator: Invalid value'],
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
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, [...new Set(said)].sort()]);
  });
});
