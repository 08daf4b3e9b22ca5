// Made by tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { V1MutatingWebhookConfiguration, V1ValidatingAdmissionPolicy, V1ValidatingAdmissionPolicyBinding, V1ValidatingWebhookConfiguration } from './kubernetes/admissionregistrationV1.js';
import type { V1alpha1MutatingAdmissionPolicy, V1alpha1MutatingAdmissionPolicyBinding } from './kubernetes/admissionregistrationV1alpha1.js';
import type { V1beta1MutatingAdmissionPolicy, V1beta1MutatingAdmissionPolicyBinding } from './kubernetes/admissionregistrationV1beta1.js';
import type { V1CustomResourceDefinition } from './kubernetes/apiextensionsV1.js';
import type { V1APIService } from './kubernetes/apiregistrationV1.js';
import type { V1ControllerRevision, V1DaemonSet, V1Deployment, V1ReplicaSet, V1StatefulSet } from './kubernetes/appsV1.js';
import type { V1SelfSubjectReview, V1TokenReview } from './kubernetes/authenticationV1.js';
import type { V1LocalSubjectAccessReview, V1SelfSubjectAccessReview, V1SelfSubjectRulesReview, V1SubjectAccessReview } from './kubernetes/authorizationV1.js';
import type { V1HorizontalPodAutoscaler } from './kubernetes/autoscalingV1.js';
import type { V2HorizontalPodAutoscaler } from './kubernetes/autoscalingV2.js';
import type { V1CronJob, V1Job } from './kubernetes/batchV1.js';
import type { V1CertificateSigningRequest } from './kubernetes/certificatesV1.js';
import type { V1alpha1ClusterTrustBundle, V1alpha1PodCertificateRequest } from './kubernetes/certificatesV1alpha1.js';
import type { V1beta1ClusterTrustBundle } from './kubernetes/certificatesV1beta1.js';
import type { V1Lease } from './kubernetes/coordinationV1.js';
import type { V1alpha2LeaseCandidate } from './kubernetes/coordinationV1alpha2.js';
import type { V1beta1LeaseCandidate } from './kubernetes/coordinationV1beta1.js';
import type { CoreV1Event, V1Binding, V1ComponentStatus, V1ConfigMap, V1Endpoints, V1LimitRange, V1Namespace, V1Node, V1PersistentVolume, V1PersistentVolumeClaim, V1Pod, V1PodTemplate, V1ReplicationController, V1ResourceQuota, V1Secret, V1Service, V1ServiceAccount } from './kubernetes/coreV1.js';
import type { V1EndpointSlice } from './kubernetes/discoveryV1.js';
import type { EventsV1Event } from './kubernetes/eventsV1.js';
import type { V1FlowSchema, V1PriorityLevelConfiguration } from './kubernetes/flowcontrolV1.js';
import type { V1alpha1StorageVersion } from './kubernetes/internalV1alpha1.js';
import type { V1IPAddress, V1Ingress, V1IngressClass, V1NetworkPolicy, V1ServiceCIDR } from './kubernetes/networkingV1.js';
import type { V1beta1IPAddress, V1beta1ServiceCIDR } from './kubernetes/networkingV1beta1.js';
import type { V1RuntimeClass } from './kubernetes/nodeV1.js';
import type { V1PodDisruptionBudget } from './kubernetes/policyV1.js';
import type { V1ClusterRole, V1ClusterRoleBinding, V1Role, V1RoleBinding } from './kubernetes/rbacV1.js';
import type { ResourceV1ResourceClaim, V1DeviceClass, V1ResourceClaimTemplate, V1ResourceSlice } from './kubernetes/resourceV1.js';
import type { V1alpha3DeviceTaintRule } from './kubernetes/resourceV1alpha3.js';
import type { V1beta1DeviceClass, V1beta1ResourceClaim, V1beta1ResourceClaimTemplate, V1beta1ResourceSlice } from './kubernetes/resourceV1beta1.js';
import type { V1beta2DeviceClass, V1beta2ResourceClaim, V1beta2ResourceClaimTemplate, V1beta2ResourceSlice } from './kubernetes/resourceV1beta2.js';
import type { V1PriorityClass } from './kubernetes/schedulingV1.js';
import type { V1CSIDriver, V1CSINode, V1CSIStorageCapacity, V1StorageClass, V1VolumeAttachment, V1VolumeAttributesClass } from './kubernetes/storageV1.js';
import type { V1alpha1VolumeAttributesClass } from './kubernetes/storageV1alpha1.js';
import type { V1beta1VolumeAttributesClass } from './kubernetes/storageV1beta1.js';
import type { V1alpha1StorageVersionMigration } from './kubernetes/storagemigrationV1alpha1.js';
import { type Resource, withKnownGroups } from './resource.js';

/**
 * The shape of `resources`: `<group>.<version>.<plural>`, the group by the first label of its name, `core` for the group without a name.
 */
export interface Resources {
  readonly core: {
    readonly v1: {
      readonly bindings: Resource<V1Binding, 'create'>;
      readonly componentstatuses: Resource<V1ComponentStatus, 'get' | 'list'>;
      readonly configmaps: Resource<V1ConfigMap>;
      readonly endpoints: Resource<V1Endpoints>;
      readonly events: Resource<CoreV1Event>;
      readonly limitranges: Resource<V1LimitRange>;
      readonly namespaces: Resource<V1Namespace, 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'>;
      readonly nodes: Resource<V1Node>;
      readonly persistentvolumeclaims: Resource<V1PersistentVolumeClaim>;
      readonly persistentvolumes: Resource<V1PersistentVolume>;
      readonly pods: Resource<V1Pod>;
      readonly podtemplates: Resource<V1PodTemplate>;
      readonly replicationcontrollers: Resource<V1ReplicationController>;
      readonly resourcequotas: Resource<V1ResourceQuota>;
      readonly secrets: Resource<V1Secret>;
      readonly serviceaccounts: Resource<V1ServiceAccount>;
      readonly services: Resource<V1Service>;
    };
  };
  readonly admissionregistration: {
    readonly v1: {
      readonly mutatingwebhookconfigurations: Resource<V1MutatingWebhookConfiguration>;
      readonly validatingadmissionpolicies: Resource<V1ValidatingAdmissionPolicy>;
      readonly validatingadmissionpolicybindings: Resource<V1ValidatingAdmissionPolicyBinding>;
      readonly validatingwebhookconfigurations: Resource<V1ValidatingWebhookConfiguration>;
    };
    readonly v1beta1: {
      readonly mutatingadmissionpolicies: Resource<V1beta1MutatingAdmissionPolicy>;
      readonly mutatingadmissionpolicybindings: Resource<V1beta1MutatingAdmissionPolicyBinding>;
    };
    readonly v1alpha1: {
      readonly mutatingadmissionpolicies: Resource<V1alpha1MutatingAdmissionPolicy>;
      readonly mutatingadmissionpolicybindings: Resource<V1alpha1MutatingAdmissionPolicyBinding>;
    };
  };
  readonly apiextensions: {
    readonly v1: {
      readonly customresourcedefinitions: Resource<V1CustomResourceDefinition>;
    };
  };
  readonly apiregistration: {
    readonly v1: {
      readonly apiservices: Resource<V1APIService>;
    };
  };
  readonly apps: {
    readonly v1: {
      readonly controllerrevisions: Resource<V1ControllerRevision>;
      readonly daemonsets: Resource<V1DaemonSet>;
      readonly deployments: Resource<V1Deployment>;
      readonly replicasets: Resource<V1ReplicaSet>;
      readonly statefulsets: Resource<V1StatefulSet>;
    };
  };
  readonly authentication: {
    readonly v1: {
      readonly selfsubjectreviews: Resource<V1SelfSubjectReview, 'create'>;
      readonly tokenreviews: Resource<V1TokenReview, 'create'>;
    };
  };
  readonly authorization: {
    readonly v1: {
      readonly localsubjectaccessreviews: Resource<V1LocalSubjectAccessReview, 'create'>;
      readonly selfsubjectaccessreviews: Resource<V1SelfSubjectAccessReview, 'create'>;
      readonly selfsubjectrulesreviews: Resource<V1SelfSubjectRulesReview, 'create'>;
      readonly subjectaccessreviews: Resource<V1SubjectAccessReview, 'create'>;
    };
  };
  readonly autoscaling: {
    readonly v2: {
      readonly horizontalpodautoscalers: Resource<V2HorizontalPodAutoscaler>;
    };
    readonly v1: {
      readonly horizontalpodautoscalers: Resource<V1HorizontalPodAutoscaler>;
    };
  };
  readonly batch: {
    readonly v1: {
      readonly cronjobs: Resource<V1CronJob>;
      readonly jobs: Resource<V1Job>;
    };
  };
  readonly certificates: {
    readonly v1: {
      readonly certificatesigningrequests: Resource<V1CertificateSigningRequest>;
    };
    readonly v1beta1: {
      readonly clustertrustbundles: Resource<V1beta1ClusterTrustBundle>;
    };
    readonly v1alpha1: {
      readonly clustertrustbundles: Resource<V1alpha1ClusterTrustBundle>;
      readonly podcertificaterequests: Resource<V1alpha1PodCertificateRequest>;
    };
  };
  readonly coordination: {
    readonly v1: {
      readonly leases: Resource<V1Lease>;
    };
    readonly v1beta1: {
      readonly leasecandidates: Resource<V1beta1LeaseCandidate>;
    };
    readonly v1alpha2: {
      readonly leasecandidates: Resource<V1alpha2LeaseCandidate>;
    };
  };
  readonly discovery: {
    readonly v1: {
      readonly endpointslices: Resource<V1EndpointSlice>;
    };
  };
  readonly events: {
    readonly v1: {
      readonly events: Resource<EventsV1Event>;
    };
  };
  readonly flowcontrol: {
    readonly v1: {
      readonly flowschemas: Resource<V1FlowSchema>;
      readonly prioritylevelconfigurations: Resource<V1PriorityLevelConfiguration>;
    };
  };
  readonly internal: {
    readonly v1alpha1: {
      readonly storageversions: Resource<V1alpha1StorageVersion>;
    };
  };
  readonly networking: {
    readonly v1: {
      readonly ingressclasses: Resource<V1IngressClass>;
      readonly ingresses: Resource<V1Ingress>;
      readonly ipaddresses: Resource<V1IPAddress>;
      readonly networkpolicies: Resource<V1NetworkPolicy>;
      readonly servicecidrs: Resource<V1ServiceCIDR>;
    };
    readonly v1beta1: {
      readonly ipaddresses: Resource<V1beta1IPAddress>;
      readonly servicecidrs: Resource<V1beta1ServiceCIDR>;
    };
  };
  readonly node: {
    readonly v1: {
      readonly runtimeclasses: Resource<V1RuntimeClass>;
    };
  };
  readonly policy: {
    readonly v1: {
      readonly poddisruptionbudgets: Resource<V1PodDisruptionBudget>;
    };
  };
  readonly rbac: {
    readonly v1: {
      readonly clusterrolebindings: Resource<V1ClusterRoleBinding>;
      readonly clusterroles: Resource<V1ClusterRole>;
      readonly rolebindings: Resource<V1RoleBinding>;
      readonly roles: Resource<V1Role>;
    };
  };
  readonly resource: {
    readonly v1: {
      readonly deviceclasses: Resource<V1DeviceClass>;
      readonly resourceclaims: Resource<ResourceV1ResourceClaim>;
      readonly resourceclaimtemplates: Resource<V1ResourceClaimTemplate>;
      readonly resourceslices: Resource<V1ResourceSlice>;
    };
    readonly v1beta2: {
      readonly deviceclasses: Resource<V1beta2DeviceClass>;
      readonly resourceclaims: Resource<V1beta2ResourceClaim>;
      readonly resourceclaimtemplates: Resource<V1beta2ResourceClaimTemplate>;
      readonly resourceslices: Resource<V1beta2ResourceSlice>;
    };
    readonly v1beta1: {
      readonly deviceclasses: Resource<V1beta1DeviceClass>;
      readonly resourceclaims: Resource<V1beta1ResourceClaim>;
      readonly resourceclaimtemplates: Resource<V1beta1ResourceClaimTemplate>;
      readonly resourceslices: Resource<V1beta1ResourceSlice>;
    };
    readonly v1alpha3: {
      readonly devicetaintrules: Resource<V1alpha3DeviceTaintRule>;
    };
  };
  readonly scheduling: {
    readonly v1: {
      readonly priorityclasses: Resource<V1PriorityClass>;
    };
  };
  readonly storage: {
    readonly v1: {
      readonly csidrivers: Resource<V1CSIDriver>;
      readonly csinodes: Resource<V1CSINode>;
      readonly csistoragecapacities: Resource<V1CSIStorageCapacity>;
      readonly storageclasses: Resource<V1StorageClass>;
      readonly volumeattachments: Resource<V1VolumeAttachment>;
      readonly volumeattributesclasses: Resource<V1VolumeAttributesClass>;
    };
    readonly v1beta1: {
      readonly volumeattributesclasses: Resource<V1beta1VolumeAttributesClass>;
    };
    readonly v1alpha1: {
      readonly volumeattributesclasses: Resource<V1alpha1VolumeAttributesClass>;
    };
  };
  readonly storagemigration: {
    readonly v1alpha1: {
      readonly storageversionmigrations: Resource<V1alpha1StorageVersionMigration>;
    };
  };
}

const verbs = { get: true, list: true, watch: true, create: true, update: true, patch: true, delete: true, deletecollection: true } as const;

/**
 * Every built-in resource, with the type of its objects and the verbs that API servers offer for it.
 *
 * A group's versions stand in the order in which API servers prefer them. What a certain server serves, its discovery says.
 *
 * @example
 * ```ts
 * import { createClient, resources } from 'rx-informer';
 *
 * const client = createClient();
 * const pods = await client.list(resources.core.v1.pods, { namespace: 'default' });
 * for (const pod of pods.items) console.log(pod.metadata?.name, pod.status?.phase);
 * ```
 */
export const resources: Resources = /* @__PURE__ */ withKnownGroups({
  core: {
    v1: {
      bindings: { group: '', version: 'v1', plural: 'bindings', kind: 'Binding', namespaced: true, singular: 'binding', verbs: { create: true } },
      componentstatuses: { group: '', version: 'v1', plural: 'componentstatuses', kind: 'ComponentStatus', namespaced: false, singular: 'componentstatus', shortNames: ['cs'], verbs: { get: true, list: true } },
      configmaps: { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true, singular: 'configmap', shortNames: ['cm'], verbs },
      endpoints: { group: '', version: 'v1', plural: 'endpoints', kind: 'Endpoints', namespaced: true, singular: 'endpoints', shortNames: ['ep'], verbs },
      events: { group: '', version: 'v1', plural: 'events', kind: 'Event', namespaced: true, singular: 'event', shortNames: ['ev'], verbs },
      limitranges: { group: '', version: 'v1', plural: 'limitranges', kind: 'LimitRange', namespaced: true, singular: 'limitrange', shortNames: ['limits'], verbs },
      namespaces: { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false, singular: 'namespace', shortNames: ['ns'], verbs: { get: true, list: true, watch: true, create: true, update: true, patch: true, delete: true }, subresources: ['finalize', 'status'] },
      nodes: { group: '', version: 'v1', plural: 'nodes', kind: 'Node', namespaced: false, singular: 'node', shortNames: ['no'], verbs, subresources: ['proxy', 'status'] },
      persistentvolumeclaims: { group: '', version: 'v1', plural: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim', namespaced: true, singular: 'persistentvolumeclaim', shortNames: ['pvc'], verbs, subresources: ['status'] },
      persistentvolumes: { group: '', version: 'v1', plural: 'persistentvolumes', kind: 'PersistentVolume', namespaced: false, singular: 'persistentvolume', shortNames: ['pv'], verbs, subresources: ['status'] },
      pods: { group: '', version: 'v1', plural: 'pods', kind: 'Pod', namespaced: true, singular: 'pod', shortNames: ['po'], categories: ['all'], verbs, subresources: ['attach', 'binding', 'ephemeralcontainers', 'eviction', 'exec', 'log', 'portforward', 'proxy', 'resize', 'status'] },
      podtemplates: { group: '', version: 'v1', plural: 'podtemplates', kind: 'PodTemplate', namespaced: true, singular: 'podtemplate', verbs },
      replicationcontrollers: { group: '', version: 'v1', plural: 'replicationcontrollers', kind: 'ReplicationController', namespaced: true, singular: 'replicationcontroller', shortNames: ['rc'], categories: ['all'], verbs, subresources: ['scale', 'status'] },
      resourcequotas: { group: '', version: 'v1', plural: 'resourcequotas', kind: 'ResourceQuota', namespaced: true, singular: 'resourcequota', shortNames: ['quota'], verbs, subresources: ['status'] },
      secrets: { group: '', version: 'v1', plural: 'secrets', kind: 'Secret', namespaced: true, singular: 'secret', verbs },
      serviceaccounts: { group: '', version: 'v1', plural: 'serviceaccounts', kind: 'ServiceAccount', namespaced: true, singular: 'serviceaccount', shortNames: ['sa'], verbs, subresources: ['token'] },
      services: { group: '', version: 'v1', plural: 'services', kind: 'Service', namespaced: true, singular: 'service', shortNames: ['svc'], categories: ['all'], verbs, subresources: ['proxy', 'status'] },
    },
  },
  admissionregistration: {
    v1: {
      mutatingwebhookconfigurations: { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration', namespaced: false, singular: 'mutatingwebhookconfiguration', categories: ['api-extensions'], verbs },
      validatingadmissionpolicies: { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy', namespaced: false, singular: 'validatingadmissionpolicy', categories: ['api-extensions'], verbs, subresources: ['status'] },
      validatingadmissionpolicybindings: { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingadmissionpolicybindings', kind: 'ValidatingAdmissionPolicyBinding', namespaced: false, singular: 'validatingadmissionpolicybinding', categories: ['api-extensions'], verbs },
      validatingwebhookconfigurations: { group: 'admissionregistration.k8s.io', version: 'v1', plural: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration', namespaced: false, singular: 'validatingwebhookconfiguration', categories: ['api-extensions'], verbs },
    },
    v1beta1: {
      mutatingadmissionpolicies: { group: 'admissionregistration.k8s.io', version: 'v1beta1', plural: 'mutatingadmissionpolicies', kind: 'MutatingAdmissionPolicy', namespaced: false, singular: 'mutatingadmissionpolicy', categories: ['api-extensions'], verbs },
      mutatingadmissionpolicybindings: { group: 'admissionregistration.k8s.io', version: 'v1beta1', plural: 'mutatingadmissionpolicybindings', kind: 'MutatingAdmissionPolicyBinding', namespaced: false, singular: 'mutatingadmissionpolicybinding', categories: ['api-extensions'], verbs },
    },
    v1alpha1: {
      mutatingadmissionpolicies: { group: 'admissionregistration.k8s.io', version: 'v1alpha1', plural: 'mutatingadmissionpolicies', kind: 'MutatingAdmissionPolicy', namespaced: false, singular: 'mutatingadmissionpolicy', categories: ['api-extensions'], verbs },
      mutatingadmissionpolicybindings: { group: 'admissionregistration.k8s.io', version: 'v1alpha1', plural: 'mutatingadmissionpolicybindings', kind: 'MutatingAdmissionPolicyBinding', namespaced: false, singular: 'mutatingadmissionpolicybinding', categories: ['api-extensions'], verbs },
    },
  },
  apiextensions: {
    v1: {
      customresourcedefinitions: { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', kind: 'CustomResourceDefinition', namespaced: false, singular: 'customresourcedefinition', shortNames: ['crd', 'crds'], categories: ['api-extensions'], verbs, subresources: ['status'] },
    },
  },
  apiregistration: {
    v1: {
      apiservices: { group: 'apiregistration.k8s.io', version: 'v1', plural: 'apiservices', kind: 'APIService', namespaced: false, singular: 'apiservice', categories: ['api-extensions'], verbs, subresources: ['status'] },
    },
  },
  apps: {
    v1: {
      controllerrevisions: { group: 'apps', version: 'v1', plural: 'controllerrevisions', kind: 'ControllerRevision', namespaced: true, singular: 'controllerrevision', verbs },
      daemonsets: { group: 'apps', version: 'v1', plural: 'daemonsets', kind: 'DaemonSet', namespaced: true, singular: 'daemonset', shortNames: ['ds'], categories: ['all'], verbs, subresources: ['status'] },
      deployments: { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', namespaced: true, singular: 'deployment', shortNames: ['deploy'], categories: ['all'], verbs, subresources: ['scale', 'status'] },
      replicasets: { group: 'apps', version: 'v1', plural: 'replicasets', kind: 'ReplicaSet', namespaced: true, singular: 'replicaset', shortNames: ['rs'], categories: ['all'], verbs, subresources: ['scale', 'status'] },
      statefulsets: { group: 'apps', version: 'v1', plural: 'statefulsets', kind: 'StatefulSet', namespaced: true, singular: 'statefulset', shortNames: ['sts'], categories: ['all'], verbs, subresources: ['scale', 'status'] },
    },
  },
  authentication: {
    v1: {
      selfsubjectreviews: { group: 'authentication.k8s.io', version: 'v1', plural: 'selfsubjectreviews', kind: 'SelfSubjectReview', namespaced: false, singular: 'selfsubjectreview', verbs: { create: true } },
      tokenreviews: { group: 'authentication.k8s.io', version: 'v1', plural: 'tokenreviews', kind: 'TokenReview', namespaced: false, singular: 'tokenreview', verbs: { create: true } },
    },
  },
  authorization: {
    v1: {
      localsubjectaccessreviews: { group: 'authorization.k8s.io', version: 'v1', plural: 'localsubjectaccessreviews', kind: 'LocalSubjectAccessReview', namespaced: true, singular: 'localsubjectaccessreview', verbs: { create: true } },
      selfsubjectaccessreviews: { group: 'authorization.k8s.io', version: 'v1', plural: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview', namespaced: false, singular: 'selfsubjectaccessreview', verbs: { create: true } },
      selfsubjectrulesreviews: { group: 'authorization.k8s.io', version: 'v1', plural: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview', namespaced: false, singular: 'selfsubjectrulesreview', verbs: { create: true } },
      subjectaccessreviews: { group: 'authorization.k8s.io', version: 'v1', plural: 'subjectaccessreviews', kind: 'SubjectAccessReview', namespaced: false, singular: 'subjectaccessreview', verbs: { create: true } },
    },
  },
  autoscaling: {
    v2: {
      horizontalpodautoscalers: { group: 'autoscaling', version: 'v2', plural: 'horizontalpodautoscalers', kind: 'HorizontalPodAutoscaler', namespaced: true, singular: 'horizontalpodautoscaler', shortNames: ['hpa'], categories: ['all'], verbs, subresources: ['status'] },
    },
    v1: {
      horizontalpodautoscalers: { group: 'autoscaling', version: 'v1', plural: 'horizontalpodautoscalers', kind: 'HorizontalPodAutoscaler', namespaced: true, singular: 'horizontalpodautoscaler', shortNames: ['hpa'], categories: ['all'], verbs, subresources: ['status'] },
    },
  },
  batch: {
    v1: {
      cronjobs: { group: 'batch', version: 'v1', plural: 'cronjobs', kind: 'CronJob', namespaced: true, singular: 'cronjob', shortNames: ['cj'], categories: ['all'], verbs, subresources: ['status'] },
      jobs: { group: 'batch', version: 'v1', plural: 'jobs', kind: 'Job', namespaced: true, singular: 'job', categories: ['all'], verbs, subresources: ['status'] },
    },
  },
  certificates: {
    v1: {
      certificatesigningrequests: { group: 'certificates.k8s.io', version: 'v1', plural: 'certificatesigningrequests', kind: 'CertificateSigningRequest', namespaced: false, singular: 'certificatesigningrequest', shortNames: ['csr'], verbs, subresources: ['approval', 'status'] },
    },
    v1beta1: {
      clustertrustbundles: { group: 'certificates.k8s.io', version: 'v1beta1', plural: 'clustertrustbundles', kind: 'ClusterTrustBundle', namespaced: false, singular: 'clustertrustbundle', verbs },
    },
    v1alpha1: {
      clustertrustbundles: { group: 'certificates.k8s.io', version: 'v1alpha1', plural: 'clustertrustbundles', kind: 'ClusterTrustBundle', namespaced: false, singular: 'clustertrustbundle', verbs },
      podcertificaterequests: { group: 'certificates.k8s.io', version: 'v1alpha1', plural: 'podcertificaterequests', kind: 'PodCertificateRequest', namespaced: true, singular: 'podcertificaterequest', verbs, subresources: ['status'] },
    },
  },
  coordination: {
    v1: {
      leases: { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', kind: 'Lease', namespaced: true, singular: 'lease', verbs },
    },
    v1beta1: {
      leasecandidates: { group: 'coordination.k8s.io', version: 'v1beta1', plural: 'leasecandidates', kind: 'LeaseCandidate', namespaced: true, singular: 'leasecandidate', verbs },
    },
    v1alpha2: {
      leasecandidates: { group: 'coordination.k8s.io', version: 'v1alpha2', plural: 'leasecandidates', kind: 'LeaseCandidate', namespaced: true, singular: 'leasecandidate', verbs },
    },
  },
  discovery: {
    v1: {
      endpointslices: { group: 'discovery.k8s.io', version: 'v1', plural: 'endpointslices', kind: 'EndpointSlice', namespaced: true, singular: 'endpointslice', verbs },
    },
  },
  events: {
    v1: {
      events: { group: 'events.k8s.io', version: 'v1', plural: 'events', kind: 'Event', namespaced: true, singular: 'event', shortNames: ['ev'], verbs },
    },
  },
  flowcontrol: {
    v1: {
      flowschemas: { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', plural: 'flowschemas', kind: 'FlowSchema', namespaced: false, singular: 'flowschema', verbs, subresources: ['status'] },
      prioritylevelconfigurations: { group: 'flowcontrol.apiserver.k8s.io', version: 'v1', plural: 'prioritylevelconfigurations', kind: 'PriorityLevelConfiguration', namespaced: false, singular: 'prioritylevelconfiguration', verbs, subresources: ['status'] },
    },
  },
  internal: {
    v1alpha1: {
      storageversions: { group: 'internal.apiserver.k8s.io', version: 'v1alpha1', plural: 'storageversions', kind: 'StorageVersion', namespaced: false, singular: 'storageversion', verbs, subresources: ['status'] },
    },
  },
  networking: {
    v1: {
      ingressclasses: { group: 'networking.k8s.io', version: 'v1', plural: 'ingressclasses', kind: 'IngressClass', namespaced: false, singular: 'ingressclass', verbs },
      ingresses: { group: 'networking.k8s.io', version: 'v1', plural: 'ingresses', kind: 'Ingress', namespaced: true, singular: 'ingress', shortNames: ['ing'], verbs, subresources: ['status'] },
      ipaddresses: { group: 'networking.k8s.io', version: 'v1', plural: 'ipaddresses', kind: 'IPAddress', namespaced: false, singular: 'ipaddress', shortNames: ['ip'], verbs },
      networkpolicies: { group: 'networking.k8s.io', version: 'v1', plural: 'networkpolicies', kind: 'NetworkPolicy', namespaced: true, singular: 'networkpolicy', shortNames: ['netpol'], verbs },
      servicecidrs: { group: 'networking.k8s.io', version: 'v1', plural: 'servicecidrs', kind: 'ServiceCIDR', namespaced: false, singular: 'servicecidr', verbs, subresources: ['status'] },
    },
    v1beta1: {
      ipaddresses: { group: 'networking.k8s.io', version: 'v1beta1', plural: 'ipaddresses', kind: 'IPAddress', namespaced: false, singular: 'ipaddress', shortNames: ['ip'], verbs },
      servicecidrs: { group: 'networking.k8s.io', version: 'v1beta1', plural: 'servicecidrs', kind: 'ServiceCIDR', namespaced: false, singular: 'servicecidr', verbs, subresources: ['status'] },
    },
  },
  node: {
    v1: {
      runtimeclasses: { group: 'node.k8s.io', version: 'v1', plural: 'runtimeclasses', kind: 'RuntimeClass', namespaced: false, singular: 'runtimeclass', verbs },
    },
  },
  policy: {
    v1: {
      poddisruptionbudgets: { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets', kind: 'PodDisruptionBudget', namespaced: true, singular: 'poddisruptionbudget', shortNames: ['pdb'], verbs, subresources: ['status'] },
    },
  },
  rbac: {
    v1: {
      clusterrolebindings: { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterrolebindings', kind: 'ClusterRoleBinding', namespaced: false, singular: 'clusterrolebinding', verbs },
      clusterroles: { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'clusterroles', kind: 'ClusterRole', namespaced: false, singular: 'clusterrole', verbs },
      rolebindings: { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'rolebindings', kind: 'RoleBinding', namespaced: true, singular: 'rolebinding', verbs },
      roles: { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', kind: 'Role', namespaced: true, singular: 'role', verbs },
    },
  },
  resource: {
    v1: {
      deviceclasses: { group: 'resource.k8s.io', version: 'v1', plural: 'deviceclasses', kind: 'DeviceClass', namespaced: false, singular: 'deviceclass', verbs },
      resourceclaims: { group: 'resource.k8s.io', version: 'v1', plural: 'resourceclaims', kind: 'ResourceClaim', namespaced: true, singular: 'resourceclaim', verbs, subresources: ['status'] },
      resourceclaimtemplates: { group: 'resource.k8s.io', version: 'v1', plural: 'resourceclaimtemplates', kind: 'ResourceClaimTemplate', namespaced: true, singular: 'resourceclaimtemplate', verbs },
      resourceslices: { group: 'resource.k8s.io', version: 'v1', plural: 'resourceslices', kind: 'ResourceSlice', namespaced: false, singular: 'resourceslice', verbs },
    },
    v1beta2: {
      deviceclasses: { group: 'resource.k8s.io', version: 'v1beta2', plural: 'deviceclasses', kind: 'DeviceClass', namespaced: false, singular: 'deviceclass', verbs },
      resourceclaims: { group: 'resource.k8s.io', version: 'v1beta2', plural: 'resourceclaims', kind: 'ResourceClaim', namespaced: true, singular: 'resourceclaim', verbs, subresources: ['status'] },
      resourceclaimtemplates: { group: 'resource.k8s.io', version: 'v1beta2', plural: 'resourceclaimtemplates', kind: 'ResourceClaimTemplate', namespaced: true, singular: 'resourceclaimtemplate', verbs },
      resourceslices: { group: 'resource.k8s.io', version: 'v1beta2', plural: 'resourceslices', kind: 'ResourceSlice', namespaced: false, singular: 'resourceslice', verbs },
    },
    v1beta1: {
      deviceclasses: { group: 'resource.k8s.io', version: 'v1beta1', plural: 'deviceclasses', kind: 'DeviceClass', namespaced: false, singular: 'deviceclass', verbs },
      resourceclaims: { group: 'resource.k8s.io', version: 'v1beta1', plural: 'resourceclaims', kind: 'ResourceClaim', namespaced: true, singular: 'resourceclaim', verbs, subresources: ['status'] },
      resourceclaimtemplates: { group: 'resource.k8s.io', version: 'v1beta1', plural: 'resourceclaimtemplates', kind: 'ResourceClaimTemplate', namespaced: true, singular: 'resourceclaimtemplate', verbs },
      resourceslices: { group: 'resource.k8s.io', version: 'v1beta1', plural: 'resourceslices', kind: 'ResourceSlice', namespaced: false, singular: 'resourceslice', verbs },
    },
    v1alpha3: {
      devicetaintrules: { group: 'resource.k8s.io', version: 'v1alpha3', plural: 'devicetaintrules', kind: 'DeviceTaintRule', namespaced: false, singular: 'devicetaintrule', verbs },
    },
  },
  scheduling: {
    v1: {
      priorityclasses: { group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses', kind: 'PriorityClass', namespaced: false, singular: 'priorityclass', shortNames: ['pc'], verbs },
    },
  },
  storage: {
    v1: {
      csidrivers: { group: 'storage.k8s.io', version: 'v1', plural: 'csidrivers', kind: 'CSIDriver', namespaced: false, singular: 'csidriver', verbs },
      csinodes: { group: 'storage.k8s.io', version: 'v1', plural: 'csinodes', kind: 'CSINode', namespaced: false, singular: 'csinode', verbs },
      csistoragecapacities: { group: 'storage.k8s.io', version: 'v1', plural: 'csistoragecapacities', kind: 'CSIStorageCapacity', namespaced: true, singular: 'csistoragecapacity', verbs },
      storageclasses: { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses', kind: 'StorageClass', namespaced: false, singular: 'storageclass', shortNames: ['sc'], verbs },
      volumeattachments: { group: 'storage.k8s.io', version: 'v1', plural: 'volumeattachments', kind: 'VolumeAttachment', namespaced: false, singular: 'volumeattachment', verbs, subresources: ['status'] },
      volumeattributesclasses: { group: 'storage.k8s.io', version: 'v1', plural: 'volumeattributesclasses', kind: 'VolumeAttributesClass', namespaced: false, singular: 'volumeattributesclass', shortNames: ['vac'], verbs },
    },
    v1beta1: {
      volumeattributesclasses: { group: 'storage.k8s.io', version: 'v1beta1', plural: 'volumeattributesclasses', kind: 'VolumeAttributesClass', namespaced: false, singular: 'volumeattributesclass', shortNames: ['vac'], verbs },
    },
    v1alpha1: {
      volumeattributesclasses: { group: 'storage.k8s.io', version: 'v1alpha1', plural: 'volumeattributesclasses', kind: 'VolumeAttributesClass', namespaced: false, singular: 'volumeattributesclass', shortNames: ['vac'], verbs },
    },
  },
  storagemigration: {
    v1alpha1: {
      storageversionmigrations: { group: 'storagemigration.k8s.io', version: 'v1alpha1', plural: 'storageversionmigrations', kind: 'StorageVersionMigration', namespaced: false, singular: 'storageversionmigration', verbs, subresources: ['status'] },
    },
  },
});
