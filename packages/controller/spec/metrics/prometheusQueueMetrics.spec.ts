import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { concat, NEVER, of, Subject } from 'rxjs';

import { reconcile } from '../../src/reconcile/reconcile.js';
import { prometheusQueueMetrics } from '../../src/metrics/prometheusMetrics.js';
import { createManualClock } from 'rx-informer/testing';
import { createDelayingQueue, createWorkQueue } from 'rx-informer/workqueue';

describe('prometheusQueueMetrics', () => {
  it("shows queues under client-go's names, by their own (MX-01, MX-02)", async () => {
    const register = new Registry();
    const metricsOf = await prometheusQueueMetrics({ register });
    const clock = createManualClock();
    const queue = createDelayingQueue<string>({ clock, metrics: metricsOf('websites') });
    createDelayingQueue<string>({ clock, metrics: metricsOf('idle') });
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 60_000);
    clock.advanceBy(2_000);
    queue.tryGet();
    clock.advanceBy(3_000);
    queue.done('a');
    queue.tryGet();
    clock.advanceBy(1_500);

    const samples = (await register.metrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'));
    expect(samples).toEqual([
      'workqueue_depth{name="websites"} 0',
      'workqueue_depth{name="idle"} 0',
      'workqueue_unfinished_work_seconds{name="websites"} 1.5',
      'workqueue_unfinished_work_seconds{name="idle"} 0',
      'workqueue_longest_running_processor_seconds{name="websites"} 1.5',
      'workqueue_longest_running_processor_seconds{name="idle"} 0',
      'workqueue_adds_total{name="websites"} 2',
      'workqueue_retries_total{name="websites"} 1',
      'workqueue_queue_duration_seconds_sum{name="websites"} 7',
      'workqueue_queue_duration_seconds_count{name="websites"} 2',
      'workqueue_work_duration_seconds_sum{name="websites"} 3',
      'workqueue_work_duration_seconds_count{name="websites"} 1',
    ]);
  });

  it('has buckets from a microsecond to 1000 s', async () => {
    const register = new Registry();
    const metricsOf = await prometheusQueueMetrics({ register });
    metricsOf('websites').latency?.(20);
    const buckets = (await register.metrics()).split('\n').filter((line) => line.startsWith('workqueue_queue_duration_seconds_bucket'));
    expect(buckets.map((line) => /le="([^"]+)".* (\d)$/.exec(line)?.slice(1))).toEqual([
      ...['0.000001', '0.00001', '0.0001', '0.001', '0.01'].map((limit) => [limit, '0']),
      ...['0.1', '1', '10', '100', '1000', '+Inf'].map((limit) => [limit, '1']),
    ]);
  });

  it('shows several queues with one name together, whoever registered the metrics, each until it has ended', async () => {
    const register = new Registry();
    const clock = createManualClock();
    const sink = (await prometheusQueueMetrics({ register }))('same');
    const others = (await prometheusQueueMetrics({ register }))('same');
    const [one, two, three] = [sink, sink, others].map((metrics) => createWorkQueue<string>({ metrics, clock }));
    const shown = async (): Promise<readonly string[]> =>
      (await register.metrics()).split('\n').flatMap((line) => /^workqueue_(?!.*(?:duration|retries)).*{name="same"} .*$/.exec(line) ?? []);
    const taken = (queue: typeof one): void => {
      queue?.add('a');
      queue?.add('b');
      queue?.tryGet();
      clock.advanceBy(1_000);
    };
    for (const queue of [one, two, three]) taken(queue);
    expect((await shown()).map((line) => line.split(' ')[1])).toEqual(['3', '6', '3', '6']);
    void two?.shutDownWithDrain();
    expect((await shown()).map((line) => line.split(' ')[1])).toEqual(['3', '6', '3', '6']);
    two?.done('a');
    two?.tryGet();
    two?.done('b');
    expect((await shown()).map((line) => line.split(' ')[1])).toEqual(['2', '4', '3', '6']);
    one?.shutDown();
    expect((await shown()).map((line) => line.split(' ')[1])).toEqual(['1', '1', '1', '6']);
    three?.shutDown();
    expect(await shown()).toEqual(['workqueue_adds_total{name="same"} 6']);
  });

  it('shows a loop until it has ended, also while it drains', async () => {
    const register = new Registry();
    const metricsOf = await prometheusQueueMetrics({ register });
    const stop$ = new Subject<void>();
    const depths = async (): Promise<readonly string[]> => (await register.metrics()).match(/(?<=workqueue_depth{name="loop"} ).*/g) ?? [];
    const ends = [1, 2].map(() => {
      const end$ = new Subject<void>();
      const config = { sources: [concat(of('a', 'b'), NEVER)], reconcile: () => end$, concurrent: 1, stop$, metrics: metricsOf('loop') };
      return { end$, loop: reconcile(config).subscribe() };
    });
    expect(await depths()).toEqual(['2']);
    ends[0]?.loop.unsubscribe();
    expect(await depths()).toEqual(['1']);
    stop$.next();
    expect(await depths()).toEqual(['1']);
    ends[1]?.end$.complete();
    expect([ends[1]?.loop.closed, await depths()]).toEqual([true, []]);
  });
});
