import type { SharedInformer, V1Pod } from 'rx-informer';

const restartsOf = (pod: V1Pod): number => (pod.status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);

/**
 * Counts the restarts of containers from now on.
 *
 * @returns a function that returns the current count.
 */
export function countRestarts(informer: SharedInformer<V1Pod>): () => number {
  let count = 0;
  informer.addEventHandler({
    onUpdate: (before, pod) => {
      count += Math.max(0, restartsOf(pod) - restartsOf(before));
    },
  });
  return () => count;
}
