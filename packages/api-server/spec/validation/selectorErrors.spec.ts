import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  rs: {
    path: '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
    body: { metadata: { name: 'x' }, spec: { podSelector: {} } },
  },
  pod: {
    path: '/api/v1/namespaces/default/pods',
    body: { metadata: { name: 'x' }, spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
  },
};

const rules: readonly Rule[] = [
  ['rs', 'a key is a name', { 'spec.podSelector': { matchLabels: { 'a b': 'c' } } }, ['spec.podSelector.matchLabels: Invalid value']],
  [
    'rs',
    'with a domain before it',
    { 'spec.podSelector': { matchLabels: { 'A_/b': 'c' } } },
    ['spec.podSelector.matchLabels: Invalid value'],
  ],
  ['rs', 'a value is one of labels', { 'spec.podSelector': { matchLabels: { a: '-' } } }, ['spec.podSelector.matchLabels: Invalid value']],
  [
    'rs',
    'what is in a list has values',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'In' }] } },
    ['spec.podSelector.matchExpressions[0].values: Required value'],
  ],
  [
    'rs',
    'what is not in a list too',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'NotIn', values: [] }] } },
    ['spec.podSelector.matchExpressions[0].values: Required value'],
  ],
  [
    'rs',
    'what exists has none',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
    ['spec.podSelector.matchExpressions[0].values: Forbidden'],
  ],
  [
    'rs',
    'what does not exist has none',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'DoesNotExist', values: ['b'] }] } },
    ['spec.podSelector.matchExpressions[0].values: Forbidden'],
  ],
  [
    'rs',
    'an operator is one of four',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1'] }] } },
    ['spec.podSelector.matchExpressions[0].operator: Invalid value'],
  ],
  [
    'rs',
    'values of a list are those of labels',
    { 'spec.podSelector': { matchExpressions: [{ key: 'a', operator: 'In', values: ['b', 'c d'] }] } },
    ['spec.podSelector.matchExpressions[0].values[1]: Invalid value'],
  ],
  [
    'rs',
    'a key of an expression is a name',
    { 'spec.podSelector': { matchExpressions: [{ key: '', operator: 'Exists' }] } },
    ['spec.podSelector.matchExpressions[0].key: Invalid value', 'spec.podSelector.matchExpressions[0].key: Invalid value'],
  ],
  [
    'pod',
    'nodes are selected by terms',
    { 'spec.affinity': { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } },
    ['spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms: Required value'],
  ],
  [
    'pod',
    'a number is compared with one',
    {
      'spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1', '2'] }] }],
          },
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value',
    ],
  ],
  [
    'pod',
    'nodes in a list have values',
    {
      'spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] },
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value',
    ],
  ],
  [
    'pod',
    'an operator of nodes is one of six',
    {
      'spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Like', values: ['b'] }] }],
          },
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: Invalid value',
    ],
  ],
  [
    'pod',
    'a key of nodes is a name',
    {
      'spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'a b', operator: 'Exists' }] }],
          },
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: Invalid value',
    ],
  ],
  [
    'pod',
    'a field of nodes is its name',
    {
      'spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['b'] }] }],
          },
        },
      },
    },
    ['spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value'],
  ],
  [
    'pod',
    'and one',
    {
      'spec.affinity': {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['b', 'c'] }] }],
          },
        },
      },
    },
    [
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].values: Required value',
    ],
  ],
];

describe('validation of selectors', () => {
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
