import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { createInformer, resources, type SharedInformer, type V1Pod, type V1ResourceQuota } from 'rx-informer';
import type { Outcome } from '@rx-informer/controller';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { startWorkload, type Workload } from '../../src/workload/startWorkload.js';

const namespace = 'default';
const { resourcequotas, pods, configmaps, services } = resources.core.v1;
const quota = (name: string, spec: V1ResourceQuota['spec']): V1ResourceQuota => ({ metadata: { name, namespace }, spec: spec ?? {} });
const pod = (name: string, spec: Partial<V1Pod['spec']> = {}): V1Pod => ({
  metadata: { name, namespace },
  spec: { containers: [{ name: 'c', image: 'x', resources: { requests: { cpu: '250m', memory: '64Mi' } } }], ...spec },
});

describe('the quotas of a workload', () => {
  let server: TestApiServer;
  let quotas: SharedInformer<V1ResourceQuota>;
  let workload: Workload;
  let outcomes: Outcome[];

  beforeEach(async () => {
    outcomes = [];
    server = await startApiServer();
    workload = await startWorkload(server.client, {
      kubelet: false,
      rootCertificates: false,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    quotas = createInformer(server.client, resourcequotas);
    await quotas.whenSynced();
  });

  afterEach(async () => {
    await workload.stop();
    await quotas.stop();
    await server.close();
  });

  const statusOf = (name: string): V1ResourceQuota['status'] => quotas.lister.get(`default/${name}`)?.status;
  const used = (name: string, amounts: Readonly<Record<string, string>>): Promise<unknown> =>
    firstValueFrom(quotas.resource$.pipe(filter(() => isSubset(amounts, statusOf(name)?.used ?? {}))), { defaultValue: undefined });
  const isSubset = (some: Readonly<Record<string, string>>, all: Readonly<Record<string, string>>): boolean =>
    Object.entries(some).every(([key, value]) => all[key] === value);

  it('say what is limited and what is used, as objects come and go', async () => {
    const hard = { pods: '5', 'requests.cpu': '2', memory: '1Gi', configmaps: '3', resourcequotas: '2', 'count/deployments.apps': '1' };
    await server.client.create(resourcequotas, quota('all', { hard }));
    await used('all', { pods: '0', configmaps: '0', resourcequotas: '1' });
    expect(statusOf('all')).toEqual({
      hard,
      used: { pods: '0', 'requests.cpu': '0', memory: '0', configmaps: '0', resourcequotas: '1', 'count/deployments.apps': '0' },
    });
    await server.client.create(pods, pod('a'));
    await server.client.create(pods, pod('b'));
    await server.client.create(configmaps, { metadata: { name: 'm', namespace } });
    await used('all', { pods: '2', 'requests.cpu': '500m', memory: '128Mi', configmaps: '1' });
    await server.client.delete(pods, 'a', { namespace, gracePeriodSeconds: 0 });
    await server.client.delete(configmaps, 'm', { namespace });
    await used('all', { pods: '1', 'requests.cpu': '250m', memory: '64Mi', configmaps: '0' });
    await server.client.status.patch(pods, 'b', 'merge', { status: { phase: 'Succeeded' } }, { namespace });
    await used('all', { pods: '0', 'requests.cpu': '0' });
  });

  it('follow what is limited, and count what was there before', async () => {
    await server.client.create(services, { metadata: { name: 'web', namespace }, spec: { type: 'NodePort', ports: [{ port: 80 }] } });
    await server.client.create(resourcequotas, quota('late', { hard: { services: '9', secrets: '1' } }));
    await used('late', { secrets: '0' });
    await server.client.patch(
      resourcequotas,
      'late',
      'merge',
      { spec: { hard: { 'services.nodeports': '4', secrets: null } } },
      { namespace },
    );
    await used('late', { 'services.nodeports': '1' });
    expect(statusOf('late')?.hard).toEqual({ services: '9', 'services.nodeports': '4' });
    expect(Object.keys(statusOf('late')?.used ?? {}).sort()).toEqual(['services', 'services.nodeports']);
  });

  it('count the pods of their scopes alone', async () => {
    const of = (scopes: readonly string[]): V1ResourceQuota['spec'] => ({ hard: { pods: '9' }, scopes });
    await server.client.create(resourcequotas, quota('best-effort', of(['BestEffort'])));
    await server.client.create(resourcequotas, quota('terminating', of(['Terminating'])));
    await server.client.create(
      resourcequotas,
      quota('crossing', {
        hard: { pods: '9' },
        scopeSelector: { matchExpressions: [{ scopeName: 'CrossNamespacePodAffinity', operator: 'Exists' }] },
      }),
    );
    for (const name of ['best-effort', 'terminating', 'crossing']) await used(name, { pods: '0' });
    const term = { topologyKey: 'zone', namespaces: ['other'], labelSelector: { matchLabels: { app: 'x' } } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    await server.client.create(pods, pod('free', { containers: [{ name: 'c', image: 'x' }] }));
    await server.client.create(pods, pod('bounded', { activeDeadlineSeconds: 60 }));
    await server.client.create(pods, pod('bounded-too', { activeDeadlineSeconds: 60 }));
    await server.client.create(pods, pod('crossing', { affinity }));
    await used('best-effort', { pods: '1' });
    await used('terminating', { pods: '2' });
    await used('crossing', { pods: '1' });
    await server.client.delete(pods, 'bounded', { namespace, gracePeriodSeconds: 0 });
    await used('terminating', { pods: '1' });
    expect([statusOf('best-effort')?.used, statusOf('crossing')?.used]).toEqual([{ pods: '1' }, { pods: '1' }]);
  });

  it('leave out what nobody serves, and are not written again when nothing has changed', async () => {
    await server.client.create(resourcequotas, quota('odd', { hard: { 'count/widgets.example.com': '1', pods: '1' } }));
    await used('odd', { pods: '0' });
    expect(statusOf('odd')?.used).toEqual({ pods: '0' });
    server.activity.clear();
    await server.client.patch(resourcequotas, 'odd', 'merge', { metadata: { labels: { seen: 'yes' } } }, { namespace });
    await server.client.create(resourcequotas, quota('next', { hard: { pods: '1' } }));
    await used('next', { pods: '0' });
    const asked = server.activity.requests.filter(
      ({ resource, name, verb }) => resource === 'resourcequotas' && name === 'odd' && verb !== 'patch',
    );
    expect(asked).toEqual([]);
    expect(outcomes.filter(({ type }) => type === 'failed')).toEqual([]);
  });

  it('go on without a kind that is gone when its cache begins, or goes later', async () => {
    const { customresourcedefinitions } = resources.apiextensions.v1;
    const define = (plural: string, kind: string): Promise<unknown> =>
      server.client.create(customresourcedefinitions, {
        metadata: { name: `${plural}.example.com` },
        spec: {
          ...{ group: 'example.com', scope: 'Namespaced', names: { plural, kind } },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      });
    const definitions = createInformer(server.client, customresourcedefinitions);
    const undefine = async (name: string): Promise<void> => {
      await server.client.delete(customresourcedefinitions, name);
      await firstValueFrom(definitions.resource$.pipe(filter(() => definitions.lister.get(name) === undefined)), {
        defaultValue: undefined,
      });
    };
    const printed: unknown[] = [];
    const spies = (['warn', 'error'] as const).map((method) =>
      jest.spyOn(console, method).mockImplementation((...words) => void printed.push(words)),
    );
    await define('gadgets', 'Gadget');
    await define('widgets', 'Widget');
    await definitions.whenSynced();
    const gadgets = await server.client.discovery.find('gadgets.example.com');
    // The client's discovery still has widgets.
    await undefine('widgets.example.com');
    const hard = { 'count/widgets.example.com': '1', 'count/gadgets.example.com': '1', pods: '2' };
    await server.client.create(resourcequotas, quota('odd', { hard }));
    await used('odd', { pods: '0', 'count/gadgets.example.com': '0' });
    expect(statusOf('odd')?.used).toEqual({ pods: '0', 'count/gadgets.example.com': '0' });
    await server.client.create(gadgets, { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'g', namespace } });
    await used('odd', { 'count/gadgets.example.com': '1' });
    await undefine('gadgets.example.com');
    await firstValueFrom(quotas.resource$.pipe(filter(() => Object.keys(statusOf('odd')?.used ?? {}).length === 1)), {
      defaultValue: undefined,
    });
    await server.client.create(pods, pod('a'));
    await used('odd', { pods: '1' });
    expect(printed).toEqual([]);
    for (const spy of spies) spy.mockRestore();
    await definitions.stop();
  });
});
