import { defer, type MonoTypeOperatorFunction, tap } from 'rxjs';
import { loadPrometheus, type PrometheusOptions } from './prometheusOptions.js';
import type { Outcome } from '../controller/reconcile/outcome.js';

const buckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.5, 2, 3, 5, 10, 30, 60,
];

const resultOf = (outcome: Extract<Outcome, { type: 'succeeded' | 'failed' }>): string =>
  outcome.type === 'failed' ? 'error' : outcome.requeueAfterMs === undefined ? 'success' : 'requeue_after';

/**
 * Registers controller-runtime's metrics of control loops with prom-client, which is loaded at the first call. Returns a function that makes an operator for the
 * outcomes of `reconcile` from the name of the controller.
 *
 * The metrics are `controller_runtime_reconcile_total` (by `result`: success, requeue_after or error), `controller_runtime_reconcile_errors_total`,
 * `controller_runtime_reconcile_time_seconds` and `controller_runtime_active_workers`, all with the label `controller`. The outcomes pass unchanged.
 *
 * @example
 * ```ts
 * import { reconcile } from 'rx-informer/controller';
 * import { prometheusReconcileMetrics } from 'rx-informer/metrics';
 *
 * const measured = await prometheusReconcileMetrics();
 * reconcile({ sources: [['default/web']], reconcile: async () => ({}) }).pipe(measured('websites')).subscribe();
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has other metrics with these names.
 *
 * @see controller-runtime's `pkg/internal/controller/metrics`
 */
export async function prometheusReconcileMetrics(
  options: PrometheusOptions = {},
): Promise<(controller: string) => MonoTypeOperatorFunction<Outcome>> {
  const { counter, gauge, histogram } = await loadPrometheus('prometheusReconcileMetrics', options, ['controller']);
  const prefix = 'controller_runtime';
  const total = counter(`${prefix}_reconcile_total`, 'How many calls of the reconcile function have ended, by their result', 'result');
  const errors = counter(`${prefix}_reconcile_errors_total`, 'How many of them have failed');
  const time = histogram(`${prefix}_reconcile_time_seconds`, 'How long they took', buckets);
  const active = gauge(`${prefix}_active_workers`, 'How many are under way');

  return (controller) => {
    const labels = { controller };
    for (const result of ['success', 'requeue_after', 'error']) total.inc({ controller, result }, 0);
    errors.inc(labels, 0);
    active.set(labels, 0);
    return (source) =>
      defer(() => {
        let running = 0;
        const note = (outcome: Outcome): void => {
          if (outcome.type === 'started') {
            running += 1;
            active.inc(labels);
          }
          if (outcome.type !== 'succeeded' && outcome.type !== 'failed') return;
          running -= 1;
          active.dec(labels);
          time.observe(labels, outcome.durationMs / 1000);
          if (outcome.type === 'failed') errors.inc(labels);
          total.inc({ controller, result: resultOf(outcome) });
        };
        // When a loop is unsubscribed from, running calls emit no outcome.
        return source.pipe(tap({ next: note, finalize: () => active.dec(labels, running) }));
      });
  };
}
