import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  hpa: {
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    body: { metadata: { name: 'x' }, spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
  },
};

const rules: readonly Rule[] = [
  ['hpa', 'there is at least one replica', { 'spec.minReplicas': 0 }, ['spec.minReplicas: Invalid value', 'spec.metrics: Forbidden']],
  ['hpa', 'there is a largest number', { 'spec.maxReplicas': 0 }, ['spec.maxReplicas: Required value', 'spec.maxReplicas: Invalid value']],
  ['hpa', 'which is not below the smallest', { 'spec.minReplicas': 4 }, ['spec.maxReplicas: Invalid value']],
  [
    'hpa',
    'a target has a kind and a name',
    { 'spec.scaleTargetRef': { apiVersion: 'apps/v1', kind: '', name: '' } },
    ['spec.scaleTargetRef.kind: Required value', 'spec.scaleTargetRef.name: Required value'],
  ],
  ['hpa', 'a target has a group', { 'spec.scaleTargetRef.apiVersion': '' }, ['spec.scaleTargetRef.apiVersion: Invalid value']],
  [
    'hpa',
    'a metric has a type',
    { 'spec.metrics': [{ type: '' }] },
    ['spec.metrics[0].type: Required value', 'spec.metrics[0].type: Unsupported value', 'spec.metrics[0].type: Unsupported value'],
  ],
  [
    'hpa',
    'a metric is what its type says',
    { 'spec.metrics': [{ type: 'Pods', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } }] },
    ['spec.metrics[0].pods: Required value'],
  ],
  [
    'hpa',
    'a resource has a name and a target',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: '', target: { type: 'Utilization' } } }] },
    ['spec.metrics[0].resource.name: Required value', 'spec.metrics[0].resource.target.averageUtilization: Required value'],
  ],
  [
    'hpa',
    'shares are positive',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }] },
    ['spec.metrics[0].resource.target.averageUtilization: Invalid value'],
  ],
  [
    'hpa',
    'a target has one of three types',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Half', averageUtilization: 5 } } }] },
    ['spec.metrics[0].resource.target.type: Invalid value'],
  ],
  [
    'hpa',
    'pods have an average',
    { 'spec.metrics': [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue' } } }] },
    ['spec.metrics[0].pods.target.averageValue: Required value'],
  ],
  [
    'hpa',
    'an external metric has a target',
    { 'spec.metrics': [{ type: 'External', external: { metric: { name: 'a' }, target: { type: 'Value' } } }] },
    ['spec.metrics[0].external.target.averageValue: Required value'],
  ],
  [
    'hpa',
    'an object has a metric and a target',
    {
      'spec.metrics': [
        { type: 'Object', object: { describedObject: { kind: 'K', name: 'n' }, metric: { name: '' }, target: { type: 'Value' } } },
      ],
    },
    ['spec.metrics[0].object.metric.name: Required value', 'spec.metrics[0].object.target.averageValue: Required value'],
  ],
  [
    'hpa',
    'a container is named',
    {
      'spec.metrics': [
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: '', target: { type: 'Utilization', averageUtilization: 5 } },
        },
      ],
    },
    ['spec.metrics[0].containerResource.container: Required value'],
  ],
  [
    'hpa',
    'a window is an hour at most',
    { 'spec.behavior': { scaleUp: { stabilizationWindowSeconds: 3601, policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] } } },
    ['spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value'],
  ],
  [
    'hpa',
    'one of three is chosen',
    { 'spec.behavior': { scaleUp: { selectPolicy: 'Any', policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] } } },
    ['spec.behavior.scaleUp.selectPolicy: Unsupported value'],
  ],
  [
    'hpa',
    'a policy changes something in some time',
    { 'spec.behavior': { scaleUp: { policies: [{ type: 'Some', value: 0, periodSeconds: 0 }] } } },
    [
      'spec.behavior.scaleUp.policies[0].type: Unsupported value',
      'spec.behavior.scaleUp.policies[0].value: Invalid value',
      'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value',
    ],
  ],
  [
    'hpa',
    'a period is half an hour at most',
    { 'spec.behavior': { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1801 }] } } },
    ['spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value'],
  ],
];

describe('validation of autoscalers', () => {
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
