// The compiler proves these statements: `npm run check:types` fails when one is wrong.
import type * as clientNode from '@kubernetes/client-node';
import { describe, expect, it } from '@jest/globals';
import { expectTypeOf } from 'expect-type';
import type * as kubernetes from '../../src/api/kubernetes/index.js';
import type { KubernetesList, ListMeta, ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../src/api/kubernetesObject.js';
import type { LabelSelectorObject } from '../../src/api/selectors.js';
import type { Status, StatusCause, StatusDetails } from '../../src/api/errors/apiError.js';
import type { Scale } from '../../src/client/kubeClient.js';

type Primitive = string | number | boolean | undefined;

/** The JSON of a client-node model whose fields have their wire names: timestamps are strings, all fields are readonly. */
type Wire<T> = unknown extends T
  ? unknown
  : T extends Date
    ? string
    : T extends Primitive
      ? T
      : T extends readonly (infer Item)[]
        ? readonly Wire<Item>[]
        : { readonly [Field in keyof T]: Field extends 'metadata' ? unknown : Wire<T[Field]> };

/** An interface without `null`, and without `undefined` for an optional field: client-node's models have neither. */
type WithoutNull<T> = unknown extends T
  ? unknown
  : T extends null
    ? never
    : T extends Primitive
      ? T
      : T extends readonly (infer Item)[]
        ? readonly WithoutNull<Item>[]
        : { readonly [Field in keyof T]: Field extends 'metadata' ? unknown : WithoutNull<Exclude<T[Field], undefined>> };

describe('the interfaces of the JSON', () => {
  it('have the fields and types of the models, on the wire', () => {
    // Identical in every field of every part.
    expectTypeOf<WithoutNull<kubernetes.CoreV1Event>>().toEqualTypeOf<Wire<clientNode.CoreV1Event>>();
    expectTypeOf<WithoutNull<kubernetes.EventsV1Event>>().toEqualTypeOf<Wire<clientNode.EventsV1Event>>();
    expectTypeOf<WithoutNull<kubernetes.ResourceV1ResourceClaim>>().toEqualTypeOf<Wire<clientNode.ResourceV1ResourceClaim>>();
    expectTypeOf<WithoutNull<kubernetes.V1APIService>>().toEqualTypeOf<Wire<clientNode.V1APIService>>();
    expectTypeOf<WithoutNull<kubernetes.V1CertificateSigningRequest>>().toEqualTypeOf<Wire<clientNode.V1CertificateSigningRequest>>();
    expectTypeOf<WithoutNull<kubernetes.V1ClusterRole>>().toEqualTypeOf<Wire<clientNode.V1ClusterRole>>();
    expectTypeOf<WithoutNull<kubernetes.V1ConfigMap>>().toEqualTypeOf<Wire<clientNode.V1ConfigMap>>();
    expectTypeOf<WithoutNull<kubernetes.V1CronJob>>().toEqualTypeOf<Wire<clientNode.V1CronJob>>();
    expectTypeOf<WithoutNull<kubernetes.V1DaemonSet>>().toEqualTypeOf<Wire<clientNode.V1DaemonSet>>();
    expectTypeOf<WithoutNull<kubernetes.V1Deployment>>().toEqualTypeOf<Wire<clientNode.V1Deployment>>();
    expectTypeOf<WithoutNull<kubernetes.V1EndpointSlice>>().toEqualTypeOf<Wire<clientNode.V1EndpointSlice>>();
    expectTypeOf<WithoutNull<kubernetes.V1Endpoints>>().toEqualTypeOf<Wire<clientNode.V1Endpoints>>();
    expectTypeOf<WithoutNull<kubernetes.V1FlowSchema>>().toEqualTypeOf<Wire<clientNode.V1FlowSchema>>();
    expectTypeOf<WithoutNull<kubernetes.V1HorizontalPodAutoscaler>>().toEqualTypeOf<Wire<clientNode.V1HorizontalPodAutoscaler>>();
    expectTypeOf<WithoutNull<kubernetes.V1Ingress>>().toEqualTypeOf<Wire<clientNode.V1Ingress>>();
    expectTypeOf<WithoutNull<kubernetes.V1Job>>().toEqualTypeOf<Wire<clientNode.V1Job>>();
    expectTypeOf<WithoutNull<kubernetes.V1Lease>>().toEqualTypeOf<Wire<clientNode.V1Lease>>();
    expectTypeOf<WithoutNull<kubernetes.V1Namespace>>().toEqualTypeOf<Wire<clientNode.V1Namespace>>();
    expectTypeOf<WithoutNull<kubernetes.V1Node>>().toEqualTypeOf<Wire<clientNode.V1Node>>();
    expectTypeOf<WithoutNull<kubernetes.V1PersistentVolume>>().toEqualTypeOf<Wire<clientNode.V1PersistentVolume>>();
    expectTypeOf<WithoutNull<kubernetes.V1PersistentVolumeClaim>>().toEqualTypeOf<Wire<clientNode.V1PersistentVolumeClaim>>();
    expectTypeOf<WithoutNull<kubernetes.V1Pod>>().toEqualTypeOf<Wire<clientNode.V1Pod>>();
    expectTypeOf<WithoutNull<kubernetes.V1PodDisruptionBudget>>().toEqualTypeOf<Wire<clientNode.V1PodDisruptionBudget>>();
    expectTypeOf<WithoutNull<kubernetes.V1ReplicaSet>>().toEqualTypeOf<Wire<clientNode.V1ReplicaSet>>();
    expectTypeOf<WithoutNull<kubernetes.V1ReplicationController>>().toEqualTypeOf<Wire<clientNode.V1ReplicationController>>();
    expectTypeOf<WithoutNull<kubernetes.V1ResourceQuota>>().toEqualTypeOf<Wire<clientNode.V1ResourceQuota>>();
    expectTypeOf<WithoutNull<kubernetes.V1RoleBinding>>().toEqualTypeOf<Wire<clientNode.V1RoleBinding>>();
    expectTypeOf<WithoutNull<kubernetes.V1Scale>>().toEqualTypeOf<Wire<clientNode.V1Scale>>();
    expectTypeOf<WithoutNull<kubernetes.V1Secret>>().toEqualTypeOf<Wire<clientNode.V1Secret>>();
    expectTypeOf<WithoutNull<kubernetes.V1Service>>().toEqualTypeOf<Wire<clientNode.V1Service>>();
    expectTypeOf<WithoutNull<kubernetes.V1ServiceAccount>>().toEqualTypeOf<Wire<clientNode.V1ServiceAccount>>();
    expectTypeOf<WithoutNull<kubernetes.V1StatefulSet>>().toEqualTypeOf<Wire<clientNode.V1StatefulSet>>();
    expectTypeOf<WithoutNull<kubernetes.V1StorageClass>>().toEqualTypeOf<Wire<clientNode.V1StorageClass>>();
    expectTypeOf<WithoutNull<kubernetes.V1TokenReview>>().toEqualTypeOf<Wire<clientNode.V1TokenReview>>();
    expectTypeOf<WithoutNull<kubernetes.V1ValidatingWebhookConfiguration>>().toEqualTypeOf<
      Wire<clientNode.V1ValidatingWebhookConfiguration>
    >();
    expectTypeOf<WithoutNull<kubernetes.V1VolumeAttachment>>().toEqualTypeOf<Wire<clientNode.V1VolumeAttachment>>();
    expectTypeOf<WithoutNull<kubernetes.V2HorizontalPodAutoscaler>>().toEqualTypeOf<Wire<clientNode.V2HorizontalPodAutoscaler>>();
  });

  it('have the names that the JSON has, where the models have others', () => {
    expectTypeOf<kubernetes.V1NetworkPolicyIngressRule>().toHaveProperty('from');
    expectTypeOf<kubernetes.V1ListMeta>().toHaveProperty('continue');
    expectTypeOf<kubernetes.V1LimitRangeItem>().toHaveProperty('default');
    expectTypeOf<Extract<keyof kubernetes.V1JSONSchemaProps, `$${string}` | 'default' | 'enum' | `x-${string}`>>().toEqualTypeOf<
      | '$ref'
      | '$schema'
      | 'default'
      | 'enum'
      | 'x-kubernetes-embedded-resource'
      | 'x-kubernetes-int-or-string'
      | 'x-kubernetes-list-map-keys'
      | 'x-kubernetes-list-type'
      | 'x-kubernetes-map-type'
      | 'x-kubernetes-preserve-unknown-fields'
      | 'x-kubernetes-validations'
    >();
    expectTypeOf<kubernetes.V1JSONSchemaProps['items']>().toEqualTypeOf<
      kubernetes.V1JSONSchemaProps | readonly kubernetes.V1JSONSchemaProps[] | undefined
    >();
  });

  it('share what all objects have with the hand-written types', () => {
    expectTypeOf<kubernetes.V1Pod['metadata']>().toEqualTypeOf<ObjectMeta | undefined>();
    expectTypeOf<kubernetes.V1ObjectMeta>().toEqualTypeOf<ObjectMeta>();
    expectTypeOf<kubernetes.V1Status>().toEqualTypeOf<Status>();
    expectTypeOf<kubernetes.V1DeploymentSpec['selector']>().toEqualTypeOf<LabelSelectorObject>();
    expectTypeOf<kubernetes.V1PodList>().toEqualTypeOf<KubernetesList<kubernetes.V1Pod>>();
    expectTypeOf<kubernetes.V1Scale>().toExtend<Scale>();
  });

  it('find in the hand-written types every field that the models have', () => {
    expectTypeOf<keyof ObjectMeta>().toEqualTypeOf<keyof clientNode.V1ObjectMeta>();
    expectTypeOf<keyof OwnerReference>().toEqualTypeOf<keyof clientNode.V1OwnerReference>();
    expectTypeOf<keyof ManagedFieldsEntry>().toEqualTypeOf<keyof clientNode.V1ManagedFieldsEntry>();
    expectTypeOf<keyof ListMeta>().toEqualTypeOf<Exclude<keyof clientNode.V1ListMeta, '_continue' | 'selfLink'> | 'continue'>();
    expectTypeOf<keyof Status>().toEqualTypeOf<keyof clientNode.V1Status>();
    expectTypeOf<keyof StatusDetails>().toEqualTypeOf<keyof clientNode.V1StatusDetails>();
    expectTypeOf<keyof StatusCause>().toEqualTypeOf<keyof clientNode.V1StatusCause>();
    expectTypeOf<keyof LabelSelectorObject>().toEqualTypeOf<keyof clientNode.V1LabelSelector>();
  });

  it('are as plain JSON is', () => {
    type PodSpec = NonNullable<kubernetes.V1Pod['spec']>;
    expectTypeOf<PodSpec['containers'][number]['name']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<kubernetes.V1Pod['status']>['startTime']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<kubernetes.V1PodCondition['lastProbeTime']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<kubernetes.V1ServicePort['targetPort']>().toEqualTypeOf<number | string | undefined>();
    expectTypeOf<kubernetes.V1ResourceRequirements['limits']>().toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
    expectTypeOf<kubernetes.V1Secret['data']>().toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
    expectTypeOf<kubernetes.V1PodDisruptionBudgetStatus['disruptedPods']>().toEqualTypeOf<Readonly<Record<string, string>> | undefined>();
    expectTypeOf<kubernetes.V1ClusterRole['rules']>().toEqualTypeOf<readonly kubernetes.V1PolicyRule[] | null | undefined>();
    expectTypeOf<kubernetes.V1ControllerRevision['data']>().toEqualTypeOf<unknown>();
  });

  it('fit literals, and refuse what is not there', () => {
    const pod = { metadata: { name: 'web' }, spec: { containers: [{ name: 'web', image: 'nginx' }] } } satisfies kubernetes.V1Pod;
    expect(pod.spec.containers[0]?.name).toBe('web');
    // @ts-expect-error a container has a name
    const nameless: kubernetes.V1Container = { image: 'nginx' };
    // @ts-expect-error a timestamp is no Date
    const dated: kubernetes.V1PodStatus = { startTime: new Date(0) };
    // @ts-expect-error the JSON has no _continue
    const listed: kubernetes.V1ListMeta = { _continue: '' };
    expect([nameless, dated, listed]).toHaveLength(3);
  });

  it('cannot be written to', () => {
    const pod: kubernetes.V1Pod = { spec: { containers: [] } };
    const labels: NonNullable<ObjectMeta['labels']> = { app: 'web' };
    expectTypeOf(pod.spec?.containers).toEqualTypeOf<readonly kubernetes.V1Container[] | undefined>();
    // @ts-expect-error labels are read only
    const relabel = (): string => (labels['app'] = 'db');
    // @ts-expect-error fields are read only
    const clear = (): object => (pod.spec = { containers: [] });
    expect([relabel, clear]).toHaveLength(2);
  });
});
