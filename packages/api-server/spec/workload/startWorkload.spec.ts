import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom, map, merge, type Observable } from 'rxjs';
import { createInformer, isReady, resources, type SharedInformer, type V1Deployment, type V1Job, type V1Pod } from 'rx-informer';
import { diagnose } from '@rx-informer/inspector';
import { registry } from 'rx-informer/internal';
import type { Outcome } from '@rx-informer/controller';
import { startApiServer, type TestApiServer } from '../../src/startApiServer.js';
import { startWorkload, type Workload, type WorkloadOptions } from '../../src/workload/startWorkload.js';

const namespace = 'default';
const fast: WorkloadOptions = { kubelet: { startMs: 20, stopMs: 10, workMs: 20, crashBackoffMs: 20, crashAfterMs: 10, crashRate: 0 } };
const labels = { app: 'web' };
const deployment = (replicas: number): V1Deployment => ({
  metadata: { name: 'web', namespace },
  spec: {
    replicas,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'web:1' }] } },
  },
});

describe('startWorkload', () => {
  let server: TestApiServer;
  let pods: SharedInformer<V1Pod>;
  let deployments: SharedInformer<V1Deployment>;
  let jobs: SharedInformer<V1Job>;
  let workload: Workload | undefined;

  beforeEach(async () => {
    server = await startApiServer();
    pods = createInformer(server.client, resources.core.v1.pods);
    deployments = createInformer(server.client, resources.apps.v1.deployments);
    jobs = createInformer(server.client, resources.batch.v1.jobs);
    await Promise.all([pods.whenSynced(), deployments.whenSynced(), jobs.whenSynced()]);
  });

  afterEach(async () => {
    await workload?.stop();
    await Promise.all([pods.stop(), deployments.stop(), jobs.stop()]);
    await server.close();
  });

  const web = (): V1Deployment => deployments.lister.getOrThrow('default/web');
  const when = ({ resource$ }: { readonly resource$: Observable<unknown> }, condition: () => boolean): Promise<unknown> =>
    firstValueFrom(resource$.pipe(map(condition), filter(Boolean)), { defaultValue: false });
  const rolledOut = (image: string, replicas: number) => (): boolean =>
    deployments.lister.get('default/web')?.metadata !== undefined &&
    isReady(web()) &&
    pods.lister.list().length === replicas &&
    pods.lister.list('app=web').every((pod) => isReady(pod) && pod.spec?.containers[0]?.image === image);

  it.each([
    [{ crashrate: 1 }, 'Unknown option `crashrate` of `startWorkload`; did you mean `crashRate`?'],
    [{ startMs: -1 }, 'Expected `startMs` of `startWorkload` to be a finite number >= 0, got -1'],
  ])('refuses kubelets with %j', async (kubelet, message) => {
    await expect(startWorkload(server.client, { kubelet: kubelet as object })).rejects.toThrow(message);
  });

  it('makes a deployment run, scales it, and rolls out another template', async () => {
    workload = await startWorkload(server.client, fast);
    await server.client.create(resources.apps.v1.deployments, deployment(3));
    await when(deployments, () => deployments.lister.get('default/web') !== undefined && isReady(web()));
    await when(pods, rolledOut('web:1', 3));
    expect(web().metadata?.generation).toBe(1);
    await server.client.patch(resources.apps.v1.deployments, 'web', 'merge', { spec: { replicas: 1 } }, { namespace });
    await when(pods, () => pods.lister.list().length === 1);
    const spec = { containers: [{ name: 'c', image: 'web:2' }] };
    await server.client.patch(resources.apps.v1.deployments, 'web', 'merge', { spec: { replicas: 2, template: { spec } } }, { namespace });
    await when(deployments, () => web().status?.updatedReplicas === 2 && isReady(web()));
    expect(web().metadata?.annotations?.['deployment.kubernetes.io/revision']).toBe('2');
    expect(
      pods.lister
        .list('app=web')
        .filter(isReady)
        .map((pod) => pod.spec?.containers[0]?.image),
    ).toEqual(expect.arrayContaining(['web:2', 'web:2']));
    expect(new Set(pods.lister.list().map((pod) => pod.spec?.nodeName)).size).toBeGreaterThan(1);
  });

  it('has caches that are no twins of those of the program', async () => {
    workload = await startWorkload(server.client, fast);
    await Promise.all([pods.whenSynced(), deployments.whenSynced()]);
    const informers = registry()
      .all()
      .map((running) => running.figures())
      .filter(({ kind, name }) => kind === 'informer' && /^(workload\/)?pods$/.test(name));
    expect(informers).toHaveLength(2);
    expect(diagnose().filter(({ code }) => code === 'twins')).toEqual([]);
  });

  it('removes the pods of a deployment that is deleted', async () => {
    workload = await startWorkload(server.client, fast);
    await server.client.create(resources.apps.v1.deployments, deployment(2));
    await when(pods, () => pods.lister.list().filter(isReady).length === 2);
    await server.client.delete(resources.apps.v1.deployments, 'web', { namespace });
    await when(pods, () => pods.lister.list().length === 0);
    expect(deployments.lister.list()).toEqual([]);
  });

  it('runs the pods of a replication controller, and counts them', async () => {
    workload = await startWorkload(server.client, fast);
    const { replicationcontrollers } = resources.core.v1;
    const controllers = createInformer(server.client, replicationcontrollers);
    const { template } = deployment(2).spec ?? {};
    const spec = { replicas: 2, selector: labels, ...(template !== undefined && { template }) };
    await server.client.create(replicationcontrollers, { metadata: { name: 'old', namespace }, spec });
    await when(controllers, () => controllers.lister.get('default/old')?.status?.readyReplicas === 2);
    expect(controllers.lister.getOrThrow('default/old').status).toMatchObject({ replicas: 2, availableReplicas: 2, observedGeneration: 1 });
    await server.client.patch(replicationcontrollers, 'old', 'merge', { spec: { replicas: 1 } }, { namespace });
    await when(controllers, () => controllers.lister.get('default/old')?.status?.replicas === 1);
    await server.client.delete(replicationcontrollers, 'old', { namespace, propagationPolicy: 'Background' });
    await when(pods, () => pods.lister.list().length === 0);
    await controllers.stop();
  });

  it('runs a job to completion', async () => {
    workload = await startWorkload(server.client, fast);
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'job:1' }] } };
    await server.client.create(resources.batch.v1.jobs, {
      metadata: { name: 'sum', namespace },
      spec: { completions: 3, parallelism: 2, template },
    });
    await when(jobs, () => jobs.lister.list().some(isReady));
    expect(jobs.lister.getOrThrow('default/sum').status).toMatchObject({ succeeded: 3 });
    // Go leaves out a number that is 0.
    expect(jobs.lister.getOrThrow('default/sum').status?.active).toBeUndefined();
    expect(pods.lister.list('job-name=sum')).toHaveLength(3);
  });

  it('says of a pod on which node it is, and which generation of it has been seen', async () => {
    workload = await startWorkload(server.client, fast);
    const created = { metadata: { name: 'one', namespace }, spec: { containers: [{ name: 'c', image: 'web:1' }] } };
    await server.client.create(resources.core.v1.pods, created);
    const one = (): V1Pod | undefined => pods.lister.get('default/one');
    await when(pods, () => isReady(one() ?? {}));
    expect(one()?.status?.hostIP).toMatch(/^192\.0\.2\.\d$/);
    expect(one()?.status?.observedGeneration).toBe(1);
    const spec = { containers: [{ name: 'c', image: 'web:2' }] };
    await server.client.patch(resources.core.v1.pods, 'one', 'strategic', { spec }, { namespace });
    await when(pods, () => one()?.status?.observedGeneration === 2);
    expect(one()?.metadata?.generation).toBe(2);
  });

  it('is not called by the statuses that it writes itself', async () => {
    const causes: string[] = [];
    const note = (outcome: Outcome): void => {
      if (outcome.type === 'started') causes.push(...outcome.reasons.map(({ source, cause }) => `${source} ${cause}`));
    };
    workload = await startWorkload(server.client, { ...fast, onOutcome: note });
    await server.client.create(resources.apps.v1.deployments, deployment(3));
    await when(deployments, () => deployments.lister.get('default/web') !== undefined && isReady(web()));
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'job:1' }] } };
    await server.client.create(resources.batch.v1.jobs, { metadata: { name: 'sum', namespace }, spec: { template } });
    await when(jobs, () => jobs.lister.list().some(isReady));
    // A deployment gets an annotation with its revision.
    const updates = causes.filter((cause) => /^(deployments|jobs) updated$/.test(cause));
    expect(updates.length).toBeLessThanOrEqual(1);
    expect(causes.filter((cause) => cause === 'replicaSets updated').length).toBeGreaterThan(0);
  });

  it('lets containers crash and come back', async () => {
    workload = await startWorkload(server.client, { kubelet: { ...(fast.kubelet as object), crashRate: 1 } });
    await server.client.create(resources.core.v1.pods, {
      metadata: { name: 'one', namespace },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    });
    const restarts = (): number => pods.lister.get('default/one')?.status?.containerStatuses?.[0]?.restartCount ?? 0;
    const reason = (): string | undefined => pods.lister.get('default/one')?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
    await when(pods, () => reason() === 'CrashLoopBackOff');
    await when(pods, () => restarts() >= 2 && isReady(pods.lister.getOrThrow('default/one')));
    expect(pods.lister.getOrThrow('default/one').status?.phase).toBe('Running');
  });

  it('does not start containers whose image cannot be pulled', async () => {
    workload = await startWorkload(server.client, { kubelet: { ...(fast.kubelet as object), canPull: (image) => image !== 'web:404' } });
    const create = (name: string, image: string): Promise<unknown> =>
      server.client.create(resources.core.v1.pods, { metadata: { name, namespace }, spec: { containers: [{ name: 'c', image }] } });
    await create('bad', 'web:404');
    await create('good', 'web:1');
    const bad = (): V1Pod | undefined => pods.lister.get('default/bad');
    await when(pods, () => isReady(pods.lister.get('default/good') ?? {}));
    await when(pods, () => bad()?.status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ImagePullBackOff');
    expect(bad()?.status).toMatchObject({
      phase: 'Pending',
      containerStatuses: [{ ready: false, state: { waiting: { message: 'Back-off pulling image "web:404"' } } }],
    });
    await server.client.patch(
      resources.core.v1.pods,
      'bad',
      'merge',
      { spec: { containers: [{ name: 'c', image: 'web:2' }] } },
      { namespace },
    );
    await when(pods, () => isReady(bad() ?? {}));
  });

  it('refuses pods whose ports on the host are taken', async () => {
    workload = await startWorkload(server.client, fast);
    const create = (name: string, protocol: string): Promise<unknown> => {
      const ports = [{ hostPort: 8080, containerPort: 80, protocol }];
      const spec = { nodeName: 'node-1', containers: [{ name: 'c', image: 'web:1', ports }] };
      return server.client.create(resources.core.v1.pods, { metadata: { name, namespace }, spec });
    };
    await create('first', 'TCP');
    await when(pods, () => isReady(pods.lister.get('default/first') ?? {}));
    await create('second', 'TCP');
    await create('udp', 'UDP');
    await when(pods, () => isReady(pods.lister.get('default/udp') ?? {}));
    await when(pods, () => pods.lister.get('default/second')?.status?.phase !== 'Pending');
    expect(pods.lister.getOrThrow('default/second').status).toMatchObject({ phase: 'Failed', reason: 'NodePorts' });
    expect(pods.lister.getOrThrow('default/first').status?.phase).toBe('Running');
  });

  it('ends pods that are active for longer than their deadline', async () => {
    workload = await startWorkload(server.client, fast);
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    await server.client.create(resources.core.v1.pods, { metadata: { name: 'one', namespace }, spec });
    await when(pods, () => isReady(pods.lister.get('default/one') ?? {}));
    await server.client.patch(resources.core.v1.pods, 'one', 'merge', { spec: { activeDeadlineSeconds: 1 } }, { namespace });
    await when(pods, () => pods.lister.get('default/one')?.status?.phase === 'Failed');
    expect(pods.lister.getOrThrow('default/one').status).toMatchObject({
      reason: 'DeadlineExceeded',
      containerStatuses: [{ ready: false, state: { terminated: { exitCode: 137 } } }],
    });
  });

  it('says by events what it has done', async () => {
    workload = await startWorkload(server.client, fast);
    await server.client.create(resources.apps.v1.deployments, deployment(1));
    await when(deployments, () => deployments.lister.get('default/web')?.status?.readyReplicas === 1);
    await server.client.patch(resources.apps.v1.deployments, 'web', 'merge', { spec: { replicas: 0 } }, { namespace });
    await when(pods, () => pods.lister.list().length === 0);
    await when(deployments, () => web().status?.observedGeneration === 2 && web().status?.replicas === undefined);
    const { items } = await server.client.list(resources.core.v1.events, { namespace });
    const said = items.map(({ involvedObject: { kind = '' }, source, reason = '', message = '' }) =>
      [kind, source?.component, reason, message.replace(/web-[-a-z0-9]+/g, 'NAME').replace(/node-\d/, 'NODE')].join(' | '),
    );
    expect(said.sort()).toEqual([
      'Deployment | deployment-controller | ScalingReplicaSet | Scaled down replica set NAME from 1 to 0',
      'Deployment | deployment-controller | ScalingReplicaSet | Scaled up replica set NAME from 0 to 1',
      'Pod | default-scheduler | Scheduled | Successfully assigned default/NAME to NODE',
      'Pod | kubelet | Created | Created container: c',
      'Pod | kubelet | Killing | Stopping container c',
      'Pod | kubelet | Pulled | Container image "web:1" already present on machine',
      'Pod | kubelet | Started | Started container c',
      'ReplicaSet | replicaset-controller | SuccessfulCreate | Created pod: NAME',
      'ReplicaSet | replicaset-controller | SuccessfulDelete | Deleted pod: NAME',
    ]);
  });

  it('counts what happens again in one event', async () => {
    workload = await startWorkload(server.client, { kubelet: { ...(fast.kubelet as object), crashRate: 1 } });
    const events = createInformer(server.client, resources.core.v1.events);
    const spec = { containers: [{ name: 'c', image: 'x' }] };
    await server.client.create(resources.core.v1.pods, { metadata: { name: 'one', namespace }, spec });
    const backOffs = (): readonly unknown[] =>
      events.lister.list().flatMap(({ reason, count = 0 }) => (reason === 'BackOff' && count > 1 ? [count] : []));
    await when(events, () => backOffs().length > 0);
    expect(backOffs()).toHaveLength(1);
    await events.stop();
  });

  it('copies the cause of a change to the set that it made', async () => {
    workload = await startWorkload(server.client, fast);
    const sets = createInformer(server.client, resources.apps.v1.replicasets);
    const causes = (): readonly unknown[] =>
      sets.lister
        .list()
        .map(({ metadata }) => metadata?.annotations?.['kubernetes.io/change-cause'])
        .sort();
    const annotations = { 'kubernetes.io/change-cause': 'first' };
    await server.client.create(resources.apps.v1.deployments, { ...deployment(1), metadata: { name: 'web', namespace, annotations } });
    await when(sets, () => causes().includes('first'));
    const spec = { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } };
    const second = { metadata: { annotations: { 'kubernetes.io/change-cause': 'second' } }, spec };
    await server.client.patch(resources.apps.v1.deployments, 'web', 'merge', second, { namespace });
    await when(sets, () => causes().length === 2);
    expect(causes()).toEqual(['first', 'second']);
    await sets.stop();
  });

  it('keeps the endpoints of services', async () => {
    workload = await startWorkload(server.client, fast);
    const [endpoints, slices] = [
      createInformer(server.client, resources.core.v1.endpoints),
      createInformer(server.client, resources.discovery.v1.endpointslices),
    ];
    const ports = [{ name: 'http', port: 80, targetPort: 'web' }];
    await server.client.create(resources.core.v1.services, { metadata: { name: 'web', namespace }, spec: { selector: labels, ports } });
    const containers = [{ name: 'c', image: 'web:1', ports: [{ name: 'web', containerPort: 8080 }] }];
    for (const name of ['a', 'b'])
      await server.client.create(resources.core.v1.pods, { metadata: { name, namespace, labels }, spec: { containers } });
    const subset = (): unknown => endpoints.lister.get('default/web')?.subsets?.[0];
    const names = (): readonly unknown[] =>
      (endpoints.lister.get('default/web')?.subsets?.[0]?.addresses ?? []).map(({ targetRef }) => targetRef?.name);
    const slice = (): unknown => slices.lister.list('kubernetes.io/service-name=web')[0];
    await when(endpoints, () => names().length === 2);
    expect(subset()).toMatchObject({ ports: [{ name: 'http', port: 8080, protocol: 'TCP' }] });
    await when(slices, () => JSON.stringify(slice() ?? {}).split('"ready":true').length === 3);
    expect(slice()).toMatchObject({ addressType: 'IPv4', ports: [{ name: 'http', port: 8080 }] });
    await server.client.delete(resources.core.v1.pods, 'a', { namespace });
    await when(endpoints, () => names().join() === 'b');
    await server.client.delete(resources.core.v1.services, 'web', { namespace });
    await when(endpoints, () => endpoints.lister.get('default/web') === undefined);
    await when(slices, () => slice() === undefined);
    await Promise.all([endpoints.stop(), slices.stop()]);
  });

  it('takes away the slice of a port that no pod has any more', async () => {
    workload = await startWorkload(server.client, fast);
    const slices = createInformer(server.client, resources.discovery.v1.endpointslices);
    const podWith = (name: string, containerPort: number) => ({
      metadata: { name, namespace, labels },
      spec: { containers: [{ name: 'c', image: 'web:1', ports: [{ name: 'web', containerPort }] }] },
    });
    const spec = { selector: labels, ports: [{ port: 80, targetPort: 'web' }] };
    await server.client.create(resources.core.v1.services, { metadata: { name: 'web', namespace }, spec });
    for (const [name, port] of [
      ['a', 8080],
      ['b', 9090],
    ] as const)
      await server.client.create(resources.core.v1.pods, podWith(name, port));
    const portsNow = (): string =>
      slices.lister
        .list('kubernetes.io/service-name=web')
        .flatMap((slice) => (slice.ports ?? []).map(({ port }) => port))
        .sort()
        .join();
    await when(slices, () => portsNow() === '8080,9090');
    await server.client.delete(resources.core.v1.pods, 'a', { namespace });
    await when(slices, () => portsNow() === '9090');
    expect(slices.lister.list('kubernetes.io/service-name=web')).toHaveLength(1);
    await slices.stop();
  });

  it('gives every namespace its service account', async () => {
    workload = await startWorkload(server.client, fast);
    const accounts = createInformer(server.client, resources.core.v1.serviceaccounts);
    const keys = (): string => accounts.indexer.listKeys().sort().join(' ');
    const all = 'default/default kube-node-lease/default kube-public/default kube-system/default';
    await when(accounts, () => keys() === all);
    await server.client.create(resources.core.v1.namespaces, { metadata: { name: 'new' } });
    await when(accounts, () => keys() === `${all} new/default`);
    const { metadata } = accounts.lister.getOrThrow('new/default');
    await server.client.delete(resources.core.v1.serviceaccounts, 'default', { namespace: 'new' });
    await when(accounts, () => ![undefined, metadata?.uid].includes(accounts.lister.get('new/default')?.metadata?.uid));
    expect(keys()).toBe(`${all} new/default`);
    await accounts.stop();
  });

  it('recreates pods where the strategy says so, says that it is done, and forgets old sets', async () => {
    workload = await startWorkload(server.client, fast);
    const { spec } = deployment(2);
    const recreated = { ...deployment(2), spec: { ...spec, strategy: { type: 'Recreate' }, revisionHistoryLimit: 0 } } as V1Deployment;
    await server.client.create(resources.apps.v1.deployments, recreated);
    const isDone = (): boolean =>
      deployments.lister.get('default/web')?.status?.conditions?.some(({ reason }) => reason === 'NewReplicaSetAvailable') === true;
    await when(deployments, isDone);
    let images: readonly (string | undefined)[] = [];
    const watching = pods.index$.subscribe(() => {
      images = [...images, [...new Set(pods.lister.list().map((pod) => pod.spec?.containers[0]?.image))].sort().join()];
    });
    const containers = [{ name: 'c', image: 'web:2' }];
    await server.client.patch(
      resources.apps.v1.deployments,
      'web',
      'merge',
      { spec: { template: { spec: { containers } } } },
      { namespace },
    );
    await when({ resource$: merge(pods.resource$, deployments.resource$) }, rolledOut('web:2', 2));
    expect(images).not.toContain('web:1,web:2');
    watching.unsubscribe();
    const sets = createInformer(server.client, resources.apps.v1.replicasets);
    await sets.whenSynced();
    await when(sets, () => sets.lister.list().length === 1);
    await sets.stop();
  });

  it('publishes the root certificate in every namespace, and again when it is deleted', async () => {
    workload = await startWorkload(server.client, { ...fast, rootCertificate: 'PEM' });
    const maps = createInformer(server.client, resources.core.v1.configmaps);
    await when(maps, () => maps.lister.list().length === 4);
    await server.client.create(resources.core.v1.namespaces, { metadata: { name: 'new' } });
    await when(maps, () => maps.lister.get('new/kube-root-ca.crt')?.data?.['ca.crt'] === 'PEM');
    const uid = (): string | undefined => maps.lister.get('new/kube-root-ca.crt')?.metadata?.uid;
    const first = uid();
    await server.client.delete(resources.core.v1.configmaps, 'kube-root-ca.crt', { namespace: 'new' });
    // It may be there again before anybody looks.
    await when(maps, () => ![first, undefined].includes(uid()));
    expect(maps.lister.get('new/kube-root-ca.crt')?.data).toEqual({ 'ca.crt': 'PEM' });
    await maps.stop();
  });

  it('keeps pods off nodes with taints that they do not tolerate, and says why', async () => {
    const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
    // Before the scheduler runs: if the taint came later, the scheduler could assign the pods before.
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    await server.client.create(resources.core.v1.nodes, { metadata: { name: 'node-1' }, spec: { taints }, status });
    workload = await startWorkload(server.client, { ...fast, nodes: 1 });
    const podSpec = { containers: [{ name: 'c', image: 'x' }] };
    await server.client.create(resources.core.v1.pods, { metadata: { name: 'plain', namespace }, spec: podSpec });
    const tolerations = [{ key: 'gpu', operator: 'Exists' }];
    await server.client.create(resources.core.v1.pods, { metadata: { name: 'tolerant', namespace }, spec: { ...podSpec, tolerations } });
    await when(pods, () => pods.lister.get('default/tolerant')?.spec?.nodeName === 'node-1');
    const events = createInformer(server.client, resources.core.v1.events);
    await when(events, () =>
      events.lister.list().some(({ message }) => message === '0/1 nodes are available: 1 node(s) had untolerated taint {gpu: yes}.'),
    );
    expect(pods.lister.get('default/plain')?.spec?.nodeName).toBeUndefined();
    await events.stop();
  });

  it('keeps the status of disruption budgets, so that no eviction goes beyond them', async () => {
    workload = await startWorkload(server.client, fast);
    await server.client.create(resources.apps.v1.deployments, deployment(2));
    const { poddisruptionbudgets } = resources.policy.v1;
    const budget = { metadata: { name: 'web', namespace }, spec: { minAvailable: 1, selector: { matchLabels: labels } } };
    await server.client.create(poddisruptionbudgets, budget);
    const budgets = createInformer(server.client, poddisruptionbudgets);
    await when(budgets, () => budgets.lister.get('default/web')?.status?.disruptionsAllowed === 1);
    expect(budgets.lister.get('default/web')?.status).toMatchObject({
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      observedGeneration: 1,
    });
    await server.client.patch(poddisruptionbudgets, 'web', 'merge', { spec: { minAvailable: '100%' } }, { namespace });
    await when(budgets, () => budgets.lister.get('default/web')?.status?.disruptionsAllowed === 0);
    await budgets.stop();
  });

  it('leaves to others what is switched off', async () => {
    workload = await startWorkload(server.client, { ...fast, podScheduler: false });
    await server.client.create(resources.apps.v1.deployments, deployment(1));
    await when(deployments, () => deployments.lister.get('default/web')?.status?.replicas === 1);
    expect(pods.lister.list().map((pod) => [pod.spec?.nodeName, pod.status?.phase])).toEqual([[undefined, 'Pending']]);
  });
});
