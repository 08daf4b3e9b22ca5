// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1NodeSelector } from './coreV1.js';
import type { V1Condition, V1ObjectMeta } from './metaV1.js';

/** An object of `resourceclaims.resource.k8s.io` in `resource.k8s.io/v1`. */
export interface ResourceV1ResourceClaim {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1ResourceClaimSpec;
  readonly status?: V1ResourceClaimStatus;
}

/** Part of `V1ResourceClaimStatus`. */
export interface V1AllocatedDeviceStatus {
  readonly conditions?: readonly V1Condition[];
  readonly data?: unknown;
  readonly device: string;
  readonly driver: string;
  readonly networkData?: V1NetworkDeviceData;
  readonly pool: string;
  readonly shareID?: string;
}

/** Part of `V1ResourceClaimStatus`. */
export interface V1AllocationResult {
  readonly allocationTimestamp?: string;
  readonly devices?: V1DeviceAllocationResult;
  readonly nodeSelector?: V1NodeSelector;
}

/** Part of `V1DeviceSelector`. */
export interface V1CELDeviceSelector {
  readonly expression: string;
}

/** Part of `V1DeviceCapacity`. */
export interface V1CapacityRequestPolicy {
  readonly default?: string;
  readonly validRange?: V1CapacityRequestPolicyRange;
  readonly validValues?: readonly string[];
}

/** Part of `V1CapacityRequestPolicy`. */
export interface V1CapacityRequestPolicyRange {
  readonly max?: string;
  readonly min: string;
  readonly step?: string;
}

/** Part of `V1DeviceSubRequest`, `V1ExactDeviceRequest`. */
export interface V1CapacityRequirements {
  readonly requests?: Readonly<Record<string, string>>;
}

/** Part of `V1CounterSet`, `V1DeviceCounterConsumption`. */
export interface V1Counter {
  readonly value: string;
}

/** Part of `V1ResourceSliceSpec`. */
export interface V1CounterSet {
  readonly counters: Readonly<Record<string, V1Counter>>;
  readonly name: string;
}

/** Part of `V1ResourceSliceSpec`. */
export interface V1Device {
  readonly allNodes?: boolean;
  readonly allowMultipleAllocations?: boolean;
  readonly attributes?: Readonly<Record<string, V1DeviceAttribute>>;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly bindsToNode?: boolean;
  readonly capacity?: Readonly<Record<string, V1DeviceCapacity>>;
  readonly consumesCounters?: readonly V1DeviceCounterConsumption[];
  readonly name: string;
  readonly nodeName?: string;
  readonly nodeSelector?: V1NodeSelector;
  readonly taints?: readonly V1DeviceTaint[];
}

/** Part of `V1DeviceAllocationResult`. */
export interface V1DeviceAllocationConfiguration {
  readonly opaque?: V1OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
  readonly source: string;
}

/** Part of `V1AllocationResult`. */
export interface V1DeviceAllocationResult {
  readonly config?: readonly V1DeviceAllocationConfiguration[];
  readonly results?: readonly V1DeviceRequestAllocationResult[];
}

/** Part of `V1Device`. */
export interface V1DeviceAttribute {
  readonly bool?: boolean;
  readonly int?: number;
  readonly string?: string;
  readonly version?: string;
}

/** Part of `V1Device`. */
export interface V1DeviceCapacity {
  readonly requestPolicy?: V1CapacityRequestPolicy;
  readonly value: string;
}

/** Part of `V1ResourceClaimSpec`. */
export interface V1DeviceClaim {
  readonly config?: readonly V1DeviceClaimConfiguration[];
  readonly constraints?: readonly V1DeviceConstraint[];
  readonly requests?: readonly V1DeviceRequest[];
}

/** Part of `V1DeviceClaim`. */
export interface V1DeviceClaimConfiguration {
  readonly opaque?: V1OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
}

/** An object of `deviceclasses.resource.k8s.io` in `resource.k8s.io/v1`. */
export interface V1DeviceClass {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1DeviceClassSpec;
}

/** Part of `V1DeviceClassSpec`. */
export interface V1DeviceClassConfiguration {
  readonly opaque?: V1OpaqueDeviceConfiguration;
}

/** A list of `V1DeviceClass`. */
export type V1DeviceClassList = KubernetesList<V1DeviceClass>;

/** Part of `V1DeviceClass`. */
export interface V1DeviceClassSpec {
  readonly config?: readonly V1DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
  readonly selectors?: readonly V1DeviceSelector[];
}

/** Part of `V1DeviceClaim`. */
export interface V1DeviceConstraint {
  readonly distinctAttribute?: string;
  readonly matchAttribute?: string;
  readonly requests?: readonly string[];
}

/** Part of `V1Device`. */
export interface V1DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, V1Counter>>;
}

/** Part of `V1DeviceClaim`. */
export interface V1DeviceRequest {
  readonly exactly?: V1ExactDeviceRequest;
  readonly firstAvailable?: readonly V1DeviceSubRequest[];
  readonly name: string;
}

/** Part of `V1DeviceAllocationResult`. */
export interface V1DeviceRequestAllocationResult {
  readonly adminAccess?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly consumedCapacity?: Readonly<Record<string, string>>;
  readonly device: string;
  readonly driver: string;
  readonly pool: string;
  readonly request: string;
  readonly shareID?: string;
  readonly tolerations?: readonly V1DeviceToleration[];
}

/** Part of `V1DeviceClassSpec`, `V1DeviceSubRequest`, `V1ExactDeviceRequest`. */
export interface V1DeviceSelector {
  readonly cel?: V1CELDeviceSelector;
}

/** Part of `V1DeviceRequest`. */
export interface V1DeviceSubRequest {
  readonly allocationMode?: string;
  readonly capacity?: V1CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly name: string;
  readonly selectors?: readonly V1DeviceSelector[];
  readonly tolerations?: readonly V1DeviceToleration[];
}

/** Part of `V1Device`. */
export interface V1DeviceTaint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string;
  readonly value?: string;
}

/** Part of `V1DeviceRequestAllocationResult`, `V1DeviceSubRequest`, `V1ExactDeviceRequest`. */
export interface V1DeviceToleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly tolerationSeconds?: number;
  readonly value?: string;
}

/** Part of `V1DeviceRequest`. */
export interface V1ExactDeviceRequest {
  readonly adminAccess?: boolean;
  readonly allocationMode?: string;
  readonly capacity?: V1CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly selectors?: readonly V1DeviceSelector[];
  readonly tolerations?: readonly V1DeviceToleration[];
}

/** Part of `V1AllocatedDeviceStatus`. */
export interface V1NetworkDeviceData {
  readonly hardwareAddress?: string;
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
}

/** Part of `V1DeviceAllocationConfiguration`, `V1DeviceClaimConfiguration`, `V1DeviceClassConfiguration`. */
export interface V1OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: unknown;
}

/** Part of `V1ResourceClaimStatus`. */
export interface V1ResourceClaimConsumerReference {
  readonly apiGroup?: string;
  readonly name: string;
  readonly resource: string;
  readonly uid: string;
}

/** A list of `ResourceV1ResourceClaim`. */
export type V1ResourceClaimList = KubernetesList<ResourceV1ResourceClaim>;

/** Part of `ResourceV1ResourceClaim`, `V1ResourceClaimTemplateSpec`. */
export interface V1ResourceClaimSpec {
  readonly devices?: V1DeviceClaim;
}

/** Part of `ResourceV1ResourceClaim`. */
export interface V1ResourceClaimStatus {
  readonly allocation?: V1AllocationResult;
  readonly devices?: readonly V1AllocatedDeviceStatus[];
  readonly reservedFor?: readonly V1ResourceClaimConsumerReference[];
}

/** An object of `resourceclaimtemplates.resource.k8s.io` in `resource.k8s.io/v1`. */
export interface V1ResourceClaimTemplate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1ResourceClaimTemplateSpec;
}

/** A list of `V1ResourceClaimTemplate`. */
export type V1ResourceClaimTemplateList = KubernetesList<V1ResourceClaimTemplate>;

/** Part of `V1ResourceClaimTemplate`. */
export interface V1ResourceClaimTemplateSpec {
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1ResourceClaimSpec;
}

/** Part of `V1ResourceSliceSpec`. */
export interface V1ResourcePool {
  readonly generation: number;
  readonly name: string;
  readonly resourceSliceCount: number;
}

/** An object of `resourceslices.resource.k8s.io` in `resource.k8s.io/v1`. */
export interface V1ResourceSlice {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1ResourceSliceSpec;
}

/** A list of `V1ResourceSlice`. */
export type V1ResourceSliceList = KubernetesList<V1ResourceSlice>;

/** Part of `V1ResourceSlice`. */
export interface V1ResourceSliceSpec {
  readonly allNodes?: boolean;
  readonly devices?: readonly V1Device[];
  readonly driver: string;
  readonly nodeName?: string;
  readonly nodeSelector?: V1NodeSelector;
  readonly perDeviceNodeSelection?: boolean;
  readonly pool: V1ResourcePool;
  readonly sharedCounters?: readonly V1CounterSet[];
}
