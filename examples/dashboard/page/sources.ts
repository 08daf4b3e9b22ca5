import { type Collection, createInformer, type V1Deployment, type V1Pod } from 'rx-informer';
import { relaySource, type RelaySourceOptions } from '@rx-informer/relay/client';
import type { Rollout } from '../rollouts.js';

/**
 * An informer over the relay: all informers of a page share one stream on one connection. The page shows failures, so they are not logged.
 */
export function follow<T>(options: RelaySourceOptions): Collection<T> {
  const resource = options.kind ?? options.view ?? '';
  return createInformer<T>(relaySource<T>('/relay', options), {
    resource,
    name: resource,
    idleGraceMs: 2_000,
    logger: { warn: () => undefined },
  });
}

const podFields = ['metadata.labels', 'spec.nodeName', 'status.phase', 'status.startTime', 'status.containerStatuses'];

export const pods: Collection<V1Pod> = follow<V1Pod>({ kind: 'pods', fields: podFields });
export const deployments: Collection<V1Deployment> = follow<V1Deployment>({
  kind: 'deployments',
  fields: ['metadata.labels', 'spec.replicas', 'spec.template.spec.containers', 'status'],
});
/** A view that is computed at the relay: deployments with their pods. */
export const rollouts: Collection<Rollout> = follow<Rollout>({ view: 'rollouts', fields: 'all' });
