// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1NodeSelector } from './coreV1.js';
import type { V1Condition, V1ObjectMeta } from './metaV1.js';

/** Part of `V1beta2ResourceClaimStatus`. */
export interface V1beta2AllocatedDeviceStatus {
  readonly conditions?: readonly V1Condition[];
  readonly data?: unknown;
  readonly device: string;
  readonly driver: string;
  readonly networkData?: V1beta2NetworkDeviceData;
  readonly pool: string;
  readonly shareID?: string;
}

/** Part of `V1beta2ResourceClaimStatus`. */
export interface V1beta2AllocationResult {
  readonly allocationTimestamp?: string;
  readonly devices?: V1beta2DeviceAllocationResult;
  readonly nodeSelector?: V1NodeSelector;
}

/** Part of `V1beta2DeviceSelector`. */
export interface V1beta2CELDeviceSelector {
  readonly expression: string;
}

/** Part of `V1beta2DeviceCapacity`. */
export interface V1beta2CapacityRequestPolicy {
  readonly default?: string;
  readonly validRange?: V1beta2CapacityRequestPolicyRange;
  readonly validValues?: readonly string[];
}

/** Part of `V1beta2CapacityRequestPolicy`. */
export interface V1beta2CapacityRequestPolicyRange {
  readonly max?: string;
  readonly min: string;
  readonly step?: string;
}

/** Part of `V1beta2DeviceSubRequest`, `V1beta2ExactDeviceRequest`. */
export interface V1beta2CapacityRequirements {
  readonly requests?: Readonly<Record<string, string>>;
}

/** Part of `V1beta2CounterSet`, `V1beta2DeviceCounterConsumption`. */
export interface V1beta2Counter {
  readonly value: string;
}

/** Part of `V1beta2ResourceSliceSpec`. */
export interface V1beta2CounterSet {
  readonly counters: Readonly<Record<string, V1beta2Counter>>;
  readonly name: string;
}

/** Part of `V1beta2ResourceSliceSpec`. */
export interface V1beta2Device {
  readonly allNodes?: boolean;
  readonly allowMultipleAllocations?: boolean;
  readonly attributes?: Readonly<Record<string, V1beta2DeviceAttribute>>;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly bindsToNode?: boolean;
  readonly capacity?: Readonly<Record<string, V1beta2DeviceCapacity>>;
  readonly consumesCounters?: readonly V1beta2DeviceCounterConsumption[];
  readonly name: string;
  readonly nodeName?: string;
  readonly nodeSelector?: V1NodeSelector;
  readonly taints?: readonly V1beta2DeviceTaint[];
}

/** Part of `V1beta2DeviceAllocationResult`. */
export interface V1beta2DeviceAllocationConfiguration {
  readonly opaque?: V1beta2OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
  readonly source: string;
}

/** Part of `V1beta2AllocationResult`. */
export interface V1beta2DeviceAllocationResult {
  readonly config?: readonly V1beta2DeviceAllocationConfiguration[];
  readonly results?: readonly V1beta2DeviceRequestAllocationResult[];
}

/** Part of `V1beta2Device`. */
export interface V1beta2DeviceAttribute {
  readonly bool?: boolean;
  readonly int?: number;
  readonly string?: string;
  readonly version?: string;
}

/** Part of `V1beta2Device`. */
export interface V1beta2DeviceCapacity {
  readonly requestPolicy?: V1beta2CapacityRequestPolicy;
  readonly value: string;
}

/** Part of `V1beta2ResourceClaimSpec`. */
export interface V1beta2DeviceClaim {
  readonly config?: readonly V1beta2DeviceClaimConfiguration[];
  readonly constraints?: readonly V1beta2DeviceConstraint[];
  readonly requests?: readonly V1beta2DeviceRequest[];
}

/** Part of `V1beta2DeviceClaim`. */
export interface V1beta2DeviceClaimConfiguration {
  readonly opaque?: V1beta2OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
}

/** An object of `deviceclasses.resource.k8s.io` in `resource.k8s.io/v1beta2`. */
export interface V1beta2DeviceClass {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta2DeviceClassSpec;
}

/** Part of `V1beta2DeviceClassSpec`. */
export interface V1beta2DeviceClassConfiguration {
  readonly opaque?: V1beta2OpaqueDeviceConfiguration;
}

/** A list of `V1beta2DeviceClass`. */
export type V1beta2DeviceClassList = KubernetesList<V1beta2DeviceClass>;

/** Part of `V1beta2DeviceClass`. */
export interface V1beta2DeviceClassSpec {
  readonly config?: readonly V1beta2DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
  readonly selectors?: readonly V1beta2DeviceSelector[];
}

/** Part of `V1beta2DeviceClaim`. */
export interface V1beta2DeviceConstraint {
  readonly distinctAttribute?: string;
  readonly matchAttribute?: string;
  readonly requests?: readonly string[];
}

/** Part of `V1beta2Device`. */
export interface V1beta2DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, V1beta2Counter>>;
}

/** Part of `V1beta2DeviceClaim`. */
export interface V1beta2DeviceRequest {
  readonly exactly?: V1beta2ExactDeviceRequest;
  readonly firstAvailable?: readonly V1beta2DeviceSubRequest[];
  readonly name: string;
}

/** Part of `V1beta2DeviceAllocationResult`. */
export interface V1beta2DeviceRequestAllocationResult {
  readonly adminAccess?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly consumedCapacity?: Readonly<Record<string, string>>;
  readonly device: string;
  readonly driver: string;
  readonly pool: string;
  readonly request: string;
  readonly shareID?: string;
  readonly tolerations?: readonly V1beta2DeviceToleration[];
}

/** Part of `V1beta2DeviceClassSpec`, `V1beta2DeviceSubRequest`, `V1beta2ExactDeviceRequest`. */
export interface V1beta2DeviceSelector {
  readonly cel?: V1beta2CELDeviceSelector;
}

/** Part of `V1beta2DeviceRequest`. */
export interface V1beta2DeviceSubRequest {
  readonly allocationMode?: string;
  readonly capacity?: V1beta2CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly name: string;
  readonly selectors?: readonly V1beta2DeviceSelector[];
  readonly tolerations?: readonly V1beta2DeviceToleration[];
}

/** Part of `V1beta2Device`. */
export interface V1beta2DeviceTaint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string;
  readonly value?: string;
}

/** Part of `V1beta2DeviceRequestAllocationResult`, `V1beta2DeviceSubRequest`, `V1beta2ExactDeviceRequest`. */
export interface V1beta2DeviceToleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly tolerationSeconds?: number;
  readonly value?: string;
}

/** Part of `V1beta2DeviceRequest`. */
export interface V1beta2ExactDeviceRequest {
  readonly adminAccess?: boolean;
  readonly allocationMode?: string;
  readonly capacity?: V1beta2CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly selectors?: readonly V1beta2DeviceSelector[];
  readonly tolerations?: readonly V1beta2DeviceToleration[];
}

/** Part of `V1beta2AllocatedDeviceStatus`. */
export interface V1beta2NetworkDeviceData {
  readonly hardwareAddress?: string;
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
}

/** Part of `V1beta2DeviceAllocationConfiguration`, `V1beta2DeviceClaimConfiguration`, `V1beta2DeviceClassConfiguration`. */
export interface V1beta2OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: unknown;
}

/** An object of `resourceclaims.resource.k8s.io` in `resource.k8s.io/v1beta2`. */
export interface V1beta2ResourceClaim {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta2ResourceClaimSpec;
  readonly status?: V1beta2ResourceClaimStatus;
}

/** Part of `V1beta2ResourceClaimStatus`. */
export interface V1beta2ResourceClaimConsumerReference {
  readonly apiGroup?: string;
  readonly name: string;
  readonly resource: string;
  readonly uid: string;
}

/** A list of `V1beta2ResourceClaim`. */
export type V1beta2ResourceClaimList = KubernetesList<V1beta2ResourceClaim>;

/** Part of `V1beta2ResourceClaim`, `V1beta2ResourceClaimTemplateSpec`. */
export interface V1beta2ResourceClaimSpec {
  readonly devices?: V1beta2DeviceClaim;
}

/** Part of `V1beta2ResourceClaim`. */
export interface V1beta2ResourceClaimStatus {
  readonly allocation?: V1beta2AllocationResult;
  readonly devices?: readonly V1beta2AllocatedDeviceStatus[];
  readonly reservedFor?: readonly V1beta2ResourceClaimConsumerReference[];
}

/** An object of `resourceclaimtemplates.resource.k8s.io` in `resource.k8s.io/v1beta2`. */
export interface V1beta2ResourceClaimTemplate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta2ResourceClaimTemplateSpec;
}

/** A list of `V1beta2ResourceClaimTemplate`. */
export type V1beta2ResourceClaimTemplateList = KubernetesList<V1beta2ResourceClaimTemplate>;

/** Part of `V1beta2ResourceClaimTemplate`. */
export interface V1beta2ResourceClaimTemplateSpec {
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta2ResourceClaimSpec;
}

/** Part of `V1beta2ResourceSliceSpec`. */
export interface V1beta2ResourcePool {
  readonly generation: number;
  readonly name: string;
  readonly resourceSliceCount: number;
}

/** An object of `resourceslices.resource.k8s.io` in `resource.k8s.io/v1beta2`. */
export interface V1beta2ResourceSlice {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta2ResourceSliceSpec;
}

/** A list of `V1beta2ResourceSlice`. */
export type V1beta2ResourceSliceList = KubernetesList<V1beta2ResourceSlice>;

/** Part of `V1beta2ResourceSlice`. */
export interface V1beta2ResourceSliceSpec {
  readonly allNodes?: boolean;
  readonly devices?: readonly V1beta2Device[];
  readonly driver: string;
  readonly nodeName?: string;
  readonly nodeSelector?: V1NodeSelector;
  readonly perDeviceNodeSelection?: boolean;
  readonly pool: V1beta2ResourcePool;
  readonly sharedCounters?: readonly V1beta2CounterSet[];
}
