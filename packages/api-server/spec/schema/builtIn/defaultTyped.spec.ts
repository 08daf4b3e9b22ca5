import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../src/json.js';
import { defaultTyped } from '../../../src/schema/builtIn/defaultTyped.js';
import { definitions } from '../../../src/schema/builtIn/definitions.js';
import { structDefaults } from '../../../src/schema/builtIn/structDefaults.js';
import { typeOf } from '../../../src/schema/builtIn/typeNode.js';

function completed(group: string, version: string, kind: string, object: JsonObject): JsonObject {
  const type = typeOf({ group, version, kind });
  if (type === undefined) throw new Error(`Expected ${kind} to be known`);
  return defaultTyped(object, type);
}

describe('defaultTyped', () => {
  it('fills in what Kubernetes fills in, wherever the type stands', () => {
    const container = { name: 'c', image: 'nginx:1', ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 80 } } };
    const expected = {
      ...container,
      imagePullPolicy: 'IfNotPresent',
      resources: {},
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      livenessProbe: {
        httpGet: { path: '/', port: 80, scheme: 'HTTP' },
        timeoutSeconds: 1,
        periodSeconds: 10,
        successThreshold: 1,
        failureThreshold: 3,
      },
    };
    const cron = { spec: { jobTemplate: { spec: { template: { spec: { initContainers: [container] } } } } } };
    expect(completed('batch', 'v1', 'CronJob', cron)).toMatchObject({
      spec: {
        concurrencyPolicy: 'Allow',
        jobTemplate: { spec: { template: { spec: { initContainers: [expected], dnsPolicy: 'ClusterFirst' } } } },
      },
    });
  });

  it('changes nothing that is there', () => {
    const spec = { replicas: 3, strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 };
    expect(completed('apps', 'v1', 'Deployment', { spec })).toMatchObject({ spec: { ...spec, progressDeadlineSeconds: 600 } });
  });

  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['localhost:5000/nginx', 'Always'],
    ['localhost:5000/nginx:1', 'IfNotPresent'],
    ['nginx@sha256:0', 'IfNotPresent'],
  ])('pulls %s %s', (image, imagePullPolicy) => {
    expect(completed('', 'v1', 'Pod', { spec: { containers: [{ image }] } })).toMatchObject({
      spec: { containers: [{ imagePullPolicy }] },
    });
  });

  it('writes fields that are there without a value, too, and leaves out the others', () => {
    const condition = { type: 'Ready', status: 'True' };
    const terminated = { exitCode: 1 };
    const container = { name: 'c', image: 'i', imageID: '', ready: false, restartCount: 0, state: { terminated } };
    expect(completed('', 'v1', 'Pod', { status: { conditions: [condition], containerStatuses: [container] } })).toMatchObject({
      status: {
        conditions: [{ ...condition, lastProbeTime: null, lastTransitionTime: null }],
        containerStatuses: [{ ...container, lastState: {}, state: { terminated: { exitCode: 1, startedAt: null, finishedAt: null } } }],
      },
    });
    expect(completed('', 'v1', 'ReplicationController', { spec: {} })).toEqual({ spec: { replicas: 1 }, status: { replicas: 0 } });
  });

  it('takes values of other types as they are', () => {
    expect(completed('', 'v1', 'Pod', { spec: 'none' })).toEqual({ spec: 'none', status: {} });
    expect(completed('', 'v1', 'Pod', { spec: { containers: 5 } })).toMatchObject({ spec: { containers: 5 } });
  });

  it('names only structs that there are', () => {
    const known = new Set(Object.keys(definitions()).flatMap((name) => [name, name.split('.').at(-1)]));
    expect(Object.keys(structDefaults).filter((name) => !known.has(name))).toEqual([]);
  });
});
