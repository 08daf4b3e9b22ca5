import type { MonoTypeOperatorFunction } from 'rxjs';
import { prometheusText, type PrometheusText } from '../metrics/prometheusOptions.js';
import type { Trace } from '../api/traceStep.js';
import type { LeaderMetricsSink } from '../controller/leader/leaderElectionOptions.js';
import type { Outcome } from '../controller/reconcile/outcome.js';
import { prometheusInformerMetrics } from '../metrics/prometheusInformerMetrics.js';
import { prometheusReconcileMetrics } from '../metrics/prometheusMetrics.js';
import { prometheusLeaderMetrics, prometheusQueueMetrics, prometheusWarnings } from '../metrics/prometheusMetrics.js';
import { prometheusWebhookMetrics } from '../metrics/prometheusWebhookMetrics.js';
import type { ReviewObserver } from '../webhooks/reviewObserver.js';
import type { QueueMetricsSink } from '../workqueue/workQueue.js';

/** The metrics of everything that a manager runs. */
export interface ManagerMetrics {
  readonly trace: Trace;
  readonly leader: LeaderMetricsSink;
  readonly webhooks: ReviewObserver;
  readonly text: PrometheusText;
  queue(controller: string): { readonly metrics: QueueMetricsSink };
  outcomes(controller: string): MonoTypeOperatorFunction<Outcome>;
}

/** Registers the metrics with prom-client. */
export async function managerMetrics(): Promise<ManagerMetrics> {
  const [traceOf, queueOf, outcomesOf] = [
    await prometheusInformerMetrics(),
    await prometheusQueueMetrics(),
    await prometheusReconcileMetrics(),
  ];
  await prometheusWarnings();
  return {
    trace: traceOf('manager'),
    leader: await prometheusLeaderMetrics(),
    webhooks: await prometheusWebhookMetrics(),
    text: await prometheusText(),
    queue: (controller) => ({ metrics: queueOf(controller) }),
    outcomes: outcomesOf,
  };
}
