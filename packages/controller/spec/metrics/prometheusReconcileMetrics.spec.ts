import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { EMPTY, throwError } from 'rxjs';
import { reconcile } from '../../src/reconcile/reconcile.js';
import { terminal } from '../../src/reconcile/terminal.js';
import { prometheusReconcileMetrics } from '../../src/metrics/prometheusMetrics.js';

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
});
