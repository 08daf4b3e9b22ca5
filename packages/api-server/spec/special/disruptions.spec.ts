import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

describe('actions on pods', () => {
  let target: Target;
  const path = '/api/v1/namespaces/default/pods';
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  const put = (name: string, app: string, more: object = {}): void => {
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0, ...more };
    target.server.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app } }, spec, status: ready } as never);
  };
  const budget = (name: string, app: string, disruptionsAllowed: number): void => {
    const status = { observedGeneration: 1, disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 };
    const spec = { minAvailable: 1, selector: { matchLabels: { app } } };
    target.server.objects.put({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name }, spec, status } as never);
  };
  const evict = async (name: string, body: object = {}, query = ''): Promise<readonly [number, unknown]> => {
    const sent = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name }, ...body };
    const { code, json } = await target.request(`${path}/${name}/eviction${query}`, { method: 'POST', body: sent });
    return [code, json['message']];
  };
  const exists = async (name: string): Promise<boolean> => (await target.request(`${path}/${name}`)).code === 200;

  it('evict no pod of another name', async () => {
    put('named', 'named');
    expect(await evict('named', { metadata: { name: 'other' } })).toEqual([400, 'name in URL does not match name in Eviction object']);
    expect(await exists('named')).toBe(true);
  });

  it.each([
    ['the query', {}, '?dryRun=All'],
    ['the body', { deleteOptions: { dryRun: ['All'] } }, ''],
  ])('evict nothing when %s says so', async (_, body, query) => {
    put('dry', 'dry');
    expect(await evict('dry', body, query)).toEqual([201, undefined]);
    expect(await exists('dry')).toBe(true);
  });

  it('evict as many pods as their budget allows, and no more', async () => {
    for (const name of ['a1', 'a2']) put(name, 'a');
    budget('a', 'a', 1);
    expect(await evict('a1', {}, '?dryRun=All')).toEqual([201, undefined]);
    expect(await evict('a1')).toEqual([201, undefined]);
    expect(await evict('a2')).toEqual([429, "Cannot evict pod as it would violate the pod's disruption budget."]);
    expect([await exists('a1'), await exists('a2')]).toEqual([false, true]);
  });

  it('evict no pod of two budgets', async () => {
    put('two', 'two');
    budget('one', 'two', 5);
    budget('other', 'two', 5);
    expect((await evict('two'))[0]).toBe(500);
    expect(await exists('two')).toBe(true);
  });

  it('bind no pod in a dry run, to nothing, to another kind, or behind a gate', async () => {
    const bind = async (name: string, to: object, query = ''): Promise<readonly [number, unknown]> => {
      const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target: to };
      const { code, json } = await target.request(`${path}/${name}/binding${query}`, { method: 'POST', body });
      return [code, json['message']];
    };
    put('free', 'free', { nodeName: '' });
    put('gated', 'free', { nodeName: '', schedulingGates: [{ name: 'g' }] });
    expect(await bind('free', { name: 'n' }, '?dryRun=All')).toEqual([201, undefined]);
    expect(await bind('free', {})).toEqual([500, 'target.name: Required value']);
    expect(await bind('free', { kind: 'Pod', name: 'n' })).toEqual([
      500,
      'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
    ]);
    expect((await bind('gated', { name: 'n' }))[0]).toBe(409);
    expect((await target.request(`${path}/free`)).text).not.toContain('"nodeName":"n"');
    expect(await bind('free', { kind: 'Node', name: 'n' })).toEqual([201, undefined]);
  });

  it('bind a pod with the labels and annotations of the binding', async () => {
    put('noted', 'noted', { nodeName: '' });
    const body = { metadata: { name: 'noted', labels: { zone: 'z' }, annotations: { by: 'me' } }, target: { name: 'n' } };
    await target.post(`${path}/noted/binding`, body);
    const { metadata } = await target.must(`${path}/noted`);
    expect(metadata).toMatchObject({ labels: { app: 'noted', zone: 'z' }, annotations: { by: 'me' } });
  });

  it('say in the pod that it is evicted', async () => {
    put('last', 'last', { terminationGracePeriodSeconds: 30 });
    expect((await evict('last'))[0]).toBe(201);
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' };
    expect(await target.must(`${path}/last`)).toMatchObject({ status: { conditions: [{ type: 'Ready' }, condition] } });
  });

  it('add debug containers to a pod, and never change or remove one', async () => {
    put('debugged', 'debugged');
    const change = async (ephemeralContainers: unknown, type = 'strategic-merge'): Promise<unknown> => {
      const headers = { 'content-type': `application/${type}-patch+json` };
      const place = `${path}/debugged/ephemeralcontainers`;
      const { code, json } = await target.request(place, { method: 'PATCH', headers, body: { spec: { ephemeralContainers } } });
      const { causes } = (json as { details?: { causes: { field: string }[] } }).details ?? {};
      return causes?.map(({ field }) => field) ?? code;
    };
    expect(await change([{ name: 'd', image: 'i', targetContainerName: 'c' }])).toBe(200);
    expect(await change([{ name: 'e', image: 'i', targetContainerName: 'x' }])).toEqual([
      'spec.ephemeralContainers[0].targetContainerName',
    ]);
    expect(await change([{ name: 'd', image: 'j' }])).toEqual(['spec.ephemeralContainers']);
    expect(await change(null, 'merge')).toEqual(['spec.ephemeralContainers']);
    expect(await change([{ name: 'e', image: 'i' }])).toBe(200);
  });

  it('resize a container, which keeps all its requests and limits', async () => {
    const resources = { requests: { cpu: '1' }, limits: { cpu: '2', memory: '1Gi' } };
    put('sized', 'sized', { containers: [{ name: 'c', image: 'i', resources }] });
    const resize = async (change: object): Promise<number> => {
      const headers = { 'content-type': 'application/strategic-merge-patch+json' };
      const body = { spec: { containers: [{ name: 'c', resources: change }] } };
      return (await target.request(`${path}/sized/resize`, { method: 'PATCH', headers, body })).code;
    };
    expect(await resize({ limits: { memory: null } })).toBe(422);
    expect(await resize({ limits: { memory: '2Gi' } })).toBe(200);
  });

  it('let a pod behind a gate get more selective, and lose gates only', async () => {
    const required = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
    };
    const spec = { containers: [{ name: 'c', image: 'i' }], schedulingGates: [{ name: 'a' }, { name: 'b' }] };
    await target.post(path, { metadata: { name: 'kept' }, spec });
    const change = async (body: object): Promise<number> => {
      const headers = { 'content-type': 'application/merge-patch+json' };
      return (await target.request(`${path}/kept`, { method: 'PATCH', headers, body: { spec: body } })).code;
    };
    expect(await change({ nodeSelector: { a: '1' } })).toBe(200);
    expect(await change({ nodeSelector: { a: '2' } })).toBe(422);
    expect(await change({ affinity: { nodeAffinity: required } })).toBe(200);
    expect(await change({ affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } } })).toBe(422);
    expect(await change({ schedulingGates: [{ name: 'a' }, { name: 'c' }] })).toBe(422);
    expect(await change({ schedulingGates: [] })).toBe(200);
    expect(await change({ nodeSelector: { b: '1' } })).toBe(422);
  });

  it('know the first address of a pod by both its names', async () => {
    put('reached', 'reached');
    await target.merge(`${path}/reached/status`, { status: { podIP: '10.1.2.3' } });
    expect(await target.must(`${path}/reached`)).toMatchObject({ status: { podIPs: [{ ip: '10.1.2.3' }] } });
    await target.merge(`${path}/reached/status`, { status: { podIP: null, podIPs: [{ ip: '10.1.2.4' }] } });
    expect(await target.must(`${path}/reached`)).toMatchObject({ status: { podIP: '10.1.2.4' } });
    await target.merge(`${path}/reached/status`, { status: { podIP: '10.1.2.5' } });
    expect(await target.must(`${path}/reached`)).toMatchObject({ status: { podIPs: [{ ip: '10.1.2.5' }] } });
  });

  it('delete no more of a collection than the limit says', async () => {
    const maps = '/api/v1/namespaces/default/configmaps';
    for (const name of ['x1', 'x2', 'x3']) await target.post(maps, { metadata: { name, labels: { x: 'y' } } });
    const { json } = await target.request(`${maps}?labelSelector=x&limit=1`, { method: 'DELETE' });
    expect(json.metadata).toMatchObject({ continue: expect.stringMatching('.') as unknown as string });
    const left = await target.must(`${maps}?labelSelector=x`);
    expect((left['items'] as unknown as unknown[]).length).toBe(2);
  });

  it('apply nothing with a uid of what is not there', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'ghost', uid: 'u' } };
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const { code } = await target.request('/api/v1/namespaces/default/configmaps/ghost?fieldManager=m', { method: 'PATCH', headers, body });
    expect(code).toBe(409);
  });
});
