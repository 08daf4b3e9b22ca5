import type { SchedulerLike } from 'rxjs';
import type { V1Deployment, V1ReplicaSet } from '../../api/kubernetes/appsV1.js';
import type { V1Job } from '../../api/kubernetes/batchV1.js';
import type { V1Namespace, V1Node, V1Pod, V1ReplicationController, V1Service, V1ServiceAccount } from '../../api/kubernetes/coreV1.js';
import type { KubeClient } from '../../client/kubeClient.js';
import type { SharedInformer } from '../../informer/sharedInformer.js';
import type { Chance } from './chance.js';

/** The objects shared by the simulated controllers: one client, one cache per kind, one clock and one seed. */
export interface WorkloadContext {
  readonly client: KubeClient;
  readonly deployments: SharedInformer<V1Deployment>;
  readonly replicaSets: SharedInformer<V1ReplicaSet>;
  readonly replicationControllers: SharedInformer<V1ReplicationController>;
  readonly jobs: SharedInformer<V1Job>;
  readonly pods: SharedInformer<V1Pod>;
  readonly nodes: SharedInformer<V1Node>;
  readonly namespaces: SharedInformer<V1Namespace>;
  readonly services: SharedInformer<V1Service>;
  readonly serviceAccounts: SharedInformer<V1ServiceAccount>;
  readonly scheduler: SchedulerLike;
  readonly chance: Chance;
  /** The names of the written events, oldest first. */
  readonly eventNames: string[];
}
