import { loadPrometheus, type PrometheusOptions } from './prometheusOptions.js';
import type { LeaderMetricsSink } from '../controller/leader/leaderElectionOptions.js';

/**
 * Registers client-go's metrics of leader election with prom-client, which it loads at the first call: `leader_election_master_status` and
 * `leader_election_slowpath_total`, with the label `name`, which is the lease.
 *
 * @example
 * ```ts
 * import { createClient } from 'rx-informer';
 * import { electLeader } from 'rx-informer/controller';
 * import { prometheusLeaderMetrics } from 'rx-informer/metrics';
 *
 * const metrics = await prometheusLeaderMetrics();
 * electLeader(createClient(), { lease: { namespace: 'default', name: 'pod-labeler' }, metrics }).start();
 * ```
 *
 * @throws Error when prom-client is not installed, or when the registry has metrics of somebody else under these names.
 */
export async function prometheusLeaderMetrics(options: PrometheusOptions = {}): Promise<LeaderMetricsSink> {
  const { counter, gauge } = await loadPrometheus('prometheusLeaderMetrics', options, ['name']);
  const status = gauge('leader_election_master_status', 'Whether this process leads: 1 or 0');
  const slow = counter('leader_election_slowpath_total', 'How many renewals had to read the lease first');
  return {
    leading: (name, isLeading) => status.set({ name }, isLeading ? 1 : 0),
    slowPath: (name) => slow.inc({ name }),
  };
}
