import { describe, expect, it } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { VirtualTimeScheduler } from 'rxjs';
import { createInformer, createInformerFactory, type KubernetesObject, resources } from 'rx-informer';
import { reflect, tracing } from 'rx-informer/pipeline';
import { prometheusInformerMetrics } from '../../src/metrics/prometheusInformerMetrics.js';
import { advanceBy, FakeListerWatcher } from 'rx-informer/testing';

const pod = (name: string): KubernetesObject => ({ metadata: { namespace: 'default', name } });
const labels = 'name="web",group="apps",version="v1",resource="deployments"';

/** The samples with these labels, without the labels. */
async function samplesOf(register: Registry): Promise<string[]> {
  return (await register.metrics())
    .split('\n')
    .filter((line) => line.includes(labels) && !line.includes('_bucket'))
    .map((line) => line.replace(labels, '').replace('{}', '').replace('{,', '{'));
}

function clientOf(server: FakeListerWatcher): Parameters<typeof createInformerFactory>[0] {
  return {
    listChunks: (_: unknown, request: object) => server.list(request),
    watch: (_: unknown, request: object) => server.watch(request),
  } as Parameters<typeof createInformerFactory>[0];
}

function served() {
  const scheduler = new VirtualTimeScheduler();
  const server = new FakeListerWatcher({ scheduler, latencyMs: 500, bookmarkIntervalMs: Infinity });
  server.add(pod('a'));
  server.add(pod('b'));
  return { scheduler, server };
}

describe('prometheusInformerMetrics', () => {
  it("shows informers under client-go's names and labels (IM-03)", async () => {
    const register = new Registry();
    const traceOf = await prometheusInformerMetrics({ register });
    const { scheduler, server } = served();
    const trace = traceOf('web', resources.apps.v1.deployments);
    const informer = createInformer(server, {
      scheduler,
      random: () => 0,
      listStrategy: 'list',
      relistPeriodMs: 10_000,
      logger: { warn: () => undefined },
      parts: [tracing(trace)],
    });
    informer.addEventHandler({ onAdd: () => new Promise<void>(() => undefined) });
    informer.start();
    advanceBy(scheduler, 2000);
    server.modify(pod('a'));
    server.loseEvents(() => server.delete('default/b'));
    advanceBy(scheduler, 10_000);
    server.fail({ code: 500, reason: 'InternalError' });
    advanceBy(scheduler, 600);
    expect(await samplesOf(register)).toEqual([
      'informer_store_resource_version 5',
      'informer_store_objects 1',
      'informer_synced 1',
      'informer_stale_seconds 0.1',
      'informer_queued_items 5',
      'reflector_lists_total 2',
      ...['reflector_list_duration_seconds_sum 1', 'reflector_list_duration_seconds_count 2'],
      ...['reflector_items_per_list_sum 3', 'reflector_items_per_list_count 2'],
      'reflector_watches_total 2',
      ...['reflector_watch_duration_seconds_sum 12', 'reflector_watch_duration_seconds_count 2'],
      ...['reflector_items_per_watch_sum 2', 'reflector_items_per_watch_count 2'],
      'reflector_last_resource_version 5',
      ...['informer_processing_latency_seconds_sum 0', 'informer_processing_latency_seconds_count 10'],
      'reflector_events_total{type="MODIFIED"} 1',
      'reflector_events_total{type="ERROR"} 1',
      'informer_failures_total{code="ERR_WATCH"} 1',
      'informer_relist_differences_total{type="deleted",reason="period",missed="false"} 1',
    ]);
  });

  it('knows a reflector alone by its name', async () => {
    const register = new Registry();
    const traceOf = await prometheusInformerMetrics({ register });
    const { scheduler, server } = served();
    reflect(server, { scheduler, listStrategy: 'list', trace: traceOf('bare') }).subscribe();
    advanceBy(scheduler, 600);
    server.close();
    const text = await register.metrics();
    expect(text).toContain('reflector_lists_total{name="bare",group="",version="",resource="objects"} 1');
    expect(text).not.toContain('informer_synced{');
  });

  it('counts the informers of a factory by resource, and forgets those that were stopped', async () => {
    const register = new Registry();
    const traceOf = await prometheusInformerMetrics({ register });
    const { scheduler, server } = served();
    const factory = createInformerFactory(clientOf(server), {
      scheduler,
      logger: { warn: () => undefined },
      parts: [tracing(traceOf('all'))],
    });
    const web = factory.forResource(resources.apps.v1.deployments, { labelSelector: 'app=web' });
    factory.forResource(resources.apps.v1.deployments, { labelSelector: 'app=db' });
    factory.forResource(resources.core.v1.pods);
    factory.start();
    advanceBy(scheduler, 2000);
    const objectsOf = async (): Promise<string[]> =>
      (await register.metrics()).split('\n').filter((line) => line.startsWith('informer_store_objects'));
    expect(await objectsOf()).toEqual([
      'informer_store_objects{name="all",group="apps",version="",resource="deployments"} 4',
      'informer_store_objects{name="all",group="",version="",resource="pods"} 2',
    ]);
    await web.stop();
    expect(await objectsOf()).toContain('informer_store_objects{name="all",group="apps",version="",resource="deployments"} 2');
    await factory.shutdown();
    expect(await objectsOf()).toEqual([]);
  });

  it('shows the informers of the same labels together, also of several calls: the managers of two clusters', async () => {
    const register = new Registry();
    const { scheduler, server } = served();
    const one = await prometheusInformerMetrics({ register });
    const other = await prometheusInformerMetrics({ register });
    const options = { scheduler, logger: { warn: () => undefined } };
    for (const traceOf of [one, other, other]) {
      const trace = traceOf('web', resources.apps.v1.deployments);
      const informer = createInformer(server, { ...options, parts: [tracing(trace)] });
      if (traceOf === one) informer.start();
    }
    advanceBy(scheduler, 2000);
    expect(await samplesOf(register)).toEqual(expect.arrayContaining(['informer_store_objects 2', 'informer_synced 0']));
    expect(await samplesOf(register)).toContain('informer_stale_seconds +Inf');
  });

  it('counts short watches', async () => {
    const register = new Registry();
    const traceOf = await prometheusInformerMetrics({ register });
    const trace = traceOf('web', resources.apps.v1.deployments);
    const base = { at: 0, name: 'web', resource: 'deployments.apps', scope: '', id: 1, verb: 'watch' } as const;
    trace({ stage: 'request', ...base, request: {} });
    trace({ stage: 'end', ...base, at: 5, outcome: 'complete', lastedMs: 5 });
    expect(await samplesOf(register)).toContain('reflector_short_watches_total 1');
  });

  it("takes the metrics of a registry that has them, and refuses somebody else's", async () => {
    const register = new Registry();
    await prometheusInformerMetrics({ register });
    await prometheusInformerMetrics({ register });
    const foreign = new Registry();
    new Counter({ name: 'reflector_lists_total', help: 'mine', registers: [foreign] });
    await expect(prometheusInformerMetrics({ register: foreign })).rejects.toThrow('already been registered');
    // A registry that was cleared has them no longer.
    register.clear();
    await prometheusInformerMetrics({ register });
    expect(register.getSingleMetric('reflector_lists_total')).toBeDefined();
  });
});
