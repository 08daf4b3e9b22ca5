import { type Collection, isReady, type V1Deployment, type V1Pod } from 'rx-informer';
import { derive, none, type View } from '@rx-informer/views';

/** One deployment with a summary of its pods: a row of the joined view. */
export interface Rollout {
  readonly namespace: string;
  readonly name: string;
  readonly wanted: number;
  readonly ready: number;
  readonly restarts: number;
  readonly nodes: readonly string[];
}

/** Deployments, joined with their pods. A user sees a row if permitted to read both kinds in its namespace. */
export function rolloutsOf(deployments: Collection<V1Deployment>, pods: Collection<V1Pod>): View<Rollout> {
  return derive(
    deployments,
    ({ metadata, spec }, read): Rollout => {
      const { namespace = '', name = '' } = metadata ?? {};
      const mine = read(pods, { namespace, labelSelector: spec?.selector ?? none });
      return {
        ...{ namespace, name, wanted: spec?.replicas ?? 1, ready: mine.filter(isReady).length },
        restarts: mine.reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0),
        nodes: [...new Set(mine.flatMap((pod) => pod.spec?.nodeName ?? []))].sort(),
      };
    },
    { name: 'rollouts' },
  );
}
