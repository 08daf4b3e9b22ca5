import { describe, expect, it } from '@jest/globals';
import type { Trace, TraceStep } from 'rx-informer/pipeline';
import { Registry } from 'prom-client';
import { EMPTY, throwError, VirtualTimeScheduler, NEVER, type Subscription } from 'rxjs';
import { fakeCollection } from '@rx-informer/views/testing';
import { advanceBy } from 'rx-informer/testing';
import { derive } from '@rx-informer/views';
import { combinedSinks, combineTraces } from '../../src/metrics/combineTraces.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { terminal } from '../../src/reconcile/terminal.js';
import { prometheusReconcileMetrics, prometheusViewMetrics } from '../../src/metrics/prometheusMetrics.js';
import { prometheusWebhookMetrics } from '../../src/metrics/prometheusWebhookMetrics.js';

const step: TraceStep = { stage: 'closed', at: 1, name: 'pods', resource: 'pods' };

describe('combineTraces', () => {
  it('gives each step to each trace, in order', () => {
    const got: string[] = [];
    const trace =
      (name: string): Trace =>
      ({ stage }) =>
        void got.push(`${name} ${stage}`);
    combineTraces(trace('one'), trace('two'))(step);
    expect(got).toEqual(['one closed', 'two closed']);
  });

  it('gives a step to the others when one throws, and then throws that error', () => {
    const got: string[] = [];
    const failing: Trace = () => {
      throw new Error('no');
    };
    const trace = combineTraces(failing, () => void got.push('two'));
    expect(() => trace(step)).toThrow('no');
    expect(got).toEqual(['two']);
  });

  it('refuses what is no trace', () => {
    expect(() => combineTraces(undefined as never)).toThrow(/Expected `traces`/);
  });
});

describe('combinedSinks', () => {
  it('calls the method of each sink that has it, with its own `this`', () => {
    class Sink {
      readonly depths: number[] = [];
      depth(value: number): void {
        this.depths.push(value);
      }
    }
    const [one, two] = [new Sink(), new Sink()];
    const both = combinedSinks<Partial<Sink & { adds(): void }>>(['depth', 'adds'], one, undefined, two);
    both.depth?.(5);
    both.adds?.();
    expect([one.depths, two.depths]).toEqual([[5], [5]]);
  });
});

describe('prometheusReconcileMetrics', () => {
  it('counts failed calls, and those after which a key was given up', async () => {
    const register = new Registry();
    const measured = await prometheusReconcileMetrics({ register });
    const answers: Readonly<Record<string, () => typeof EMPTY>> = {
      good: () => EMPTY,
      bad: () => throwError(() => new Error('no luck')),
      hopeless: () => throwError(() => terminal('no such image')),
    };
    const loop = reconcile({ sources: [Object.keys(answers)], reconcile: ({ key }) => answers[key]?.() ?? EMPTY });
    loop.pipe(measured('sites')).subscribe().unsubscribe();
    const valueOf = async (name: string): Promise<unknown> => (await register.getSingleMetric(name)?.get())?.values[0]?.value;
    expect(await valueOf('controller_runtime_reconcile_errors_total')).toBe(2);
    expect(await valueOf('controller_runtime_terminal_reconcile_errors_total')).toBe(1);
    expect(await valueOf('controller_runtime_active_workers')).toBe(0);
  });

  it('counts the calls of all loops of one name: the managers of two clusters', async () => {
    const register = new Registry();
    const activeOf = async (): Promise<unknown> =>
      (await register.getSingleMetric('controller_runtime_active_workers')?.get())?.values[0]?.value;
    const begin = async (keys: readonly string[]): Promise<Subscription> => {
      const measured = await prometheusReconcileMetrics({ register });
      return reconcile({ sources: [keys], reconcile: () => NEVER })
        .pipe(measured('sites'))
        .subscribe();
    };
    const one = await begin(['a']);
    const other = await begin(['b']);
    expect(await activeOf()).toBe(2);
    one.unsubscribe();
    expect(await activeOf()).toBe(1);
    other.unsubscribe();
    expect(await activeOf()).toBe(0);
    await begin([]);
    expect(await activeOf()).toBe(0);
  });
});

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

describe('prometheusWebhookMetrics', () => {
  it("counts reviews under controller-runtime's names, and refusals apart from their code", async () => {
    const register = new Registry();
    const observer = await prometheusWebhookMetrics({ register });
    const report = { webhook: 'w', operation: 'CREATE', dryRun: false, at: 0, durationMs: 20 };
    for (const [verdict, code] of [
      ['allowed', 200],
      ['denied', 200],
      ['failed', 500],
    ] as const) {
      observer.began?.('w');
      observer.ended?.({ ...report, verdict, code });
    }
    observer.began?.('w');
    const shown = (await register.metrics()).split('\n').filter((line) => !line.startsWith('#') && !line.includes('_bucket'));
    expect(shown.filter((line) => line !== '')).toEqual([
      'controller_runtime_webhook_latency_seconds_sum{webhook="w"} 0.06',
      'controller_runtime_webhook_latency_seconds_count{webhook="w"} 3',
      'controller_runtime_webhook_requests_total{webhook="w",code="200"} 2',
      'controller_runtime_webhook_requests_total{webhook="w",code="500"} 1',
      'controller_runtime_webhook_requests_in_flight{webhook="w"} 1',
      'webhook_verdicts_total{webhook="w",verdict="allowed"} 1',
      'webhook_verdicts_total{webhook="w",verdict="denied"} 1',
      'webhook_verdicts_total{webhook="w",verdict="failed"} 1',
    ]);
  });
});
