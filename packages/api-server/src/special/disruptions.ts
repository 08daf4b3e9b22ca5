import type { Cluster } from '../cluster.js';
import { timestamp } from '../clock.js';
import { asJsonObject, hasCondition, numberAt, valueAt } from '../json.js';
import { StatusError } from '../status/statusError.js';
import { bareError } from '../status/statusErrors.js';
import { objectsIn } from '../store/bucket.js';
import type { StoredContent, StoredObject } from '../store/storedObject.js';
import { selectorOf } from '../validation/selectorErrors.js';
import { orderedMeta } from '../write/objectMeta.js';

const budgets = 'policy/poddisruptionbudgets';

function selects(budget: StoredContent, labels: Readonly<Record<string, string>>): boolean {
  const selector = valueAt(budget, 'spec', 'selector');
  return selector !== undefined && selectorOf(selector)?.matches(labels) === true;
}

function violation(message: string, retryAfterSeconds?: number): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: { causes: [{ reason: 'DisruptionBudget', message }], ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  });
}

/** Evicting a pod that does not run, or is being deleted, is no disruption. */
function isFree({ metadata, ...pod }: StoredContent): boolean {
  const phase = valueAt(pod, 'status', 'phase');
  return metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending';
}

/** Whether a budget does not apply to a pod: the pod is not ready, and enough others are healthy or the policy is `AlwaysAllow`. */
function isUncounted(budget: StoredContent, pod: StoredContent): boolean {
  if (hasCondition(pod, 'Ready')) return false;
  if (valueAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const [current, desired] = [numberAt(budget, 'status', 'currentHealthy'), numberAt(budget, 'status', 'desiredHealthy')];
  return current >= desired && desired > 0;
}

/**
 * Checks whether the disruption budget of a pod allows its eviction.
 *
 * @returns a function that records the eviction in the budget; undefined when no budget applies.
 * @throws StatusError 429 when the budget is used up, 500 when there are several.
 */
export function spendDisruption({ store, clock }: Cluster, { content, namespace, name }: StoredObject): (() => void) | undefined {
  if (isFree(content)) return undefined;
  const [own, other] = [...objectsIn(store.bucket(budgets), namespace)].filter((budget) =>
    selects(budget.content, content.metadata.labels ?? {}),
  );
  if (other !== undefined)
    throw bareError('This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.');
  if (own === undefined || isUncounted(own.content, content)) return undefined;
  const budget = own.content;
  const allowed = numberAt(budget, 'status', 'disruptionsAllowed');
  if (numberAt(budget, 'status', 'observedGeneration') < (budget.metadata.generation ?? 0))
    throw violation(`The disruption budget ${own.name} is still being processed by the server.`, 10);
  const [current, desired] = [numberAt(budget, 'status', 'currentHealthy'), numberAt(budget, 'status', 'desiredHealthy')];
  if (allowed <= 0)
    throw violation(`The disruption budget ${own.name} needs ${String(desired)} healthy pods and has ${String(current)} currently`);
  return () => {
    const status = asJsonObject(budget['status']);
    const disruptedPods = { ...asJsonObject(status['disruptedPods']), [name]: timestamp(clock.now()) };
    store.commit(budgets, 'MODIFIED', {
      ...budget,
      metadata: orderedMeta(budget.metadata),
      status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods },
    });
  };
}
