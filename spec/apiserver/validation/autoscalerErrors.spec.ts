import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';
import { createChanged, type Base, type Rule } from './createChanged.js';

const bases: Readonly<Record<string, Base>> = {
  hpa: {
    path: '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
    body: { metadata: { name: 'x' }, spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } } },
  },
};

// What is expected was answered by a kube-apiserver 1.36.3.
const rules: readonly Rule[] = [
  [
    'hpa',
    'there is at least one replica',
    { 'spec.minReplicas': 0 },
    [
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
    ],
  ],
  [
    'hpa',
    'there is a largest number',
    { 'spec.maxReplicas': 0 },
    [
      'spec.maxReplicas: Required value: must be set and greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    ],
  ],
  [
    'hpa',
    'which is not below the smallest',
    { 'spec.minReplicas': 4 },
    ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
  ],
  [
    'hpa',
    'a target has a kind and a name',
    { 'spec.scaleTargetRef': { apiVersion: 'apps/v1', kind: '', name: '' } },
    ['spec.scaleTargetRef.kind: Required value', 'spec.scaleTargetRef.name: Required value'],
  ],
  [
    'hpa',
    'both can stand in a path',
    { 'spec.scaleTargetRef': { apiVersion: 'apps/v1', kind: 'a/b', name: '..' } },
    [
      'spec.scaleTargetRef.kind: Invalid value: "a/b": may not contain \'/\'',
      'spec.scaleTargetRef.name: Invalid value: "..": may not be \'..\'',
    ],
  ],
  [
    'hpa',
    'a target has a group',
    { 'spec.scaleTargetRef.apiVersion': '' },
    ['spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group'],
  ],
  [
    'hpa',
    'a group and version have one slash',
    { 'spec.scaleTargetRef.apiVersion': 'a/b/c' },
    ['spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c'],
  ],
  [
    'hpa',
    'a metric has a type',
    { 'spec.metrics': [{ type: '' }] },
    [
      'spec.metrics[0].type: Required value: must specify a metric source type',
      'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'spec.metrics[0].type: Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
  ],
  [
    'hpa',
    'a metric is what its type says',
    { 'spec.metrics': [{ type: 'Pods', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } } }] },
    ['spec.metrics[0].pods: Required value: must populate information for the given metric source'],
  ],
  [
    'hpa',
    'a metric has one source',
    {
      'spec.metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } },
          pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } },
        },
      ],
    },
    ['spec.metrics[0].pods: Forbidden: must populate the given metric source only'],
  ],
  [
    'hpa',
    'a resource has a name and a target',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: '', target: { type: 'Utilization' } } }] },
    [
      'spec.metrics[0].resource.name: Required value: must specify a resource name',
      'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
    ],
  ],
  [
    'hpa',
    'a target is a share or an amount',
    {
      'spec.metrics': [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5, averageValue: '5' } } },
      ],
    },
    ['spec.metrics[0].resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization'],
  ],
  [
    'hpa',
    'targets are positive',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '-5' } } }] },
    ['spec.metrics[0].resource.target.averageValue: Invalid value: "-5": must be positive'],
  ],
  [
    'hpa',
    'shares are positive',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0 } } }] },
    ['spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0'],
  ],
  [
    'hpa',
    'a target has one of three types',
    { 'spec.metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Half', averageUtilization: 5 } } }] },
    ['spec.metrics[0].resource.target.type: Invalid value: "Half": must be either Utilization, Value, or AverageValue'],
  ],
  [
    'hpa',
    'pods have an average',
    { 'spec.metrics': [{ type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue' } } }] },
    ['spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue'],
  ],
  [
    'hpa',
    'an external metric has one target',
    {
      'spec.metrics': [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1', averageValue: '2' } } }],
    },
    ['spec.metrics[0].external.target.value: Forbidden: may not set both a target value for metric and a per-pod target'],
  ],
  [
    'hpa',
    'an external metric has a name that can stand in a path, and a target',
    { 'spec.metrics': [{ type: 'External', external: { metric: { name: 'a/b' }, target: { type: 'Value' } } }] },
    [
      'spec.metrics[0].external.metric.name: Invalid value: "a/b": may not contain \'/\'',
      'spec.metrics[0].external.target.averageValue: Required value: must set either a target value for metric or a per-pod target',
    ],
  ],
  [
    'hpa',
    'an object has a metric and a target',
    {
      'spec.metrics': [
        { type: 'Object', object: { describedObject: { kind: 'K', name: 'n' }, metric: { name: '' }, target: { type: 'Value' } } },
      ],
    },
    [
      'spec.metrics[0].object.metric.name: Required value: must specify a metric name',
      'spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue',
    ],
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
    ['spec.metrics[0].containerResource.container: Required value: must specify a container'],
  ],
  [
    'hpa',
    'a window is an hour at most',
    { 'spec.behavior': { scaleUp: { stabilizationWindowSeconds: 3601, policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] } } },
    ['spec.behavior.scaleUp.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600'],
  ],
  [
    'hpa',
    'and not negative',
    { 'spec.behavior': { scaleDown: { stabilizationWindowSeconds: -1, policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] } } },
    ['spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero'],
  ],
  [
    'hpa',
    'one of three is chosen',
    { 'spec.behavior': { scaleUp: { selectPolicy: 'Any', policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] } } },
    ['spec.behavior.scaleUp.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"'],
  ],
  [
    'hpa',
    'a policy changes something in some time',
    { 'spec.behavior': { scaleUp: { policies: [{ type: 'Some', value: 0, periodSeconds: 0 }] } } },
    [
      'spec.behavior.scaleUp.policies[0].type: Unsupported value: "Some": supported values: "Percent", "Pods"',
      'spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero',
      'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero',
    ],
  ],
  [
    'hpa',
    'a period is half an hour at most',
    { 'spec.behavior': { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1801 }] } } },
    ['spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800'],
  ],
  [
    'hpa',
    'a tolerance is not negative',
    { 'spec.behavior': { scaleUp: { tolerance: '-1', policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }] } } },
    ['spec.behavior.scaleUp.tolerance: Invalid value: "-1": must be greater than or equal to 0'],
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
    expect(await createChanged(target, bases[base] as Base, changes)).toEqual([422, said]);
  });
});
