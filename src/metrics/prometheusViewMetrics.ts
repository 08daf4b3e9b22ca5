import type { View } from '../views/view.js';
import { loadPrometheus, type PrometheusOptions } from './prometheusOptions.js';

/** What is read of a view at each scrape: the name of the metric, its help, and its value. */
const counters: readonly (readonly [name: string, help: string, valueOf: (view: View<unknown>) => number])[] = [
  ['view_computed_total', 'How many values have been computed', (view) => view.counters().computed],
  ['view_unchanged_total', 'How many computed values were equal to the one before', (view) => view.counters().unchanged],
  ['view_failed_total', 'How many computations have failed', (view) => view.counters().failed],
  ['view_changes_total', 'How many changes have been emitted', (view) => view.counters().changes],
  ['view_compute_seconds_total', 'How long all computations took', (view) => view.counters().durationMs / 1000],
];
const gauges: typeof counters = [
  ['view_objects', 'How many values the view holds', (view) => view.indexer.listKeys().length],
  ['view_synced', 'Whether the view is complete', (view) => (view.hasSynced() ? 1 : 0)],
  ['view_degraded_keys', 'How many keys fail, or are claimed by several objects', (view) => view.health().degraded.length],
];

/**
 * Registers the metrics of live views with prom-client, which it loads at the first call, and returns what adds a view to them.
 *
 * - Counted since the view was made: `view_computed_total`, `view_unchanged_total` (computed, and equal to the value before), `view_failed_total`,
 *   `view_changes_total` and `view_compute_seconds_total`.
 * - As it is: `view_objects`, `view_synced` and `view_degraded_keys`.
 *
 * All have the label `name`, which is that of the view; of two views with one name the last one counts. They are read from the views at each scrape, so that a
 * computation costs no more than without them. What is returned for a view removes it again.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { prometheusViewMetrics } from 'rx-informer/metrics';
 * import { groupObjects } from 'rx-informer/views';
 *
 * const addView = await prometheusViewMetrics();
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const remove = addView(groupObjects(pods, ({ spec }) => spec?.nodeName, { name: 'pods by node' }));
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has metrics of somebody else under these names.
 */
export async function prometheusViewMetrics(options: PrometheusOptions = {}): Promise<(view: View<unknown>) => () => void> {
  const { scraped } = await loadPrometheus('prometheusViewMetrics', options, ['name']);
  const views = new Map<string, View<unknown>>();
  for (const [type, all] of [['counter', counters] as const, ['gauge', gauges] as const])
    for (const [name, help, valueOf] of all)
      scraped(type, name, help, () => [...views.values()].map((view) => [{ name: view.name }, valueOf(view)]));
  return (view) => {
    views.set(view.name, view);
    return () => {
      if (views.get(view.name) === view) views.delete(view.name);
    };
  };
}
