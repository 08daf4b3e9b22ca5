// Made by rx-informer types of certificates.cert-manager.io, gateways.gateway.networking.k8s.io, httproutes.gateway.networking.k8s.io, servicemonitors.monitoring.coreos.com, prometheuses.monitoring.coreos.com, jobsets.jobset.x-k8s.io, nodepools.karpenter.sh, clusterqueues.kueue.x-k8s.io, gitrepositories.source.toolkit.fluxcd.io, rollouts.argoproj.io. Do not edit.
import { customResource, type KubernetesObject, type Resource } from 'rx-informer';

export interface Certificate extends KubernetesObject {
  readonly spec?: CertificateSpec | undefined;
  readonly status?: CertificateStatus | undefined;
}

export interface CertificateSpec {
  readonly dnsNames?: readonly string[] | undefined;
  readonly issuerRef: {
    readonly group?: string | undefined;
    readonly kind?: string | undefined;
    readonly name: string;
  };
  readonly secretName: string;
  readonly secretTemplate?: {
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
  } | undefined;
}

export interface CertificateStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime?: string | undefined;
    readonly message?: string | undefined;
    readonly observedGeneration?: number | undefined;
    readonly reason?: string | undefined;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly type: string;
  }[] | undefined;
}

/** certificates.cert-manager.io, version v1. */
export const certificates: Resource<Certificate> = customResource<Certificate>({
  group: 'cert-manager.io',
  version: 'v1',
  plural: 'certificates',
  kind: 'Certificate',
  singular: 'certificate',
  namespaced: true,
  subresources: ['status'],
});

export interface Gateway extends KubernetesObject {
  readonly spec: GatewaySpec;
  readonly status?: GatewayStatus | undefined;
}

export interface GatewaySpec {
  readonly gatewayClassName: string;
  readonly listeners: readonly {
    readonly allowedRoutes?: {
      readonly namespaces?: {
        readonly from?: 'All' | 'Selector' | 'Same' | undefined;
        readonly selector?: {
          readonly matchExpressions?: readonly {
            readonly key: string;
            readonly operator: string;
            readonly values?: readonly string[] | undefined;
          }[] | undefined;
          readonly matchLabels?: Readonly<Record<string, string>> | undefined;
        } | undefined;
      } | undefined;
    } | undefined;
    readonly name: string;
    readonly port: number;
  }[];
}

export interface GatewayStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly message: string;
    readonly observedGeneration?: number | undefined;
    readonly reason: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly type: string;
  }[] | undefined;
}

/** gateways.gateway.networking.k8s.io, version v1. */
export const gateways: Resource<Gateway> = customResource<Gateway>({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  plural: 'gateways',
  kind: 'Gateway',
  singular: 'gateway',
  namespaced: true,
  subresources: ['status'],
});

export interface HTTPRoute extends KubernetesObject {
  readonly spec: HTTPRouteSpec;
  readonly status?: HTTPRouteStatus | undefined;
}

export interface HTTPRouteSpec {
  readonly hostnames?: readonly string[] | undefined;
}

export interface HTTPRouteStatus {
  readonly parents: readonly {
    readonly conditions: readonly {
      readonly lastTransitionTime: string;
      readonly message: string;
      readonly observedGeneration?: number | undefined;
      readonly reason: string;
      readonly status: 'True' | 'False' | 'Unknown';
      readonly type: string;
    }[];
    readonly controllerName: string;
  }[];
}

/** httproutes.gateway.networking.k8s.io, version v1. */
export const httproutes: Resource<HTTPRoute> = customResource<HTTPRoute>({
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  plural: 'httproutes',
  kind: 'HTTPRoute',
  singular: 'httproute',
  namespaced: true,
  subresources: ['status'],
});

export interface ServiceMonitor extends KubernetesObject {
  readonly spec: ServiceMonitorSpec;
}

export interface ServiceMonitorSpec {
  readonly endpoints: readonly {
    readonly port?: string | undefined;
  }[];
  readonly selector: {
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[] | undefined;
    }[] | undefined;
    readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  };
}

/** servicemonitors.monitoring.coreos.com, version v1. */
export const servicemonitors: Resource<ServiceMonitor> = customResource<ServiceMonitor>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  plural: 'servicemonitors',
  kind: 'ServiceMonitor',
  singular: 'servicemonitor',
  namespaced: true,
  subresources: ['status'],
});

export interface Prometheus extends KubernetesObject {
  readonly spec: PrometheusSpec;
  readonly status?: PrometheusStatus | undefined;
}

export interface PrometheusSpec {
  readonly podMetadata?: {
    readonly annotations?: Readonly<Record<string, string>> | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly name?: string | undefined;
  } | undefined;
  readonly replicas?: number | undefined;
  readonly serviceMonitorSelector?: {
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[] | undefined;
    }[] | undefined;
    readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  } | undefined;
}

export interface PrometheusStatus {
  readonly availableReplicas: number;
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly message?: string | undefined;
    readonly observedGeneration?: number | undefined;
    readonly reason?: string | undefined;
    readonly status: string;
    readonly type: string;
  }[] | undefined;
  readonly selector?: string | undefined;
}

/** prometheuses.monitoring.coreos.com, version v1. */
export const prometheuses: Resource<Prometheus> = customResource<Prometheus>({
  group: 'monitoring.coreos.com',
  version: 'v1',
  plural: 'prometheuses',
  kind: 'Prometheus',
  singular: 'prometheus',
  namespaced: true,
  subresources: ['status'],
});

export interface JobSet extends KubernetesObject {
  readonly spec?: JobSetSpec | undefined;
  readonly status?: JobSetStatus | undefined;
}

export interface JobSetSpec {
  readonly replicatedJobs?: readonly {
    readonly name: string;
    readonly replicas?: number | undefined;
    readonly template: {
      readonly metadata?: {
        readonly annotations?: Readonly<Record<string, string>> | undefined;
        readonly finalizers?: readonly string[] | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly name?: string | undefined;
        readonly namespace?: string | undefined;
      } | undefined;
    };
  }[] | undefined;
  readonly suspend?: boolean | undefined;
}

export interface JobSetStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly message: string;
    readonly observedGeneration?: number | undefined;
    readonly reason: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly type: string;
  }[] | undefined;
}

/** jobsets.jobset.x-k8s.io, version v1alpha2. */
export const jobsets: Resource<JobSet> = customResource<JobSet>({
  group: 'jobset.x-k8s.io',
  version: 'v1alpha2',
  plural: 'jobsets',
  kind: 'JobSet',
  singular: 'jobset',
  namespaced: true,
  subresources: ['status'],
});

export interface NodePool extends KubernetesObject {
  readonly spec: NodePoolSpec;
  readonly status?: NodePoolStatus | undefined;
}

export interface NodePoolSpec {
  readonly template: {
    readonly metadata?: {
      readonly annotations?: Readonly<Record<string, string>> | undefined;
      readonly labels?: Readonly<Record<string, string>> | undefined;
    } | undefined;
  };
  readonly weight?: number | undefined;
}

export interface NodePoolStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly message: string;
    readonly observedGeneration?: number | undefined;
    readonly reason: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly type: string;
  }[] | undefined;
}

/** nodepools.karpenter.sh, version v1. */
export const nodepools: Resource<NodePool> = customResource<NodePool>({
  group: 'karpenter.sh',
  version: 'v1',
  plural: 'nodepools',
  kind: 'NodePool',
  singular: 'nodepool',
  namespaced: false,
  subresources: ['status'],
});

export interface ClusterQueue extends KubernetesObject {
  readonly spec?: ClusterQueueSpec | undefined;
  readonly status?: ClusterQueueStatus | undefined;
}

export interface ClusterQueueSpec {
  readonly cohortName?: string | undefined;
  readonly namespaceSelector?: {
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[] | undefined;
    }[] | undefined;
    readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly stopPolicy?: 'None' | 'Hold' | 'HoldAndDrain' | undefined;
}

export interface ClusterQueueStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly message: string;
    readonly observedGeneration?: number | undefined;
    readonly reason: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly type: string;
  }[] | undefined;
}

/** clusterqueues.kueue.x-k8s.io, version v1beta2. */
export const clusterqueues: Resource<ClusterQueue> = customResource<ClusterQueue>({
  group: 'kueue.x-k8s.io',
  version: 'v1beta2',
  plural: 'clusterqueues',
  kind: 'ClusterQueue',
  singular: 'clusterqueue',
  namespaced: false,
  subresources: ['status'],
});

export interface GitRepository extends KubernetesObject {
  readonly spec?: GitRepositorySpec | undefined;
  readonly status?: GitRepositoryStatus | undefined;
}

export interface GitRepositorySpec {
  readonly interval: string;
  readonly url: string;
}

export interface GitRepositoryStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly message: string;
    readonly observedGeneration?: number | undefined;
    readonly reason: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly type: string;
  }[] | undefined;
  readonly observedGeneration?: number | undefined;
}

/** gitrepositories.source.toolkit.fluxcd.io, version v1. */
export const gitrepositories: Resource<GitRepository> = customResource<GitRepository>({
  group: 'source.toolkit.fluxcd.io',
  version: 'v1',
  plural: 'gitrepositories',
  kind: 'GitRepository',
  singular: 'gitrepository',
  namespaced: true,
  subresources: ['status'],
});

export interface Rollout extends KubernetesObject {
  readonly spec: RolloutSpec;
  readonly status?: RolloutStatus | undefined;
}

export interface RolloutSpec {
  readonly replicas?: number | undefined;
  readonly selector?: {
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[] | undefined;
    }[] | undefined;
    readonly matchLabels?: Readonly<Record<string, string>> | undefined;
  } | undefined;
  readonly template?: {
    readonly metadata?: {
      readonly annotations?: Readonly<Record<string, string>> | undefined;
      readonly labels?: Readonly<Record<string, string>> | undefined;
    } | undefined;
  } | undefined;
}

export interface RolloutStatus {
  readonly conditions?: readonly {
    readonly lastTransitionTime: string;
    readonly lastUpdateTime: string;
    readonly message: string;
    readonly reason: string;
    readonly status: string;
    readonly type: string;
  }[] | undefined;
  readonly observedGeneration?: string | undefined;
  readonly readyReplicas?: number | undefined;
}

/** rollouts.argoproj.io, version v1alpha1. */
export const rollouts: Resource<Rollout> = customResource<Rollout>({
  group: 'argoproj.io',
  version: 'v1alpha1',
  plural: 'rollouts',
  kind: 'Rollout',
  singular: 'rollout',
  namespaced: true,
  subresources: ['status'],
});
