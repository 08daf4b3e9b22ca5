import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { VirtualTimeScheduler } from 'rxjs';
import { prometheusViewMetrics } from '../../src/metrics/prometheusMetrics.js';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { derive } from '@rx-informer/views';

interface Pod {
  readonly name: string;
  readonly n: number;
}

async function samplesOf(register: Registry): Promise<string[]> {
  return (await register.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('prometheusViewMetrics', () => {
  it('shows what views have computed, what of it was equal, how long it took, and how they are', async () => {
    const register = new Registry();
    const addView = await prometheusViewMetrics({ register });
    const scheduler = new VirtualTimeScheduler();
    const pods = fakeCollection<Pod>(
      [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
      { key: ({ name }) => name, scheduler },
    );
    const halves = derive(
      pods,
      ({ n }) => {
        advanceBy(scheduler, 250);
        if (n < 0) throw new Error('negative');
        return Math.floor(n / 2);
      },
      { name: 'halves', scheduler, logger: { warn: () => undefined } },
    );
    const remove = addView(halves);
    expect(await samplesOf(register)).toContain('view_synced{name="halves"} 0');
    halves.start();
    pods.put({ name: 'b', n: 3 });
    pods.put({ name: 'a', n: 8 });
    pods.put({ name: 'a', n: -1 });
    expect(await samplesOf(register)).toEqual([
      'view_computed_total{name="halves"} 5',
      'view_unchanged_total{name="halves"} 1',
      'view_failed_total{name="halves"} 1',
      'view_changes_total{name="halves"} 2',
      'view_compute_seconds_total{name="halves"} 1.25',
      'view_objects{name="halves"} 2',
      'view_synced{name="halves"} 1',
      'view_degraded_keys{name="halves"} 1',
    ]);
    remove();
    expect(await samplesOf(register)).toEqual([]);
  });

  it('shows the last of several views with one name, also after a second registration', async () => {
    const register = new Registry();
    const addView = await prometheusViewMetrics({ register });
    const pods = fakeCollection<Pod>([{ name: 'a', n: 1 }], { key: ({ name }) => name });
    const [first, second] = [derive(pods, ({ n }) => n, { name: 'same' }), derive(pods, ({ n }) => n, { name: 'same' })];
    const removeFirst = addView(first);
    addView(second);
    second.start();
    removeFirst();
    expect(await samplesOf(register)).toContain('view_computed_total{name="same"} 1');
    await prometheusViewMetrics({ register });
    expect(await samplesOf(register)).toContain('view_computed_total{name="same"} 1');
    await expect(prometheusViewMetrics({ registry: register } as never)).rejects.toThrow(
      'Unknown option `registry` of `prometheusViewMetrics`',
    );
  });
});
