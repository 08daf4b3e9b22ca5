import type { V1Deployment, V1Pod } from 'rx-informer';
import type { Rollout } from '../rollouts.js';

/** A column of a table: the text to display, to sort by and to search. */
export interface Column<T> {
  readonly title: string;
  readonly valueOf: (object: T) => string | number;
  /** Its share of the width; narrow screens hide the marked columns. */
  readonly share: number;
  readonly isWideOnly?: boolean;
}

const namespace = { title: 'Namespace', share: 2.5, valueOf: ({ metadata }: V1Pod | V1Deployment) => metadata?.namespace ?? '' };
const name = { title: 'Name', share: 4, valueOf: ({ metadata }: V1Pod | V1Deployment) => metadata?.name ?? '' };

/** The status of a pod as kubectl shows it. */
function statusOf({ metadata, status }: V1Pod): string {
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  return status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason ?? status?.phase ?? 'Unknown';
}

export const podColumns: readonly Column<V1Pod>[] = [
  namespace,
  name,
  { title: 'Status', share: 2, valueOf: statusOf },
  { title: 'Restarts', share: 1.5, isWideOnly: true, valueOf: ({ status }) => status?.containerStatuses?.[0]?.restartCount ?? 0 },
  { title: 'Node', share: 1.5, isWideOnly: true, valueOf: ({ spec }) => spec?.nodeName ?? '' },
  { title: 'Started', share: 3.4, isWideOnly: true, valueOf: ({ status }) => (status?.startTime ?? '').replace('T', ' ').replace('Z', '') },
];

export const deploymentColumns: readonly Column<V1Deployment>[] = [
  namespace,
  name,
  { title: 'Ready', share: 1.5, valueOf: ({ spec, status }) => `${status?.readyReplicas ?? 0} of ${spec?.replicas ?? 1}` },
  { title: 'Image', share: 3, isWideOnly: true, valueOf: ({ spec }) => spec?.template.spec?.containers[0]?.image ?? '' },
];

export const rolloutColumns: readonly Column<Rollout>[] = [
  { title: 'Namespace', share: 2.5, valueOf: (row) => row.namespace },
  { title: 'Name', share: 4, valueOf: (row) => row.name },
  { title: 'Pods ready', share: 2, valueOf: ({ ready, wanted }) => `${ready} of ${wanted}` },
  { title: 'Restarts', share: 1.5, isWideOnly: true, valueOf: ({ restarts }) => restarts },
  { title: 'Nodes', share: 3, isWideOnly: true, valueOf: ({ nodes }) => nodes.join(', ') },
];
