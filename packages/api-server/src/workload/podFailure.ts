import type { V1ContainerPort, V1Pod } from 'rx-informer';
import { activityOf } from './podLife.js';

/** Why a kubelet ends a pod or does not start it: the reason and message of its status. */
export interface PodFailure {
  readonly reason: string;
  readonly message: string;
}

function hostPortsOf({ spec }: V1Pod): readonly V1ContainerPort[] {
  return (spec?.containers ?? []).flatMap(({ ports = [] }) => ports.filter(({ hostPort = 0 }) => hostPort > 0));
}

const anyAddress = '0.0.0.0';

/** Whether a kubelet has begun with a pod and not ended it. */
function isActive(pod: V1Pod): boolean {
  return !['done', 'failed', undefined].includes(activityOf(pod));
}

function conflicts(one: V1ContainerPort, other: V1ContainerPort): boolean {
  const { hostIP = anyAddress, protocol = 'TCP' } = one;
  const { hostIP: otherIP = anyAddress, protocol: otherProtocol = 'TCP' } = other;
  const sameAddress = hostIP === otherIP || hostIP === anyAddress || otherIP === anyAddress;
  return one.hostPort === other.hostPort && protocol === otherProtocol && sameAddress;
}

/** The reason why a node with these pods refuses a new one: its ports on the host are taken. */
export function refusalOf(pod: V1Pod, others: readonly V1Pod[]): PodFailure | undefined {
  const ports = hostPortsOf(pod);
  if (ports.length === 0) return undefined;
  const taken = others.filter((other) => isActive(other) && other.metadata?.uid !== pod.metadata?.uid).flatMap(hostPortsOf);
  if (!ports.some((port) => taken.some((other) => conflicts(port, other)))) return undefined;
  const message = "Pod was rejected: Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
  return { reason: 'NodePorts', message };
}

/** The failure of a pod that has been active for longer than its `activeDeadlineSeconds`. */
export const deadlineExceeded: PodFailure = {
  reason: 'DeadlineExceeded',
  message: 'Pod was active on the node longer than the specified deadline',
};

/** The time at which an active pod will have been so for too long, in milliseconds since 1970; `Infinity` without a deadline. */
export function deadlineOf(pod: V1Pod): number {
  const { metadata, spec, status } = pod;
  const { activeDeadlineSeconds } = spec ?? {};
  if (activeDeadlineSeconds === undefined || status?.startTime === undefined) return Infinity;
  if (metadata?.deletionTimestamp !== undefined || !isActive(pod)) return Infinity;
  return new Date(status.startTime).getTime() + activeDeadlineSeconds * 1_000;
}
