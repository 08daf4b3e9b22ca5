import type { ReviewObserver } from '../webhooks/reviewObserver.js';
import { loadPrometheus, type PrometheusOptions } from './prometheusOptions.js';

/** 5 milliseconds to 30 seconds, the longest time that an API server waits. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Registers metrics of webhooks with prom-client, which is loaded at the first call. Returns an observer for `webhookServer.observers`; a manager with
 * `metrics` has one already.
 *
 * - Under controller-runtime's names: `controller_runtime_webhook_latency_seconds`, `controller_runtime_webhook_requests_total` (by `code`) and
 *   `controller_runtime_webhook_requests_in_flight`.
 * - Beyond those: `webhook_verdicts_total` (by `verdict`: allowed, denied, converted or failed), since the code of a refusal is 200, too.
 *
 * All have the label `webhook`, the name of the webhook.
 *
 * @example
 * ```ts
 * import { prometheusWebhookMetrics } from '@rx-informer/controller/metrics';
 * import { serveWebhooks } from '@rx-informer/controller/webhooks';
 *
 * serveWebhooks({ webhooks: [], observers: [await prometheusWebhookMetrics()] });
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 */
export async function prometheusWebhookMetrics(options: PrometheusOptions = {}): Promise<ReviewObserver> {
  const { counter, gauge, histogram } = await loadPrometheus('prometheusWebhookMetrics', options, ['webhook']);
  const prefix = 'controller_runtime_webhook';
  const latency = histogram(`${prefix}_latency_seconds`, 'Duration of reviews', buckets);
  const requests = counter(`${prefix}_requests_total`, 'Number of answered reviews, by the HTTP status code', 'code');
  const running = gauge(`${prefix}_requests_in_flight`, 'Number of reviews under way');
  const verdicts = counter('webhook_verdicts_total', 'Number of reviews, by what was answered', 'verdict');
  return {
    began: (webhook) => running.inc({ webhook }),
    ended: ({ webhook, code, verdict, durationMs }) => {
      running.dec({ webhook });
      latency.observe({ webhook }, durationMs / 1_000);
      requests.inc({ webhook, code: String(code) });
      verdicts.inc({ webhook, verdict });
    },
  };
}
