import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { conditionOf, isConditionTrue } from '../../../src/operators/readiness/conditions.js';
import { isReady } from '../../../src/operators/readiness/isReady.js';

const ready = (type: string, status = 'True'): object => ({
  conditions: [
    { type: 'Other', status: 'True' },
    { type, status },
  ],
});
const of = (kind: string | undefined, rest: object): KubernetesObject => ({
  ...(kind === undefined ? {} : { kind }),
  metadata: { name: 'x', generation: 2 },
  ...rest,
});

describe('isReady', () => {
  it.each([
    ['Pod', { status: ready('Ready') }, true],
    ['Pod', { status: ready('Ready', 'False') }, false],
    ['Pod', {}, false],
    ['Node', { status: ready('Ready', 'Unknown') }, false],
    [
      'Deployment',
      { spec: { replicas: 2 }, status: { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 } },
      true,
    ],
    [
      'Deployment',
      { spec: { replicas: 2 }, status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 } },
      false,
    ],
    [
      'Deployment',
      { spec: { replicas: 2 }, status: { observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas: 2 } },
      false,
    ],
    [
      'Deployment',
      { spec: { replicas: 2 }, status: { observedGeneration: 2, replicas: 2, updatedReplicas: 1, availableReplicas: 2 } },
      false,
    ],
    ['ReplicaSet', { spec: { replicas: 0 }, status: { observedGeneration: 2, replicas: 0 } }, true],
    ['StatefulSet', { spec: {}, status: { observedGeneration: 2, readyReplicas: 1 } }, true],
    ['StatefulSet', { spec: { replicas: 2 }, status: { observedGeneration: 2, readyReplicas: 2, updatedReplicas: 1 } }, false],
    ['DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 } }, true],
    ['DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 } }, false],
    ['Job', { status: ready('Complete') }, true],
    ['Job', { status: ready('Failed') }, false],
    ['PersistentVolumeClaim', { status: { phase: 'Bound' } }, true],
    ['CustomResourceDefinition', { status: ready('Established') }, true],
    ['WebSite', { status: ready('Ready') }, true],
    ['constructor', { status: {} }, false],
    [undefined, { status: ready('Ready') }, true],
  ])('says of a %s with %j: %s', (kind, rest, expected) => {
    expect(isReady(of(kind, rest))).toBe(expected);
  });
});

describe('conditions', () => {
  it('are found by type', () => {
    const object = { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Waiting' }] } };
    expect(conditionOf(object, 'Ready')?.reason).toBe('Waiting');
    expect(conditionOf({}, 'Ready')).toBeUndefined();
    expect(isConditionTrue(object, 'Ready')).toBe(false);
  });
});
