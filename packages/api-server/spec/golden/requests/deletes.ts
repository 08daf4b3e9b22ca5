import type { AnyJson } from '../../support/httpClient.js';
import type { GoldenRequest, GoldenRequests } from '../goldenCase.js';
import { reconciled } from './updates.js';

const options = (body: object): GoldenRequest => ({ body: { apiVersion: 'v1', kind: 'DeleteOptions', ...body } });
const grace = ({ metadata }: AnyJson): readonly unknown[] => [metadata.deletionGracePeriodSeconds];
const conditionTypes = ({ status }: AnyJson): unknown =>
  (status['conditions'] as readonly { readonly type: string }[] | undefined)?.map(({ type }) => type);

/** Requests that delete objects. */
export const deletes: GoldenRequests = {
  'delete precondition uid': options({ preconditions: { uid: '11111111-1111-1111-1111-111111111111' } }),
  'delete precondition rv': options({ preconditions: { resourceVersion: '1' } }),
  'delete bad propagation': options({ propagationPolicy: 'Bogus' }),
  'delete orphan + policy': options({ orphanDependents: true, propagationPolicy: 'Orphan' }),
  'delete bad body': { body: '{"a":', headers: { 'content-type': 'application/json' } },
  'delete other kind body': { body: { apiVersion: 'v1', kind: 'ConfigMap' } },
  'delete negative grace': options({ gracePeriodSeconds: -1 }),
  'delete with finalizer': {
    shown: ({ metadata }) => [metadata.deletionTimestamp !== undefined, metadata.deletionGracePeriodSeconds, metadata.finalizers],
  },
  'delete with finalizer again': { shown: ({ metadata }) => [metadata.deletionTimestamp !== undefined, metadata.finalizers] },
  'delete pod scheduled graceful': { shown: (body) => [...grace(body), body.metadata.deletionTimestamp !== undefined] },
  'delete pod scheduled grace 5': { ...options({ gracePeriodSeconds: 5 }), shown: grace },
  'delete pod scheduled grace 100': { ...options({ gracePeriodSeconds: 100 }), shown: grace },
  'delete pod force': { shown: grace },
  'delete deploy foreground': {
    ...options({ propagationPolicy: 'Foreground' }),
    before: async (replay) => {
      const { json } = await replay.send('GET', replay.fill('/apis/apps/v1/namespaces/NS/deployments/d3'));
      const times = { lastUpdateTime: '2026-01-01T00:00:00Z', lastTransitionTime: '2026-01-01T00:00:00Z' };
      const unavailable = 'Deployment does not have minimum availability.';
      const conditions = [
        { type: 'Available', status: 'False', ...times, reason: 'MinimumReplicasUnavailable', message: unavailable },
        {
          type: 'Progressing',
          status: 'True',
          ...times,
          reason: 'ReplicaSetUpdated',
          message: 'ReplicaSet "d3-57879b7dcb" is progressing.',
        },
      ];
      const counts = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, unavailableReplicas: 1, terminatingReplicas: 0 };
      await reconciled(replay, 'd3', '1', { ...counts, conditions });
      // A pod keeps the replica set, and the replica set keeps the deployment.
      const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd3', uid: json.metadata.uid, blockOwnerDeletion: true };
      const body = { metadata: { name: 'held-by-d3', ownerReferences: [owner], finalizers: ['x.com/f'] } };
      await replay.send('POST', replay.in('secrets'), { body });
    },
    shown: ({ metadata, status }) => [metadata.finalizers, metadata.deletionTimestamp !== undefined, status],
  },
  'delete namespace': { shown: ({ status, metadata, spec }) => [status, metadata.deletionTimestamp !== undefined, spec] },
  'ns terminating': { shown: ({ status }) => [status['phase'], conditionTypes({ status } as AnyJson) ?? null] },
  'delete namespace again': { shown: ({ kind }) => kind },
};
