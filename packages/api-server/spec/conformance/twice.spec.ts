import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManualClock } from 'rx-informer/testing';
import type { AnyJson } from '../support/httpClient.js';
import { Target } from '../support/target.js';
import { startApiServer } from '../../src/startApiServer.js';
import { defineResource } from '../support/defineResource.js';
import { versionOf } from '../support/definitionOf.js';

const labels = { app: 'a' };
const podSpec = { containers: [{ name: 'c', image: 'x' }] };
const template = { metadata: { labels }, spec: podSpec };
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const names = { plural: 'rrs', singular: 'rr', kind: 'Rr', listKind: 'RrList' };
const deployment = { replicas: 1, selector: { matchLabels: labels }, template };
const service = { group: 'zz.example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 10, insecureSkipTLSVerify: true };

/** Objects that carry a status, as somebody sends them who applies what he has read. */
const objects: readonly (readonly [path: string, object: object])[] = [
  ['/apis/apps/v1/namespaces/default/deployments', { kind: 'Deployment', spec: deployment, status: { replicas: 7 } }],
  ['/apis/apps/v1/namespaces/default/replicasets', { kind: 'ReplicaSet', spec: deployment, status: { replicas: 0 } }],
  ['/api/v1/namespaces/default/services', { kind: 'Service', spec: { ports: [{ port: 80 }] }, status: { loadBalancer: {} } }],
  ['/api/v1/namespaces', { kind: 'Namespace', status: { phase: 'Active' } }],
  [
    '/api/v1/namespaces/default/persistentvolumeclaims',
    {
      kind: 'PersistentVolumeClaim',
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      status: { phase: 'Bound' },
    },
  ],
  ['/api/v1/namespaces/default/pods', { kind: 'Pod', spec: podSpec, status: { phase: 'Running', conditions: [] } }],
  [
    '/apis/batch/v1/namespaces/default/jobs',
    { kind: 'Job', spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } }, status: { active: 1 } },
  ],
  [
    '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
    {
      kind: 'PodDisruptionBudget',
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
      status: { currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 0 },
    },
  ],
  ['/api/v1/nodes', { kind: 'Node', status: { capacity: { cpu: '4' } } }],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      kind: 'CustomResourceDefinition',
      metadata: { name: 'rrs.rr.example.com' },
      spec: { group: 'rr.example.com', scope: 'Cluster', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
      status: { acceptedNames: { kind: '', plural: '' }, conditions: [], storedVersions: [] },
    },
  ],
  [
    '/apis/apiregistration.k8s.io/v1/apiservices',
    {
      kind: 'APIService',
      metadata: { name: 'v1.zz.example.com' },
      spec: { ...service, service: { name: 'a', namespace: 'default' } },
      status: { conditions: [] },
    },
  ],
];

const json = 'application/json';
const applied = 'application/apply-patch+yaml';
const merged = 'application/merge-patch+json';

interface Written {
  readonly object: AnyJson;
  readonly read: AnyJson;
}

/** How an object can be written again as it was sent before: method, content type, query, and what is sent. */
const ways: readonly (readonly [name: string, method: string, type: string, suffix: string, body: (written: Written) => unknown])[] = [
  ['applied', 'PATCH', applied, '?fieldManager=a&force=true', ({ object }) => object],
  ['applied through its status', 'PATCH', applied, '/status?fieldManager=s&force=true', ({ object: { spec: _, ...rest } }) => rest],
  ['put', 'PUT', json, '?fieldManager=p', ({ object, read }) => ({ ...read, status: object['status'] })],
  ['merged', 'PATCH', merged, '?fieldManager=m', ({ object: { metadata: _, ...rest } }) => rest],
  ['merged through its status', 'PATCH', merged, '/status?fieldManager=m', ({ object }) => ({ status: object['status'] })],
];

describe('the same write twice, a second apart', () => {
  let clock: ReturnType<typeof createManualClock>;
  let target: Target;
  beforeAll(async () => {
    clock = createManualClock(Date.UTC(2026, 0, 1));
    const server = await startApiServer({ clock });
    target = new Target({ url: server.url }, server);
  });
  afterAll(() => target.close());

  const kindOf = (object: object): string => (object as { readonly kind: string }).kind;
  const cases = objects.flatMap(([path, object]) => ways.map((way) => [kindOf(object), way[0], path, object, way] as const));
  // The server itself writes what is missing in the status of a definition.
  const kept = cases.filter(([kind, , , , [, , , suffix]]) => kind !== 'CustomResourceDefinition' || !suffix.startsWith('/status'));
  it.each(kept)('changes nothing of a %s that is %s', async (kind, way, path, object, [, method, type, suffix, body]) => {
    const apiVersion = path.replace(/^\/apis?\//, '').replace(/\/namespaces\/.*|\/[a-z]+$/, '');
    const sent = { apiVersion, metadata: { name: `${kind}-${way.replaceAll(' ', '-')}`.toLowerCase() }, ...object } as unknown as AnyJson;
    const place = `${path}/${sent.metadata.name}`;
    await target.request(path, { method: 'POST', body: sent });
    await new Promise(setImmediate);
    const write = async (): Promise<AnyJson> => {
      const written = { object: sent, read: await target.must(place) };
      return target.must(`${place}${suffix}`, { method, headers: { 'content-type': type }, body: body(written) });
    };
    // The first write may change something.
    await write();
    const before = await target.must(place);
    for (const _ of [1, 2]) {
      clock.advanceBy(1_000);
      expect(await write()).toEqual(before);
    }
  });

  it('gives a new object the default of its status, also in a dry run', async () => {
    const fields = {
      spec: { type: 'object' },
      status: { type: 'object', default: { phase: 'Pending' }, properties: { phase: { type: 'string' } } },
    };
    const defined = await defineResource(target, {
      versions: [versionOf({ type: 'object', properties: fields }, { subresources: { status: {} } })],
    });
    const path = defined.path('default');
    const widget = (name: string): object => ({
      apiVersion: `${defined.group}/v1`,
      kind: 'Widget',
      metadata: { name },
      spec: {},
      status: { phase: 'Sent' },
    });
    const post = (name: string, query = ''): Promise<AnyJson> => target.post(`${path}${query}`, widget(name));
    const apply = (name: string, query = ''): Promise<AnyJson> =>
      target.must(`${path}/${name}?fieldManager=a${query}`, { method: 'PATCH', headers: { 'content-type': applied }, body: widget(name) });
    const answers = [await post('a', '?dryRun=All'), await post('a'), await apply('b', '&dryRun=All'), await apply('b')];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => ({ phase: 'Pending' })));
    await defined.remove();
  });
});
