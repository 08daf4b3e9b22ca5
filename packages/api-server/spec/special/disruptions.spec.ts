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
