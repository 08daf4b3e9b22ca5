import { isConditionTrue, type V1Pod } from 'rx-informer';

/** Whether a pod should be running: it has neither ended nor been deleted. */
export function isActive({ metadata, status }: V1Pod): boolean {
  return metadata?.deletionTimestamp === undefined && status?.phase !== 'Succeeded' && status?.phase !== 'Failed';
}

/** Whether a pod is active and serves. */
export function isServing(pod: V1Pod): boolean {
  return isActive(pod) && isConditionTrue(pod, 'Ready');
}
