import { asyncScheduler, merge, type Observable, type SchedulerLike } from 'rxjs';
import { checkOptions, definedOf, type OptionRules, rules } from 'rx-informer/internal';
import { type KubeClient, resources, type V1Node } from 'rx-informer';
import type { Outcome } from '@rx-informer/controller';
import { cronJobLoop } from './cronJobLoop.js';
import { daemonSetLoop } from './daemonSetLoop.js';
import { deploymentLoop } from './deploymentLoop.js';
import { endpointsLoop } from './endpointsLoop.js';
import { jobLoop } from './jobLoop.js';
import { loadBalancerLoop } from './loadBalancerLoop.js';
import { kubeletLoop } from './kubeletLoop.js';
import type { PodLifeOptions } from './podLife.js';
import { quotaLoop } from './quotaLoop.js';
import { replicaSetLoop } from './replicaSetLoop.js';
import { nodeLoop, schedulerLoop } from './schedulerLoop.js';
import { disruptionLoop } from './disruptionLoop.js';
import { statefulSetLoop } from './statefulSetLoop.js';
import { reclaimLoop, volumeLoop } from './volumeLoop.js';
import { rootCertificateLoop, serviceAccountLoop } from './serviceAccountLoop.js';
import { createContext, tolerate, type WorkloadContext } from './workloadContext.js';

/** The simulated controllers to run, and their options. Each is enabled by default. */
export interface WorkloadOptions {
  /** Deployments. @defaultValue true */
  readonly deployments?: boolean | undefined;
  /** Replica sets and replication controllers. @defaultValue true */
  readonly replicaSets?: boolean | undefined;
  /** Stateful sets. @defaultValue true */
  readonly statefulSets?: boolean | undefined;
  /** Daemon sets. @defaultValue true */
  readonly daemonSets?: boolean | undefined;
  /** Jobs. @defaultValue true */
  readonly jobs?: boolean | undefined;
  /** Cron jobs. @defaultValue true */
  readonly cronJobs?: boolean | undefined;
  /** Volumes for claims. @defaultValue true */
  readonly volumes?: boolean | undefined;
  /** Addresses of services of the type `LoadBalancer`. @defaultValue true */
  readonly loadBalancers?: boolean | undefined;
  /** The scheduler of pods. @defaultValue true */
  readonly podScheduler?: boolean | undefined;
  /** Endpoints and EndpointSlices of services. @defaultValue true */
  readonly endpoints?: boolean | undefined;
  /** The service account `default` of each namespace. @defaultValue true */
  readonly serviceAccounts?: boolean | undefined;
  /** The config map `kube-root-ca.crt` of each namespace. @defaultValue true */
  readonly rootCertificates?: boolean | undefined;
  /** The content of the config map, as PEM. @defaultValue `''` */
  readonly rootCertificate?: string | undefined;
  /** Status of disruption budgets. @defaultValue true */
  readonly disruptionBudgets?: boolean | undefined;
  /** Status of resource quotas. @defaultValue true */
  readonly resourceQuotas?: boolean | undefined;
  /** The kubelets: `false` for none, otherwise the durations in the lives of pods. @defaultValue true */
  readonly kubelet?: boolean | Partial<PodLifeOptions> | undefined;
  /** The number of nodes to create. @defaultValue 3 */
  readonly nodes?: number | undefined;
  /** The seed of random decisions: with the same seed, pods have the same lives. @defaultValue 1 */
  readonly seed?: number | undefined;
  /** @defaultValue `asyncScheduler` */
  readonly scheduler?: SchedulerLike | undefined;
  /** Called with every failure of the loops. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** A running workload. */
export interface Workload {
  /** Stops all loops and their caches. */
  stop(): Promise<void>;
}

const defaultLife = { startMs: 1_500, stopMs: 1_000, workMs: 3_000, crashBackoffMs: 2_000, crashRate: 0, crashAfterMs: 5_000 };

function nodeOf(number: number): V1Node {
  const name = `node-${String(number)}`;
  return {
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: {
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      addresses: [{ type: 'InternalIP', address: `192.0.2.${String(number)}` }],
      capacity: { cpu: '8', memory: '32Gi', pods: '110' },
      allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
    },
  };
}

type LoopName = Exclude<keyof WorkloadOptions, 'rootCertificate' | 'nodes' | 'seed' | 'scheduler' | 'onOutcome'>;

/** The loops by the names of their options. */
const loops: Readonly<Record<LoopName, (context: WorkloadContext, options: WorkloadOptions) => Observable<Outcome>>> = {
  deployments: deploymentLoop,
  replicaSets: replicaSetLoop,
  statefulSets: statefulSetLoop,
  daemonSets: daemonSetLoop,
  jobs: jobLoop,
  cronJobs: cronJobLoop,
  volumes: (context) => merge(volumeLoop(context), reclaimLoop(context)),
  loadBalancers: loadBalancerLoop,
  podScheduler: schedulerLoop,
  endpoints: endpointsLoop,
  serviceAccounts: serviceAccountLoop,
  rootCertificates: (context, { rootCertificate = '' }) => rootCertificateLoop(context, rootCertificate),
  disruptionBudgets: disruptionLoop,
  resourceQuotas: quotaLoop,
  kubelet: (context, { kubelet }) =>
    merge(nodeLoop(context), kubeletLoop(context, { ...defaultLife, ...(typeof kubelet === 'object' && definedOf(kubelet)) })),
};

const lifeRules = {
  ...(Object.fromEntries(Object.keys(defaultLife).map((name) => [name, rules.number({ min: 0 })])) as OptionRules<typeof defaultLife>),
  canPull: rules.function,
};

const workloadRules: OptionRules<WorkloadOptions> = {
  ...(Object.fromEntries(Object.keys(loops).map((name) => [name, rules.boolean])) as OptionRules<Pick<WorkloadOptions, LoopName>>),
  rootCertificate: rules.string,
  kubelet: rules.either(rules.boolean, rules.object),
  nodes: rules.number({ integer: true, min: 0 }),
  seed: rules.number(),
  scheduler: rules.scheduler,
  onOutcome: rules.function,
};

/**
 * Simulates the controllers of a cluster that has only an API server: those of deployments, replica sets, stateful sets, daemon sets, replication controllers, jobs,
 * cron jobs, volumes, load balancers, endpoints, service accounts and resource quotas, the scheduler and the kubelets. Pods are created, start, finish and are deleted, with
 * events like those of the real controllers. Nothing crashes unless `kubelet.crashRate` says so.
 *
 * They are short control loops of this library over its own informers, and do not replace the real controllers.
 *
 * @example
 * ```ts
 * import { startApiServer, startWorkload } from '@rx-informer/api-server';
 *
 * const server = await startApiServer();
 * const workload = await startWorkload(server.client, { kubelet: { crashRate: 0.1 } });
 * await workload.stop();
 * await server.close();
 * ```
 */
export async function startWorkload(client: KubeClient, options: WorkloadOptions = {}): Promise<Workload> {
  checkOptions('startWorkload', options, workloadRules);
  if (typeof options.kubelet === 'object') checkOptions<Partial<PodLifeOptions>>('startWorkload', options.kubelet, lifeRules);
  const { nodes = 3, onOutcome, scheduler = asyncScheduler, seed = 1 } = options;
  for (let number = 1; number <= nodes; number += 1) await tolerate(client.create(resources.core.v1.nodes, nodeOf(number)));
  // A client of another identity, so that `diagnose` does not report these caches as duplicates of the program's.
  const context = createContext({ ...client }, scheduler, seed);
  const wanted = Object.entries(loops).filter(([name]) => options[name as LoopName] !== false);
  let failure: unknown;
  const subscription = merge(...wanted.map(([, loop]) => loop(context, options))).subscribe({
    next: (outcome) => onOutcome?.(outcome),
    error: (error: unknown) => (failure = error),
  });
  return {
    stop: async () => {
      subscription.unsubscribe();
      const { client: _client, scheduler: _scheduler, chance: _chance, eventNames: _names, ...caches } = context;
      await Promise.all(Object.values(caches).map((cache) => cache.stop()));
      if (failure !== undefined) throw failure as Error;
    },
  };
}
