import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { prometheusWebhookMetrics } from '../../src/metrics/prometheusWebhookMetrics.js';

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
