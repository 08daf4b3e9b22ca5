import type { V1Deployment, V1Pod } from 'rx-informer';
import type { Rollout } from '../rollouts.js';

/** A column of a table: the text to display, to sort by and to search. Narrow tables hide the marked ones. */
export interface Column<T> {
  readonly title: string;
  readonly valueOf: (object: T) => string | number;
  readonly width?: 'wide';
}

interface Tab<T> {
  readonly title: string;
  readonly scope: { readonly kind?: string; readonly view?: string; readonly fields: 'all' | readonly string[] };
  readonly columns: readonly Column<T>[];
}

const namespace = { title: 'Namespace', valueOf: ({ metadata }: V1Pod | V1Deployment) => metadata?.namespace ?? '' };
const name = { title: 'Name', valueOf: ({ metadata }: V1Pod | V1Deployment) => metadata?.name ?? '' };

/** The status of a pod as kubectl shows it. */
function statusOf({ metadata, status }: V1Pod): string {
  if (metadata?.deletionTimestamp !== undefined) return 'Terminating';
  return status?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason ?? status?.phase ?? 'Unknown';
}

const podColumns: readonly Column<V1Pod>[] = [
  ...[namespace, name, { title: 'Status', valueOf: statusOf }],
  { title: 'Restarts', width: 'wide', valueOf: ({ status }) => status?.containerStatuses?.[0]?.restartCount ?? 0 },
  { title: 'Node', width: 'wide', valueOf: ({ spec }) => spec?.nodeName ?? '' },
  { title: 'Started', width: 'wide', valueOf: ({ status }) => (status?.startTime ?? '').replace('T', ' ').replace('Z', '') },
];
const deploymentColumns: readonly Column<V1Deployment>[] = [
  ...[namespace, name],
  { title: 'Ready', valueOf: ({ spec, status }) => `${status?.readyReplicas ?? 0} of ${spec?.replicas ?? 1}` },
  { title: 'Image', width: 'wide', valueOf: ({ spec }) => spec?.template.spec?.containers[0]?.image ?? '' },
];
const rolloutColumns: readonly Column<Rollout>[] = [
  { title: 'Namespace', valueOf: (row) => row.namespace },
  { title: 'Name', valueOf: (row) => row.name },
  { title: 'Pods ready', valueOf: ({ ready, wanted }) => `${ready} of ${wanted}` },
  { title: 'Restarts', width: 'wide', valueOf: ({ restarts }) => restarts },
  { title: 'Nodes', width: 'wide', valueOf: ({ nodes }) => nodes.join(', ') },
];

/** What is asked of the relay for a tab: the fields that it shows, or a view that is computed at the relay. */
export const tabs: readonly [Tab<never>, ...Tab<never>[]] = [
  { title: 'Pods', scope: { kind: 'pods', fields: ['metadata.deletionTimestamp', 'spec.nodeName', 'status'] }, columns: podColumns },
  { title: 'Deployments', scope: { kind: 'deployments', fields: ['spec', 'status'] }, columns: deploymentColumns },
  { title: 'Rollouts', scope: { view: 'rollouts', fields: 'all' }, columns: rolloutColumns },
];
