// The compiler proves these statements: `npm run check:types` fails when one is wrong.
import type * as clientNode from '@kubernetes/client-node';
import { describe, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type * as kubernetes from '../../src/api/kubernetes/index.js';
import type { KubernetesObject } from '../../src/api/kubernetesObject.js';
import type { ClientNodeObject } from '../../src/client/toClientNode.js';

/** A custom resource whose fields have names that client-node changes in its own models. */
interface Site extends KubernetesObject {
  readonly spec: { readonly from: string; readonly replicas?: number; readonly startTime: string };
}

describe('ClientNodeObject', () => {
  it('is taken for the model of client-node, of every built-in kind', () => {
    expectTypeOf<ClientNodeObject<kubernetes.CoreV1Event>>().toExtend<clientNode.CoreV1Event>();
    expectTypeOf<ClientNodeObject<kubernetes.EventsV1Event>>().toExtend<clientNode.EventsV1Event>();
    expectTypeOf<ClientNodeObject<kubernetes.ResourceV1ResourceClaim>>().toExtend<clientNode.ResourceV1ResourceClaim>();
    expectTypeOf<ClientNodeObject<kubernetes.V1APIService>>().toExtend<clientNode.V1APIService>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Binding>>().toExtend<clientNode.V1Binding>();
    expectTypeOf<ClientNodeObject<kubernetes.V1CSIDriver>>().toExtend<clientNode.V1CSIDriver>();
    expectTypeOf<ClientNodeObject<kubernetes.V1CSINode>>().toExtend<clientNode.V1CSINode>();
    expectTypeOf<ClientNodeObject<kubernetes.V1CSIStorageCapacity>>().toExtend<clientNode.V1CSIStorageCapacity>();
    expectTypeOf<ClientNodeObject<kubernetes.V1CertificateSigningRequest>>().toExtend<clientNode.V1CertificateSigningRequest>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ClusterRole>>().toExtend<clientNode.V1ClusterRole>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ClusterRoleBinding>>().toExtend<clientNode.V1ClusterRoleBinding>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ComponentStatus>>().toExtend<clientNode.V1ComponentStatus>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ConfigMap>>().toExtend<clientNode.V1ConfigMap>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ControllerRevision>>().toExtend<clientNode.V1ControllerRevision>();
    expectTypeOf<ClientNodeObject<kubernetes.V1CronJob>>().toExtend<clientNode.V1CronJob>();
    expectTypeOf<ClientNodeObject<kubernetes.V1CustomResourceDefinition>>().toExtend<clientNode.V1CustomResourceDefinition>();
    expectTypeOf<ClientNodeObject<kubernetes.V1DaemonSet>>().toExtend<clientNode.V1DaemonSet>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Deployment>>().toExtend<clientNode.V1Deployment>();
    expectTypeOf<ClientNodeObject<kubernetes.V1DeviceClass>>().toExtend<clientNode.V1DeviceClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1EndpointSlice>>().toExtend<clientNode.V1EndpointSlice>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Endpoints>>().toExtend<clientNode.V1Endpoints>();
    expectTypeOf<ClientNodeObject<kubernetes.V1FlowSchema>>().toExtend<clientNode.V1FlowSchema>();
    expectTypeOf<ClientNodeObject<kubernetes.V1HorizontalPodAutoscaler>>().toExtend<clientNode.V1HorizontalPodAutoscaler>();
    expectTypeOf<ClientNodeObject<kubernetes.V1IPAddress>>().toExtend<clientNode.V1IPAddress>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Ingress>>().toExtend<clientNode.V1Ingress>();
    expectTypeOf<ClientNodeObject<kubernetes.V1IngressClass>>().toExtend<clientNode.V1IngressClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Job>>().toExtend<clientNode.V1Job>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Lease>>().toExtend<clientNode.V1Lease>();
    expectTypeOf<ClientNodeObject<kubernetes.V1LimitRange>>().toExtend<clientNode.V1LimitRange>();
    expectTypeOf<ClientNodeObject<kubernetes.V1LocalSubjectAccessReview>>().toExtend<clientNode.V1LocalSubjectAccessReview>();
    expectTypeOf<ClientNodeObject<kubernetes.V1MutatingWebhookConfiguration>>().toExtend<clientNode.V1MutatingWebhookConfiguration>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Namespace>>().toExtend<clientNode.V1Namespace>();
    expectTypeOf<ClientNodeObject<kubernetes.V1NetworkPolicy>>().toExtend<clientNode.V1NetworkPolicy>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Node>>().toExtend<clientNode.V1Node>();
    expectTypeOf<ClientNodeObject<kubernetes.V1PersistentVolume>>().toExtend<clientNode.V1PersistentVolume>();
    expectTypeOf<ClientNodeObject<kubernetes.V1PersistentVolumeClaim>>().toExtend<clientNode.V1PersistentVolumeClaim>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Pod>>().toExtend<clientNode.V1Pod>();
    expectTypeOf<ClientNodeObject<kubernetes.V1PodDisruptionBudget>>().toExtend<clientNode.V1PodDisruptionBudget>();
    expectTypeOf<ClientNodeObject<kubernetes.V1PodTemplate>>().toExtend<clientNode.V1PodTemplate>();
    expectTypeOf<ClientNodeObject<kubernetes.V1PriorityClass>>().toExtend<clientNode.V1PriorityClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1PriorityLevelConfiguration>>().toExtend<clientNode.V1PriorityLevelConfiguration>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ReplicaSet>>().toExtend<clientNode.V1ReplicaSet>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ReplicationController>>().toExtend<clientNode.V1ReplicationController>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ResourceClaimTemplate>>().toExtend<clientNode.V1ResourceClaimTemplate>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ResourceQuota>>().toExtend<clientNode.V1ResourceQuota>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ResourceSlice>>().toExtend<clientNode.V1ResourceSlice>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Role>>().toExtend<clientNode.V1Role>();
    expectTypeOf<ClientNodeObject<kubernetes.V1RoleBinding>>().toExtend<clientNode.V1RoleBinding>();
    expectTypeOf<ClientNodeObject<kubernetes.V1RuntimeClass>>().toExtend<clientNode.V1RuntimeClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Secret>>().toExtend<clientNode.V1Secret>();
    expectTypeOf<ClientNodeObject<kubernetes.V1SelfSubjectAccessReview>>().toExtend<clientNode.V1SelfSubjectAccessReview>();
    expectTypeOf<ClientNodeObject<kubernetes.V1SelfSubjectReview>>().toExtend<clientNode.V1SelfSubjectReview>();
    expectTypeOf<ClientNodeObject<kubernetes.V1SelfSubjectRulesReview>>().toExtend<clientNode.V1SelfSubjectRulesReview>();
    expectTypeOf<ClientNodeObject<kubernetes.V1Service>>().toExtend<clientNode.V1Service>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ServiceAccount>>().toExtend<clientNode.V1ServiceAccount>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ServiceCIDR>>().toExtend<clientNode.V1ServiceCIDR>();
    expectTypeOf<ClientNodeObject<kubernetes.V1StatefulSet>>().toExtend<clientNode.V1StatefulSet>();
    expectTypeOf<ClientNodeObject<kubernetes.V1StorageClass>>().toExtend<clientNode.V1StorageClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1SubjectAccessReview>>().toExtend<clientNode.V1SubjectAccessReview>();
    expectTypeOf<ClientNodeObject<kubernetes.V1TokenReview>>().toExtend<clientNode.V1TokenReview>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ValidatingAdmissionPolicy>>().toExtend<clientNode.V1ValidatingAdmissionPolicy>();
    expectTypeOf<
      ClientNodeObject<kubernetes.V1ValidatingAdmissionPolicyBinding>
    >().toExtend<clientNode.V1ValidatingAdmissionPolicyBinding>();
    expectTypeOf<ClientNodeObject<kubernetes.V1ValidatingWebhookConfiguration>>().toExtend<clientNode.V1ValidatingWebhookConfiguration>();
    expectTypeOf<ClientNodeObject<kubernetes.V1VolumeAttachment>>().toExtend<clientNode.V1VolumeAttachment>();
    expectTypeOf<ClientNodeObject<kubernetes.V1VolumeAttributesClass>>().toExtend<clientNode.V1VolumeAttributesClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha1ClusterTrustBundle>>().toExtend<clientNode.V1alpha1ClusterTrustBundle>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha1MutatingAdmissionPolicy>>().toExtend<clientNode.V1alpha1MutatingAdmissionPolicy>();
    expectTypeOf<
      ClientNodeObject<kubernetes.V1alpha1MutatingAdmissionPolicyBinding>
    >().toExtend<clientNode.V1alpha1MutatingAdmissionPolicyBinding>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha1PodCertificateRequest>>().toExtend<clientNode.V1alpha1PodCertificateRequest>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha1StorageVersion>>().toExtend<clientNode.V1alpha1StorageVersion>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha1StorageVersionMigration>>().toExtend<clientNode.V1alpha1StorageVersionMigration>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha1VolumeAttributesClass>>().toExtend<clientNode.V1alpha1VolumeAttributesClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha2LeaseCandidate>>().toExtend<clientNode.V1alpha2LeaseCandidate>();
    expectTypeOf<ClientNodeObject<kubernetes.V1alpha3DeviceTaintRule>>().toExtend<clientNode.V1alpha3DeviceTaintRule>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1ClusterTrustBundle>>().toExtend<clientNode.V1beta1ClusterTrustBundle>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1DeviceClass>>().toExtend<clientNode.V1beta1DeviceClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1IPAddress>>().toExtend<clientNode.V1beta1IPAddress>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1LeaseCandidate>>().toExtend<clientNode.V1beta1LeaseCandidate>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1MutatingAdmissionPolicy>>().toExtend<clientNode.V1beta1MutatingAdmissionPolicy>();
    expectTypeOf<
      ClientNodeObject<kubernetes.V1beta1MutatingAdmissionPolicyBinding>
    >().toExtend<clientNode.V1beta1MutatingAdmissionPolicyBinding>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1ResourceClaim>>().toExtend<clientNode.V1beta1ResourceClaim>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1ResourceClaimTemplate>>().toExtend<clientNode.V1beta1ResourceClaimTemplate>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1ResourceSlice>>().toExtend<clientNode.V1beta1ResourceSlice>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1ServiceCIDR>>().toExtend<clientNode.V1beta1ServiceCIDR>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta1VolumeAttributesClass>>().toExtend<clientNode.V1beta1VolumeAttributesClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta2DeviceClass>>().toExtend<clientNode.V1beta2DeviceClass>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta2ResourceClaim>>().toExtend<clientNode.V1beta2ResourceClaim>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta2ResourceClaimTemplate>>().toExtend<clientNode.V1beta2ResourceClaimTemplate>();
    expectTypeOf<ClientNodeObject<kubernetes.V1beta2ResourceSlice>>().toExtend<clientNode.V1beta2ResourceSlice>();
    expectTypeOf<ClientNodeObject<kubernetes.V2HorizontalPodAutoscaler>>().toExtend<clientNode.V2HorizontalPodAutoscaler>();
  });

  it('has the names and dates of the models, and may be written to', () => {
    type Peers = NonNullable<NonNullable<NonNullable<ClientNodeObject<kubernetes.V1NetworkPolicy>['spec']>['ingress']>[number]['_from']>;
    expectTypeOf<Peers[number]>().toExtend<clientNode.V1NetworkPolicyPeer>();
    expectTypeOf<NonNullable<ClientNodeObject<kubernetes.V1Lease>['spec']>>().toEqualTypeOf<{
      acquireTime?: Date;
      holderIdentity?: string;
      leaseDurationSeconds?: number;
      leaseTransitions?: number;
      preferredHolder?: string;
      renewTime?: Date;
      strategy?: string;
    }>();
  });

  it('is no other kind', () => {
    expectTypeOf<ClientNodeObject<kubernetes.V1Pod>>().not.toExtend<clientNode.V1NetworkPolicy>();
    expectTypeOf<kubernetes.V1Pod>().not.toExtend<clientNode.V1Pod>();
  });

  it('differs in the metadata alone of what is not built in', () => {
    expectTypeOf<ClientNodeObject<Site>['spec']>().toEqualTypeOf<Site['spec']>();
    expectTypeOf<ClientNodeObject<Site>>().toExtend<clientNode.KubernetesObject>();
    expectTypeOf<ClientNodeObject<KubernetesObject>>().toExtend<clientNode.KubernetesObject>();
  });
});
