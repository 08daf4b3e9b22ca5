import type { Observable } from 'rxjs';
import { resources, type V1Pod, type V1PodDisruptionBudget, type V1PodDisruptionBudgetStatus } from 'rx-informer';
import { parseLabelSelector } from 'rx-informer/pipeline';
import { mappedKeys, type Outcome } from '@rx-informer/controller';
import { isActive, isServing } from './podState.js';
import { loopOver, namespaceIndex, timestampOf, tolerate, type WorkloadContext } from './workloadContext.js';

/** An allowed eviction is counted for at most this long, until the deletion of its pod is seen. */
const evictionMs = 120_000;

function numberOf(value: number | string, of: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(value, 10) / 100) * of);
}

/** The status of a budget for its selected pods. */
export function budgetStatus(budget: V1PodDisruptionBudget, pods: readonly V1Pod[], nowMs: number): V1PodDisruptionBudgetStatus {
  const { minAvailable, maxUnavailable } = budget.spec ?? {};
  const expectedPods = pods.length;
  const disrupted = Object.entries(budget.status?.disruptedPods ?? {}).filter(
    ([name, at]) => nowMs - Date.parse(at) < evictionMs && pods.some(({ metadata }) => metadata?.name === name),
  );
  const names = new Set(disrupted.map(([name]) => name));
  const currentHealthy = pods.filter((pod) => isServing(pod) && !names.has(pod.metadata?.name ?? '')).length;
  const desiredHealthy =
    maxUnavailable === undefined
      ? numberOf(minAvailable ?? 1, expectedPods)
      : Math.max(0, expectedPods - numberOf(maxUnavailable, expectedPods));
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const isAllowed = disruptionsAllowed > 0;
  const before = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const status = isAllowed ? 'True' : 'False';
  const observedGeneration = budget.metadata?.generation ?? 0;
  return {
    observedGeneration,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed,
    ...(disrupted.length > 0 && { disruptedPods: Object.fromEntries(disrupted) }),
    conditions: [
      {
        type: 'DisruptionAllowed',
        status,
        reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
        message: '',
        observedGeneration,
        lastTransitionTime: before?.status === status ? before.lastTransitionTime : timestampOf(nowMs),
      },
    ],
  };
}

/** Simulates the disruption controller: maintains the status of disruption budgets, which decides about evictions. */
export function disruptionLoop({ budgets, client, pods, scheduler }: WorkloadContext): Observable<Outcome> {
  const beside = ({ metadata: { namespace = '' } = {} }: V1Pod): readonly string[] => budgets.indexer.indexKeys(namespaceIndex, namespace);
  const sources = { budgets: budgets.resource$, pods: pods.resource$.pipe(mappedKeys(beside)) };
  return loopOver(budgets, { sources, caches: [budgets, pods], scheduler }, async (budget, name, namespace) => {
    const { resourceVersion = '' } = budget.metadata ?? {};
    const selector = budget.spec?.selector && parseLabelSelector(budget.spec.selector);
    const selected = pods.indexer
      .byIndex(namespaceIndex, namespace)
      .filter((pod) => isActive(pod) && selector?.matches(pod.metadata?.labels ?? {}) === true);
    const status = budgetStatus(budget, selected, scheduler.now());
    // With the resourceVersion, so that an eviction counted meanwhile is not lost.
    const patch = { metadata: { resourceVersion }, status: { ...status, disruptedPods: status.disruptedPods ?? null } };
    await tolerate(client.status.patch(resources.policy.v1.poddisruptionbudgets, name, 'merge', patch, { namespace }));
  });
}
