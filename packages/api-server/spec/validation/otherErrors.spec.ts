import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const once = { ...template, spec: { ...template.spec, restartPolicy: 'Never' } };
const selector = { matchLabels: labels };
const inDefault = (group: string, plural: string): string => `/${group}/namespaces/default/${plural}`;
const deployments = inDefault('apis/apps/v1', 'deployments');
const cronJobs = inDefault('apis/batch/v1', 'cronjobs');
const services = inDefault('api/v1', 'services');
const ports = [{ port: 80 }];

describe('built-in kinds', () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
    await target.post(services, {
      metadata: { name: 'own' },
      spec: { type: 'NodePort', clusterIP: '10.0.0.99', ports: [{ port: 80, nodePort: 30_123 }] },
    });
    await target.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'own' }, value: 7 });
  });
  afterAll(() => target.close());

  it.each<[string, string, object, string]>([
    [
      'a deployment of no surge and nothing unavailable',
      deployments,
      { metadata: { name: 'd' }, spec: { selector, template, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
    ],
    [
      'a deployment that is recreated while it rolls',
      deployments,
      { metadata: { name: 'd' }, spec: { selector, template, strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      'a deployment with a deadline before its pods are ready',
      deployments,
      { metadata: { name: 'd' }, spec: { selector, template, minReadySeconds: 600 } },
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ],
    [
      'a cron job of minute 61',
      cronJobs,
      { metadata: { name: 'c' }, spec: { schedule: '61 * * * *', jobTemplate: { spec: { template: once } } } },
      'spec.schedule: Invalid value: "61 * * * *": range is not within 0 and 59: 61',
    ],
    [
      'a cron job on Mars',
      cronJobs,
      { metadata: { name: 'c' }, spec: { schedule: '1 * * * *', timeZone: 'Mars/Phobos', jobTemplate: { spec: { template: once } } } },
      'spec.timeZone: Invalid value: "Mars/Phobos": unknown time zone Mars/Phobos',
    ],
    [
      'a cron job of 53 characters',
      cronJobs,
      { metadata: { name: 'c'.repeat(53) }, spec: { schedule: '1 * * * *', jobTemplate: { spec: { template: once } } } },
      'must be no more than 52 characters',
    ],
    [
      'an address that is taken',
      services,
      { metadata: { name: 's' }, spec: { clusterIP: '10.0.0.99', ports } },
      'spec.clusterIPs: Invalid value: ["10.0.0.99"]: failed to allocate IP 10.0.0.99: provided IP is already allocated',
    ],
    [
      'a node port that is taken',
      services,
      { metadata: { name: 's' }, spec: { type: 'NodePort', ports: [{ port: 1, nodePort: 30_123 }] } },
      'spec.ports[0].nodePort: Invalid value: 30123: provided port is already allocated',
    ],
    [
      'a headless node port',
      services,
      { metadata: { name: 's' }, spec: { type: 'NodePort', clusterIP: 'None', ports } },
      `spec.clusterIPs[0]: Invalid value: "None": may not be set to 'None' for NodePort services`,
    ],
    [
      'a priority above all others',
      '/apis/scheduling.k8s.io/v1/priorityclasses',
      { metadata: { name: 'p' }, value: 2_000_000_000 },
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ],
    [
      'a priority of the system',
      '/apis/scheduling.k8s.io/v1/priorityclasses',
      { metadata: { name: 'system-x' }, value: 1 },
      "names with the prefix 'system-' are reserved",
    ],
    [
      'a login for a registry that is no JSON',
      inDefault('api/v1', 'secrets'),
      { metadata: { name: 's' }, type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } },
      `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid JSON`,
    ],
    [
      'a relative path of an ingress',
      inDefault('apis/networking.k8s.io/v1', 'ingresses'),
      {
        metadata: { name: 'i' },
        spec: {
          rules: [{ http: { paths: [{ path: 'x', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 1 } } } }] } }],
        },
      },
      'paths[0].path: Invalid value: "x": must be an absolute path',
    ],
  ])('refuse %s', async (_, path, body, message) => {
    const { code, json } = await target.request(path, { method: 'POST', body });
    expect([code, json['message']]).toEqual([422, expect.stringContaining(message)]);
  });

  it.each<[string, string, object, string]>([
    [
      'the address of a service',
      `${services}/own`,
      { spec: { clusterIP: '10.0.0.98', clusterIPs: ['10.0.0.98'] } },
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.98"]: may not change once set',
    ],
    [
      'the value of a priority',
      '/apis/scheduling.k8s.io/v1/priorityclasses/own',
      { value: 8 },
      'value: Forbidden: updates to value are forbidden.',
    ],
  ])('keep %s', async (_, path, body, message) => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { code, json } = await target.request(path, { method: 'PATCH', headers, body });
    expect([code, json['message']]).toEqual([422, expect.stringContaining(message)]);
  });

  it('select services by their address, and replica sets by nothing of their own', async () => {
    const found = await target.must(`${services}?fieldSelector=spec.clusterIP%3D10.0.0.99`);
    expect(JSON.stringify(found)).toContain('"name":"own"');
    expect((await target.request(`${inDefault('apis/apps/v1', 'replicasets')}?fieldSelector=status.replicas%3D5`)).code).toBe(400);
  });
});
