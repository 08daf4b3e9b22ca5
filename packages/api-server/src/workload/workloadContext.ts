import type { Observable, SchedulerLike } from 'rxjs';
import {
  createInformer,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeClient,
  type KubernetesObject,
  type Resource,
  resources,
  type SharedInformer,
  type V1ConfigMap,
  type V1CronJob,
  type V1DaemonSet,
  type V1Deployment,
  type V1Job,
  type V1Namespace,
  type V1Node,
  type V1PersistentVolume,
  type V1PersistentVolumeClaim,
  type V1Pod,
  type V1PodDisruptionBudget,
  type V1PodTemplateSpec,
  type V1ReplicaSet,
  type V1ReplicationController,
  type V1ResourceQuota,
  type V1Service,
  type V1ServiceAccount,
  type V1StatefulSet,
} from 'rx-informer';
import type { Indexers } from 'rx-informer/internal';
import {
  controllerOf,
  type Outcome,
  ownerReferenceOf,
  reconcile,
  type ReconcileConfig,
  type ReconcileResult,
} from '@rx-informer/controller';
import { type Chance, createChance, shortHash } from './chance.js';

/** The objects shared by the simulated controllers: one client, one cache per kind, one clock and one seed. */
export interface WorkloadContext {
  readonly client: KubeClient;
  readonly deployments: SharedInformer<V1Deployment>;
  readonly replicaSets: SharedInformer<V1ReplicaSet>;
  readonly statefulSets: SharedInformer<V1StatefulSet>;
  readonly daemonSets: SharedInformer<V1DaemonSet>;
  readonly replicationControllers: SharedInformer<V1ReplicationController>;
  readonly jobs: SharedInformer<V1Job>;
  readonly cronJobs: SharedInformer<V1CronJob>;
  readonly claims: SharedInformer<V1PersistentVolumeClaim>;
  readonly volumes: SharedInformer<V1PersistentVolume>;
  readonly pods: SharedInformer<V1Pod>;
  readonly nodes: SharedInformer<V1Node>;
  readonly namespaces: SharedInformer<V1Namespace>;
  readonly services: SharedInformer<V1Service>;
  readonly serviceAccounts: SharedInformer<V1ServiceAccount>;
  /** Those called `kube-root-ca.crt`. */
  readonly rootCertificates: SharedInformer<V1ConfigMap>;
  readonly budgets: SharedInformer<V1PodDisruptionBudget>;
  readonly quotas: SharedInformer<V1ResourceQuota>;
  readonly scheduler: SchedulerLike;
  readonly chance: Chance;
  /** The names of the written events, oldest first. */
  readonly eventNames: string[];
}

/** The index of objects by the uid of their controller. */
const controllerIndex = 'controller';
/** The index of objects by their namespace. */
export const namespaceIndex = 'namespace';
/** The index of pods by their node; `''` for unscheduled pods. */
export const nodeIndex = 'node';

export const indexers: Indexers<KubernetesObject> = {
  [controllerIndex]: (object) => [controllerOf(object)?.uid ?? []].flat(),
  [namespaceIndex]: ({ metadata }) => [metadata?.namespace ?? ''],
};

/** The name of the config map with the root certificate in each namespace. */
export const rootCertificates = 'kube-root-ca.crt';

/** The label of a pod with the revision of the template that it was made from. */
export const revisionLabel = 'controller-revision-hash';

/** The revision of a template; the order of names does not matter, since it can differ between two reads. */
export function revisionOf(template: V1PodTemplateSpec | undefined): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return shortHash(JSON.stringify(template ?? {}, sorted), 10);
}

/** The names of the caches begin alike, so that what shows the running program can leave them out. */
function nameOf({ plural }: { readonly plural: string }): string {
  return `workload/${plural}`;
}

/** Makes the caches; each is started by the first loop that uses it. */
export function createContext(client: KubeClient, scheduler: SchedulerLike, seed: number): WorkloadContext {
  const { apps, batch, core, policy } = resources;
  const cacheOf = <T extends KubernetesObject>(resource: Resource<T, 'list' | 'watch'>): SharedInformer<T> =>
    createInformer<T>(client, resource, { indexers, scheduler, name: nameOf(resource) });

  return {
    client,
    scheduler,
    chance: createChance(seed),
    eventNames: [],
    pods: createInformer(client, core.v1.pods, {
      indexers: { ...indexers, [nodeIndex]: ({ spec }) => [spec?.nodeName ?? ''] },
      name: nameOf(core.v1.pods),
      scheduler,
    }),
    rootCertificates: createInformer(client, core.v1.configmaps, {
      fieldSelector: `metadata.name=${rootCertificates}`,
      name: nameOf(core.v1.configmaps),
      scheduler,
    }),
    deployments: cacheOf(apps.v1.deployments),
    replicaSets: cacheOf(apps.v1.replicasets),
    statefulSets: cacheOf(apps.v1.statefulsets),
    daemonSets: cacheOf(apps.v1.daemonsets),
    replicationControllers: cacheOf(core.v1.replicationcontrollers),
    jobs: cacheOf(batch.v1.jobs),
    cronJobs: cacheOf(batch.v1.cronjobs),
    claims: cacheOf(core.v1.persistentvolumeclaims),
    volumes: cacheOf(core.v1.persistentvolumes),
    nodes: cacheOf(core.v1.nodes),
    namespaces: cacheOf(core.v1.namespaces),
    services: cacheOf(core.v1.services),
    serviceAccounts: cacheOf(core.v1.serviceaccounts),
    budgets: cacheOf(policy.v1.poddisruptionbudgets),
    quotas: cacheOf(core.v1.resourcequotas),
  };
}

/** A control loop over the objects of a cache; those that are being deleted are left alone. */
export function loopOver<T extends KubernetesObject>(
  objects: SharedInformer<T>,
  config: Omit<ReconcileConfig, 'reconcile'>,
  work: (object: T, name: string, namespace: string) => Promise<ReconcileResult | undefined> | Promise<void>,
): Observable<Outcome> {
  return reconcile({
    ...config,
    reconcile: async ({ key }) => {
      const object = objects.indexer.getByKey(key);
      if (object === undefined || object.metadata?.deletionTimestamp !== undefined) return undefined;
      const { name = '', namespace = '' } = object.metadata ?? {};
      return (await work(object, name, namespace)) ?? undefined;
    },
  });
}

/** The objects in the cache that an owner controls, by name. */
export function dependentsOf<T extends KubernetesObject>(cache: SharedInformer<T>, owner: KubernetesObject): T[] {
  return cache.indexer.byIndex(controllerIndex, owner.metadata?.uid ?? '').sort(byName);
}

/** The order of objects by their names. */
export function byName({ metadata: a }: KubernetesObject, { metadata: b }: KubernetesObject): number {
  return (a?.name ?? '') < (b?.name ?? '') ? -1 : 1;
}

/** A pod of a template, which its owner controls. */
export function podOf(owner: KubernetesObject, template: V1PodTemplateSpec | undefined, name: string): V1Pod {
  const { metadata, spec } = template ?? {};
  const ownerReferences = [ownerReferenceOf(owner, { controller: true })];
  return {
    metadata: { ...metadata, name, namespace: owner.metadata?.namespace ?? '', ownerReferences },
    ...(spec !== undefined && { spec }),
  };
}

/** A time as servers write it, in whole seconds. */
export function timestampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/**
 * Awaits a write and ignores its error if the object already exists, is gone, or has changed, in which case it will be reconciled again.
 *
 * @returns whether it was written.
 */
export async function tolerate(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (!isAlreadyExists(error) && !isNotFound(error) && !isConflict(error)) throw error;
    return false;
  }
}
