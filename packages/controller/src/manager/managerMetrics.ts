import type { MonoTypeOperatorFunction } from 'rxjs';
import { prometheusText } from '../metrics/prometheusOptions.js';
import type { Trace } from 'rx-informer/pipeline';
import type { LeaderMetricsSink } from '../leader/leaderElectionOptions.js';
import type { Outcome } from '../reconcile/outcome.js';
import { combinedSinks } from '../metrics/combineTraces.js';
import { prometheusInformerMetrics } from '../metrics/prometheusInformerMetrics.js';
import { prometheusReconcileMetrics } from '../metrics/prometheusMetrics.js';
import { prometheusLeaderMetrics, prometheusQueueMetrics, prometheusWarnings } from '../metrics/prometheusMetrics.js';
import { prometheusWebhookMetrics } from '../metrics/prometheusWebhookMetrics.js';
import type { ReviewObserver } from '../webhooks/reviewObserver.js';
import type { QueueMetricsSink } from 'rx-informer/workqueue';
import type { ManagerSettings } from './managerOptions.js';
import type { ProbeAnswers } from './probeServer.js';

/** The metrics of everything that a manager runs. */
export interface ManagerMetrics {
  readonly trace: Trace;
  /** The sink of the election; `own` gets everything as well. */
  leader(own: LeaderMetricsSink | undefined): LeaderMetricsSink;
  readonly webhooks: ReviewObserver;
  readonly text: NonNullable<ProbeAnswers['metrics']>;
  /** The sink of a controller's queue; `own` gets everything as well. */
  queue(controller: string, own: QueueMetricsSink | undefined): QueueMetricsSink;
  outcomes(controller: string): MonoTypeOperatorFunction<Outcome>;
}

const queueMethods = ['opened', 'closed', 'depth', 'adds', 'latency', 'workDuration', 'retries'] as const;

/** Registers the metrics with prom-client. @param warns - whether there is an inspector, whose warnings are a metric. */
export async function managerMetrics({ staleAfterMs }: Pick<ManagerSettings, 'staleAfterMs'>, warns: boolean): Promise<ManagerMetrics> {
  const [traceOf, queueOf, outcomesOf] = [
    await prometheusInformerMetrics(),
    await prometheusQueueMetrics(),
    await prometheusReconcileMetrics(),
  ];
  const leader = await prometheusLeaderMetrics();
  if (warns) await prometheusWarnings({ staleAfterMs });
  return {
    trace: traceOf('manager'),
    leader: (own) => combinedSinks<LeaderMetricsSink>(['leading', 'slowPath'], leader, own),
    webhooks: await prometheusWebhookMetrics(),
    text: await prometheusText(),
    queue: (controller, own) => combinedSinks<QueueMetricsSink>(queueMethods, queueOf(controller), own),
    outcomes: outcomesOf,
  };
}
