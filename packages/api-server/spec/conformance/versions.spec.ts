import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTarget, type Target } from '../support/target.js';

describe('versions of one kind', () => {
  let target: Target;
  let namespace: string;
  beforeAll(async () => {
    target = await openTarget();
    namespace = await target.namespace();
  });
  afterAll(() => target.close());

  it('show the same event in the words of core and of events.k8s.io', async () => {
    const core = `/api/v1/namespaces/${namespace}/events`;
    const newer = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
    const involvedObject = { kind: 'Pod', name: 'x', namespace };
    const { metadata } = await target.post(core, {
      metadata: { name: 'e' },
      involvedObject,
      reason: 'R',
      message: 'm',
      type: 'Normal',
      count: 2,
    });
    const shown = await target.must(`${newer}/e`);
    expect(shown).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      regarding: involvedObject,
      note: 'm',
      reason: 'R',
      deprecatedCount: 2,
    });
    expect(shown.metadata).toMatchObject({ uid: metadata.uid, resourceVersion: metadata.resourceVersion });
    const watch = await target.watch(`${newer}?watch=true&fieldSelector=regarding.name%3Dx`);
    expect((await watch.next()).object).toMatchObject({ apiVersion: 'events.k8s.io/v1', note: 'm' });
    watch.close();
    // In events.k8s.io only `series` may be changed.
    const merge = { method: 'PATCH', headers: { 'content-type': 'application/merge-patch+json' } };
    const refused = await target.request(`${newer}/e`, { ...merge, body: JSON.stringify({ deprecatedCount: 3 }) });
    expect(refused.code).toBe(422);
    await target.merge(`${core}/e`, { count: 3 });
    expect(await target.must(`${core}/e`)).toMatchObject({ apiVersion: 'v1', message: 'm', count: 3 });
    expect(await target.must(`${newer}/e`)).toMatchObject({ deprecatedCount: 3 });
    expect((await target.must(newer)).items[0]).toMatchObject({ note: 'm' });
  });

  it('show the same autoscaler with one metric or with many', async () => {
    const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`;
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    await target.post(path('v1'), {
      metadata: { name: 'h' },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 70 },
    });
    const many = await target.must(`${path('v2')}/h`);
    expect(many).toMatchObject({ apiVersion: 'autoscaling/v2', spec: { scaleTargetRef, maxReplicas: 3 } });
    expect(many.spec['metrics']).toEqual([
      { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
    ]);
    expect(await target.must(`${path('v1')}/h`)).toMatchObject({
      apiVersion: 'autoscaling/v1',
      spec: { targetCPUUtilizationPercentage: 70 },
    });
    await target.delete(`${path('v1')}/h`);
    expect((await target.request(`${path('v2')}/h`)).code).toBe(404);
  });
});
