import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

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

  it('shows the last of several queues with one name, whoever registered the metrics', async () => {
    const register = new Registry();
    for (const items of [['a'], ['a', 'b', 'c']]) {
      const queue = createWorkQueue<string>({ metrics: (await prometheusQueueMetrics({ register }))('same') });
      for (const item of items) queue.add(item);
    }
    const text = await register.metrics();
    expect(text).toContain('workqueue_depth{name="same"} 3');
    expect(text).toContain('workqueue_adds_total{name="same"} 4');
  });
});
