import { describe, expect, it } from '@jest/globals';
import type { KubernetesObject } from '../../../src/api/kubernetesObject.js';
import { conditionOf, isConditionTrue, isReady, type WithConditions } from '../../../src/operators/readiness/isReady.js';

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
    ['Deployment', { spec: { replicas: 0 }, status: { observedGeneration: 2 } }, true],
    ['Deployment', { spec: { replicas: 0 }, status: { observedGeneration: 1 } }, false],
    ['Deployment', { spec: { replicas: 0 }, status: { observedGeneration: 2, replicas: 1, updatedReplicas: 1 } }, false],
    ['Deployment', { spec: {}, status: { observedGeneration: 2 } }, false],
    ['Deployment', { spec: { replicas: 0 } }, false],
    ['ReplicaSet', { spec: { replicas: 0 }, status: { observedGeneration: 2, replicas: 0 } }, true],
    ['ReplicaSet', { spec: { replicas: 1 }, status: { observedGeneration: 2, replicas: 2, readyReplicas: 1 } }, false],
    ['ReplicationController', { spec: { replicas: 1 }, status: { observedGeneration: 2, replicas: 1, readyReplicas: 1 } }, true],
    ['StatefulSet', { spec: {}, status: { observedGeneration: 2, replicas: 1, readyReplicas: 1, updatedReplicas: 1 } }, true],
    ['StatefulSet', { spec: { replicas: 0 }, status: { observedGeneration: 2, replicas: 0 } }, true],
    // At the beginning of a rollout no pod is updated yet, and the counter is missing.
    ['StatefulSet', { spec: { replicas: 3 }, status: { observedGeneration: 2, replicas: 3, readyReplicas: 3, currentReplicas: 3 } }, false],
    ['StatefulSet', { spec: { replicas: 2 }, status: { observedGeneration: 2, replicas: 2, readyReplicas: 2, updatedReplicas: 1 } }, false],
    ['StatefulSet', { spec: { replicas: 1 }, status: { observedGeneration: 2, replicas: 2, readyReplicas: 1, updatedReplicas: 1 } }, false],
    [
      'StatefulSet',
      {
        spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } },
        status: { observedGeneration: 2, replicas: 3, readyReplicas: 3, updatedReplicas: 1 },
      },
      true,
    ],
    [
      'StatefulSet',
      {
        spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
        status: { observedGeneration: 2, replicas: 3, readyReplicas: 3, updatedReplicas: 1 },
      },
      false,
    ],
    [
      'StatefulSet',
      {
        spec: { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 5 } } },
        status: { observedGeneration: 2, replicas: 3, readyReplicas: 3 },
      },
      true,
    ],
    [
      'StatefulSet',
      { spec: { replicas: 3, updateStrategy: { type: 'OnDelete' } }, status: { observedGeneration: 2, replicas: 3, readyReplicas: 3 } },
      true,
    ],
    [
      'StatefulSet',
      {
        spec: { replicas: 1, minReadySeconds: 10 },
        status: { observedGeneration: 2, replicas: 1, readyReplicas: 1, updatedReplicas: 1 },
      },
      false,
    ],
    ['DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 } }, true],
    ['DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 2 } }, false],
    ['DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 3, numberAvailable: 3 } }, false],
    ['DaemonSet', { status: { observedGeneration: 2, desiredNumberScheduled: 0 } }, true],
    ['DaemonSet', { status: { observedGeneration: 1, desiredNumberScheduled: 0 } }, false],
    [
      'DaemonSet',
      { spec: { updateStrategy: { type: 'OnDelete' } }, status: { observedGeneration: 2, desiredNumberScheduled: 1, numberAvailable: 1 } },
      true,
    ],
    ['Service', { spec: { type: 'ClusterIP' }, status: { loadBalancer: {} } }, true],
    ['Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }, false],
    ['Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } }, true],
    ['Service', { spec: { type: 'LoadBalancer', externalIPs: ['10.0.0.1'] }, status: { loadBalancer: {} } }, true],
    ['ConfigMap', {}, true],
    ['CronJob', {}, true],
    ['PersistentVolume', { status: { phase: 'Available' } }, true],
    ['PersistentVolume', { status: { phase: 'Released' } }, false],
    ['Namespace', { status: { phase: 'Active' } }, true],
    ['Namespace', { status: { phase: 'Terminating' } }, false],
    ['APIService', { status: ready('Available') }, true],
    ['APIService', { status: ready('Available', 'False') }, false],
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

describe('isReady, of an earlier generation', () => {
  const condition = (observedGeneration?: number) => ({
    type: 'Ready',
    status: 'True',
    ...(observedGeneration !== undefined && { observedGeneration }),
  });
  const certificate = (status: object): KubernetesObject => of('Certificate', { apiVersion: 'cert-manager.io/v1', status });

  it.each([
    [{ observedGeneration: 2, conditions: [condition()] }, true, true],
    [{ observedGeneration: 1, conditions: [condition()] }, false, false],
    [{ conditions: [condition(2)] }, true, true],
    [{ conditions: [condition(1)] }, false, false],
    [{ observedGeneration: 2, conditions: [condition(1)] }, false, false],
    // As `kubectl wait` and as kstatus: the condition is current, the status as a whole is not.
    [{ observedGeneration: 1, conditions: [condition(2)] }, false, true],
    [{ observedGeneration: 3, conditions: [condition()] }, true, true],
    [{ conditions: [condition()] }, true, true],
  ])('says of %j: ready %s, condition %s', (status, isItReady, isTrue) => {
    expect(isReady(certificate(status))).toBe(isItReady);
    expect(isConditionTrue(certificate(status) as WithConditions, 'Ready')).toBe(isTrue);
  });

  it('goes by the status of every kind that names a generation', () => {
    const status = { observedGeneration: 1, phase: 'Active', loadBalancer: {} };
    for (const kind of ['Service', 'Namespace']) {
      expect(isReady(of(kind, { status }))).toBe(false);
      expect(isReady(of(kind, { status: { ...status, observedGeneration: 2 } }))).toBe(true);
    }
  });

  it('says of an object that is being deleted that it is not ready', () => {
    const pod = { kind: 'Pod', status: ready('Ready') };
    expect(isReady({ ...pod, metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } })).toBe(false);
  });
});

describe('isReady, of kinds that share their name', () => {
  it('goes by the rule of a group for the kinds of that group alone', () => {
    const service = { kind: 'Service', metadata: { name: 'x' }, spec: {}, status: ready('Ready', 'False') };
    expect(isReady({ ...service, apiVersion: 'v1' })).toBe(true);
    expect(isReady({ ...service, apiVersion: 'serving.knative.dev/v1' })).toBe(false);
    expect(isReady({ apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', status: ready('Complete') } as KubernetesObject)).toBe(false);
    expect(isReady({ apiVersion: 'batch/v1', kind: 'Job', status: ready('Complete') } as KubernetesObject)).toBe(true);
  });
});

describe('isReady, where parts are absent', () => {
  const workloads = ['ReplicationController', 'ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet'];
  const others = [
    'Pod',
    'Node',
    'Namespace',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'Job',
    'CustomResourceDefinition',
    'APIService',
    'Other',
  ];

  it.each([...workloads, ...others])('takes a %s that nobody has looked at for not ready', (kind) => {
    expect(isReady({ kind })).toBe(false);
    expect(isReady({ kind, metadata: { generation: 1 }, spec: {} } as KubernetesObject)).toBe(false);
  });

  it.each(workloads)('takes a counter of a %s that is left out for 0, and replicas for 1', (kind) => {
    // A DaemonSet for which there is no node is ready.
    expect(isReady({ kind, status: {} } as KubernetesObject)).toBe(kind === 'DaemonSet');
    expect(isReady({ kind, metadata: { generation: 1 }, status: {} } as KubernetesObject)).toBe(false);
    const counters = ['replicas', 'readyReplicas', 'updatedReplicas', 'availableReplicas', 'numberAvailable'];
    const status = Object.fromEntries(counters.map((name) => [name, 1]));
    expect(isReady({ kind, status } as KubernetesObject)).toBe(true);
  });

  it('takes a StatefulSet with minReadySeconds that nobody has looked at for not ready', () => {
    expect(isReady({ kind: 'StatefulSet', spec: { minReadySeconds: 10 } } as KubernetesObject)).toBe(false);
  });

  it('takes a phase that is left out for none', () => {
    for (const kind of ['Namespace', 'PersistentVolumeClaim', 'PersistentVolume'])
      expect(isReady({ kind, status: {} } as KubernetesObject)).toBe(false);
  });

  it('waits for the address of a load balancer, and of no other service', () => {
    const spec = { type: 'LoadBalancer' };
    const balancers = [
      { spec },
      { spec, status: {} },
      { spec, status: { loadBalancer: {} } },
      { spec, status: { loadBalancer: { ingress: [] } } },
    ];
    for (const rest of balancers) expect(isReady({ kind: 'Service', ...rest })).toBe(false);
    expect(isReady({ kind: 'Service' })).toBe(true);
    expect(isReady({ kind: 'Service', spec, status: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } } } as KubernetesObject)).toBe(true);
  });
});

describe('conditions', () => {
  it.each([null, 'Ready', { Ready: 'True' }, [null, 'Ready', {}]])('are none where a custom resource has %j for them', (conditions) => {
    const object = { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: 'x' }, status: { conditions } };
    expect(isReady(object)).toBe(false);
    expect(conditionOf(object as unknown as WithConditions, 'Ready')).toBeUndefined();
  });

  it('are found by type', () => {
    const object = { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'Waiting' }] } };
    expect(conditionOf(object, 'Ready')?.reason).toBe('Waiting');
    expect(conditionOf({}, 'Ready')).toBeUndefined();
    expect(isConditionTrue(object, 'Ready')).toBe(false);
  });

  it('are those of an object, as readiness is', () => {
    const none = undefined as never;
    expect(() => isReady(none)).toThrow(new TypeError('Expected `object` of `isReady` to be an object, got undefined'));
    for (const call of [conditionOf, isConditionTrue])
      expect(() => call(none, 'Ready')).toThrow(new TypeError('Expected `object` of `conditionOf` to be an object, got undefined'));
  });
});
