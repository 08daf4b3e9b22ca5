// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
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
import { catalogOf, type Resource } from './resource.js';

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

/**
 * Every built-in resource, with the type of its objects and the verbs that API servers offer for it.
 *
 * The versions of a group are in the order in which API servers prefer them. Discovery tells which of them a given server serves.
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
export const resources: Resources = /* @__PURE__ */ catalogOf<Resources>({
  core: ['', {
    v1: `
Binding      c
ComponentStatus  c cs   gl
ConfigMap   cm
Endpoints endpoints  ep
Event   ev
LimitRange   limits
Namespace  c ns  finalize,status glwcupd
Node  c no  proxy,status
PersistentVolumeClaim   pvc  status
PersistentVolume  c pv  status
Pod   po all attach,binding,ephemeralcontainers,eviction,exec,log,portforward,proxy,resize,status
PodTemplate
ReplicationController   rc all scale,status
ResourceQuota   quota  status
Secret
ServiceAccount   sa  token
Service   svc all proxy,status
`,
  }],
  admissionregistration: ['admissionregistration.k8s.io', {
    v1: `
MutatingWebhookConfiguration  c  api-extensions
ValidatingAdmissionPolicy  c  api-extensions status
ValidatingAdmissionPolicyBinding  c  api-extensions
ValidatingWebhookConfiguration  c  api-extensions
`,
    v1beta1: `
MutatingAdmissionPolicy  c  api-extensions
MutatingAdmissionPolicyBinding  c  api-extensions
`,
    v1alpha1: `
MutatingAdmissionPolicy  c  api-extensions
MutatingAdmissionPolicyBinding  c  api-extensions
`,
  }],
  apiextensions: ['apiextensions.k8s.io', {
    v1: `
CustomResourceDefinition  c crd,crds api-extensions status
`,
  }],
  apiregistration: ['apiregistration.k8s.io', {
    v1: `
APIService  c  api-extensions status
`,
  }],
  apps: ['apps', {
    v1: `
ControllerRevision
DaemonSet   ds all status
Deployment   deploy all scale,status
ReplicaSet   rs all scale,status
StatefulSet   sts all scale,status
`,
  }],
  authentication: ['authentication.k8s.io', {
    v1: `
SelfSubjectReview  c    c
TokenReview  c    c
`,
  }],
  authorization: ['authorization.k8s.io', {
    v1: `
LocalSubjectAccessReview      c
SelfSubjectAccessReview  c    c
SelfSubjectRulesReview  c    c
SubjectAccessReview  c    c
`,
  }],
  autoscaling: ['autoscaling', {
    v2: `
HorizontalPodAutoscaler   hpa all status
`,
    v1: `
HorizontalPodAutoscaler   hpa all status
`,
  }],
  batch: ['batch', {
    v1: `
CronJob   cj all status
Job    all status
`,
  }],
  certificates: ['certificates.k8s.io', {
    v1: `
CertificateSigningRequest  c csr  approval,status
`,
    v1beta1: `
ClusterTrustBundle  c
`,
    v1alpha1: `
ClusterTrustBundle  c
PodCertificateRequest     status
`,
  }],
  coordination: ['coordination.k8s.io', {
    v1: `
Lease
`,
    v1beta1: `
LeaseCandidate
`,
    v1alpha2: `
LeaseCandidate
`,
  }],
  discovery: ['discovery.k8s.io', {
    v1: `
EndpointSlice
`,
  }],
  events: ['events.k8s.io', {
    v1: `
Event   ev
`,
  }],
  flowcontrol: ['flowcontrol.apiserver.k8s.io', {
    v1: `
FlowSchema  c   status
PriorityLevelConfiguration  c   status
`,
  }],
  internal: ['internal.apiserver.k8s.io', {
    v1alpha1: `
StorageVersion  c   status
`,
  }],
  networking: ['networking.k8s.io', {
    v1: `
IngressClass  c
Ingress   ing  status
IPAddress  c ip
NetworkPolicy   netpol
ServiceCIDR  c   status
`,
    v1beta1: `
IPAddress  c ip
ServiceCIDR  c   status
`,
  }],
  node: ['node.k8s.io', {
    v1: `
RuntimeClass  c
`,
  }],
  policy: ['policy', {
    v1: `
PodDisruptionBudget   pdb  status
`,
  }],
  rbac: ['rbac.authorization.k8s.io', {
    v1: `
ClusterRoleBinding  c
ClusterRole  c
RoleBinding
Role
`,
  }],
  resource: ['resource.k8s.io', {
    v1: `
DeviceClass  c
ResourceClaim     status
ResourceClaimTemplate
ResourceSlice  c
`,
    v1beta2: `
DeviceClass  c
ResourceClaim     status
ResourceClaimTemplate
ResourceSlice  c
`,
    v1beta1: `
DeviceClass  c
ResourceClaim     status
ResourceClaimTemplate
ResourceSlice  c
`,
    v1alpha3: `
DeviceTaintRule  c
`,
  }],
  scheduling: ['scheduling.k8s.io', {
    v1: `
PriorityClass  c pc
`,
  }],
  storage: ['storage.k8s.io', {
    v1: `
CSIDriver  c
CSINode  c
CSIStorageCapacity
StorageClass  c sc
VolumeAttachment  c   status
VolumeAttributesClass  c vac
`,
    v1beta1: `
VolumeAttributesClass  c vac
`,
    v1alpha1: `
VolumeAttributesClass  c vac
`,
  }],
  storagemigration: ['storagemigration.k8s.io', {
    v1alpha1: `
StorageVersionMigration  c   status
`,
  }],
});
