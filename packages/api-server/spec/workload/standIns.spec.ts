import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, type Observable } from 'rxjs';
import { registry } from 'rx-informer/internal';
import {
  createInformer,
  isReady,
  resources,
  type SharedInformer,
  type V1PersistentVolumeClaim,
  type V1Pod,
  type V1Service,
} from 'rx-informer';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { startWorkload, type Workload, type WorkloadOptions } from '../../src/workload/startWorkload.js';

const namespace = 'default';
const fast: WorkloadOptions = { kubelet: { startMs: 20, stopMs: 10, workMs: 20 } };
const labels = { app: 'db' };
const template = (image: string): object => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } });
const selector = { matchLabels: labels };

describe('the stand-ins of a workload', () => {
  let server: TestApiServer;
  let pods: SharedInformer<V1Pod>;
  let claims: SharedInformer<V1PersistentVolumeClaim>;
  let services: SharedInformer<V1Service>;
  let workload: Workload;
  /** Every pod that there was: its name and uid. */
  let born: Map<string, Set<string>>;
  /** The names of pods in the order in which they came. */
  let order: string[];

  beforeEach(async () => {
    server = await startApiServer();
    workload = await startWorkload(server.client, fast);
    pods = createInformer(server.client, resources.core.v1.pods);
    claims = createInformer(server.client, resources.core.v1.persistentvolumeclaims);
    services = createInformer(server.client, resources.core.v1.services);
    born = new Map<string, Set<string>>();
    order = [];
    pods.resource$.subscribe((event) => {
      if (event.type !== 'added') return;
      const { name = '', uid = '' } = event.object.metadata ?? {};
      born.set(name, (born.get(name) ?? new Set()).add(uid));
      order.push(name);
    });
    await Promise.all([pods.whenSynced(), claims.whenSynced(), services.whenSynced()]);
  });
  afterEach(async () => {
    await workload.stop();
    await Promise.all([pods.stop(), claims.stop(), services.stop()]);
    await server.close();
  });

  const when = ({ resource$ }: { readonly resource$: Observable<unknown> }, condition: () => boolean): Promise<unknown> =>
    firstValueFrom(resource$.pipe(map(condition), filter(Boolean)), { defaultValue: false });
  const serving = (): readonly string[] =>
    pods.lister
      .list()
      .filter((pod) => isReady(pod) && pod.metadata?.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata?.name ?? '')
      .sort();
  const images = (): readonly (string | undefined)[] => [...new Set(pods.lister.list().map(({ spec }) => spec?.containers[0]?.image))];

  it('run stateful sets in order, each member with its claim, and update them from the last one', async () => {
    const { statefulsets } = resources.apps.v1;
    const claimed = { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
    const set = (image: string, replicas: number): object => ({
      replicas,
      serviceName: 'db',
      selector,
      template: template(image),
      volumeClaimTemplates: [claimed],
    });
    await server.client.create(statefulsets, { metadata: { name: 'db', namespace }, spec: set('db:1', 3) } as never);
    await when(pods, () => serving().join() === 'db-0,db-1,db-2');
    expect(order).toEqual(['db-0', 'db-1', 'db-2']);
    const { hostname, subdomain, volumes } = pods.lister.get('default/db-1')?.spec ?? {};
    expect([hostname, subdomain, volumes?.[0]?.persistentVolumeClaim?.claimName]).toEqual(['db-1', 'db', 'data-db-1']);
    await when(claims, () => claims.lister.list().filter(({ status }) => status?.phase === 'Bound').length === 3);
    await server.client.patch(statefulsets, 'db', 'merge', { spec: { template: template('db:2') } }, { namespace });
    await when(pods, () => serving().length === 3 && images().join() === 'db:2');
    expect(order.slice(3)).toEqual(['db-2', 'db-1', 'db-0']);
    // Operators find out by this label which members are of the newest revision.
    const { status } = await server.client.get(statefulsets, 'db', { namespace });
    const revisions = pods.lister.list().map(({ metadata }) => metadata?.labels?.['controller-revision-hash']);
    expect(revisions).toEqual(Array(3).fill(status?.updateRevision));
    await server.client.patch(statefulsets, 'db', 'merge', { spec: { replicas: 1 } }, { namespace });
    await when(pods, () => pods.lister.list().length === 1);
    expect(serving()).toEqual(['db-0']);
    expect(claims.lister.list()).toHaveLength(3);
  });

  it('run one pod of a daemon set on each node that takes it, and replace them', async () => {
    const { daemonsets } = resources.apps.v1;
    await server.client.create(daemonsets, {
      metadata: { name: 'agent', namespace },
      spec: { selector, template: template('agent:1') },
    });
    await when(pods, () => serving().length === 3);
    expect(
      pods.lister
        .list()
        .map(({ spec }) => spec?.nodeName)
        .sort(),
    ).toEqual(['node-1', 'node-2', 'node-3']);
    await server.client.create(resources.core.v1.nodes, {
      metadata: { name: 'node-4' },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    await when(pods, () => serving().length === 4);
    await server.client.patch(daemonsets, 'agent', 'merge', { spec: { template: template('agent:2') } }, { namespace });
    await when(pods, () => serving().length === 4 && images().join() === 'agent:2');
  });

  it('give the pods of a set names that no pod had before', async () => {
    const { deployments } = resources.apps.v1;
    await server.client.create(deployments, {
      metadata: { name: 'web', namespace },
      spec: { replicas: 2, selector, template: template('web:1') },
    });
    for (let round = 1; round <= 3; round += 1) {
      await when(pods, () => serving().length === 2);
      for (const name of serving()) await server.client.delete(resources.core.v1.pods, name, { namespace });
      await when(pods, () => born.size === 2 * (round + 1));
    }
    expect([...born.values()].filter((uids) => uids.size > 1)).toEqual([]);
    await when(pods, () => pods.lister.list().length === 2);
  });

  it('give a load balancer an address, and take it back', async () => {
    const address = (): unknown => services.lister.get('default/lb')?.status?.loadBalancer?.ingress?.[0]?.ip;
    await server.client.create(resources.core.v1.services, {
      metadata: { name: 'lb', namespace },
      spec: { type: 'LoadBalancer', ports: [{ port: 80 }] },
    });
    await when(services, () => address() !== undefined);
    expect(address()).toMatch(/^203\.0\.113\.\d+$/);
    await server.client.patch(resources.core.v1.services, 'lb', 'merge', { spec: { type: 'ClusterIP' } }, { namespace });
    await when(services, () => address() === undefined);
  });

  it('delete a volume that was made for a claim when the claim is gone', async () => {
    const volumes = createInformer(server.client, resources.core.v1.persistentvolumes);
    await volumes.whenSynced();
    await server.client.create(resources.core.v1.persistentvolumeclaims, {
      metadata: { name: 'c', namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    });
    await when(claims, () => claims.lister.get('default/c')?.status?.phase === 'Bound');
    await when(volumes, () => volumes.lister.list().some(({ status }) => status?.phase === 'Bound'));
    await server.client.delete(resources.core.v1.persistentvolumeclaims, 'c', { namespace });
    await when(volumes, () => volumes.lister.list().length === 0);
    expect(claims.lister.list()).toEqual([]);
    await volumes.stop();
  });

  it('have caches whose names say what they are', () => {
    const names = registry()
      .all()
      .map((running) => running.figures().name)
      .filter((name) => name.startsWith('workload/'));
    expect(names.length).toBeGreaterThan(10);
  });
});
