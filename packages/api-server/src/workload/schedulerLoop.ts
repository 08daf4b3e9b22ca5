import type { Observable } from 'rxjs';
import { isConditionTrue, resources, type V1Node, type V1Pod, type V1Taint } from 'rx-informer';
import { mappedKeys, type Outcome } from '@rx-informer/controller';
import { isActive } from './podState.js';
import { recordEvent } from './recordEvent.js';
import { loopOver, nodeIndex, tolerate, type WorkloadContext } from './workloadContext.js';

function tolerates({ spec }: V1Pod, { key, value, effect }: V1Taint): boolean {
  return (spec?.tolerations ?? []).some((one) => {
    const sameEffect = (one.effect ?? '') === '' || one.effect === effect;
    if (one.operator === 'Exists') return sameEffect && ((one.key ?? '') === '' || one.key === key);
    return sameEffect && one.key === key && (one.value ?? '') === (value ?? '');
  });
}

/** Why a pod cannot run on a node; undefined if it can. */
export function obstacleOf(pod: V1Pod, { metadata, spec }: V1Node): string | undefined {
  const labels = metadata?.labels ?? {};
  if (Object.entries(pod.spec?.nodeSelector ?? {}).some(([name, value]) => labels[name] !== value))
    return "didn't match Pod's node affinity/selector";
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (spec?.unschedulable === true && !tolerates(pod, cordon)) return 'were unschedulable';
  const taint = spec?.taints?.find((one) => one.effect !== 'PreferNoSchedule' && !tolerates(pod, one));
  return taint && `had untolerated taint {${taint.key}: ${taint.value ?? ''}}`;
}

/** The suitable node with the fewest active pods, the first by name among equals; without one, the reason. */
function placeFor({ nodes, pods }: WorkloadContext, pod: V1Pod): { readonly node?: string; readonly message: string } {
  const obstacles = new Map<string, number>();
  let best: string | undefined;
  let least = Infinity;
  for (const name of nodes.indexer.listKeys().sort()) {
    const obstacle = obstacleOf(pod, nodes.indexer.getByKey(name) ?? {});
    if (obstacle !== undefined) {
      obstacles.set(obstacle, (obstacles.get(obstacle) ?? 0) + 1);
      continue;
    }
    const load = pods.indexer.byIndex(nodeIndex, name).filter(isActive).length;
    if (load < least) [best, least] = [name, load];
  }
  const total = [...obstacles.values()].reduce((sum, count) => sum + count, 0);
  const reasons = [...obstacles].map(([obstacle, count]) => `${String(count)} node(s) ${obstacle}`).join(', ');
  const message = total === 0 ? 'no nodes available to schedule pods' : `0/${String(total)} nodes are available: ${reasons}.`;
  return best === undefined ? { message } : { node: best, message };
}

/**
 * Simulates the scheduler: assigns every unassigned pod to the node with the fewest pods. Respects taints, cordons and node
 * selectors. Pods wait while there is no node for them.
 */
export function schedulerLoop(context: WorkloadContext): Observable<Outcome> {
  const { client, pods, nodes, scheduler } = context;
  const sources = { pods: pods.resource$, nodes: nodes.resource$.pipe(mappedKeys(() => pods.indexer.indexKeys(nodeIndex, ''))) };
  return loopOver(pods, { sources, caches: [pods, nodes], scheduler }, async (pod, name, namespace) => {
    if (!isActive(pod) || pod.spec?.nodeName !== undefined) return;
    const { node: nodeName, message: why } = placeFor(context, pod);
    const event = { component: 'default-scheduler', reason: 'FailedScheduling', message: why };
    if (nodeName === undefined) {
      await recordEvent(context, resources.core.v1.pods, pod, { ...event, type: 'Warning' });
      return;
    }
    // The server refuses a second binding, which may happen when the pod in the cache is not up to date.
    const binding = { metadata: { name, namespace }, target: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
    const message = `Successfully assigned ${namespace}/${name} to ${nodeName}`;
    if (await tolerate(client.create(resources.core.v1.bindings, binding)))
      await recordEvent(context, resources.core.v1.pods, pod, { ...event, reason: 'Scheduled', message });
  });
}

const notReady = 'node.kubernetes.io/not-ready';

/** Simulates the node controller: removes the taint of unready nodes, with which every node is registered. */
export function nodeLoop({ client, nodes, scheduler }: WorkloadContext): Observable<Outcome> {
  return loopOver(nodes, { sources: { nodes }, scheduler }, async (node, name) => {
    const known = node.spec?.taints ?? [];
    const taints = known.filter(({ key }) => key !== notReady);
    if (taints.length === known.length || !isConditionTrue(node, 'Ready')) return;
    // With the resourceVersion of the read node, since a user may have added a taint.
    const { resourceVersion } = node.metadata ?? {};
    const changed = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
    await tolerate(client.patch(resources.core.v1.nodes, name, 'merge', changed));
  });
}
