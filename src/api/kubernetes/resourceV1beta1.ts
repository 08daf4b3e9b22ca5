// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1NodeSelector } from './coreV1.js';
import type { V1Condition, V1ObjectMeta } from './metaV1.js';

/** Part of `V1beta1ResourceClaimStatus`. */
export interface V1beta1AllocatedDeviceStatus {
  readonly conditions?: readonly V1Condition[];
  readonly data?: unknown;
  readonly device: string;
  readonly driver: string;
  readonly networkData?: V1beta1NetworkDeviceData;
  readonly pool: string;
  readonly shareID?: string;
}

/** Part of `V1beta1ResourceClaimStatus`. */
export interface V1beta1AllocationResult {
  readonly allocationTimestamp?: string;
  readonly devices?: V1beta1DeviceAllocationResult;
  readonly nodeSelector?: V1NodeSelector;
}

/** Part of `V1beta1Device`. */
export interface V1beta1BasicDevice {
  readonly allNodes?: boolean;
  readonly allowMultipleAllocations?: boolean;
  readonly attributes?: Readonly<Record<string, V1beta1DeviceAttribute>>;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly bindsToNode?: boolean;
  readonly capacity?: Readonly<Record<string, V1beta1DeviceCapacity>>;
  readonly consumesCounters?: readonly V1beta1DeviceCounterConsumption[];
  readonly nodeName?: string;
  readonly nodeSelector?: V1NodeSelector;
  readonly taints?: readonly V1beta1DeviceTaint[];
}

/** Part of `V1beta1DeviceSelector`. */
export interface V1beta1CELDeviceSelector {
  readonly expression: string;
}

/** Part of `V1beta1DeviceCapacity`. */
export interface V1beta1CapacityRequestPolicy {
  readonly default?: string;
  readonly validRange?: V1beta1CapacityRequestPolicyRange;
  readonly validValues?: readonly string[];
}

/** Part of `V1beta1CapacityRequestPolicy`. */
export interface V1beta1CapacityRequestPolicyRange {
  readonly max?: string;
  readonly min: string;
  readonly step?: string;
}

/** Part of `V1beta1DeviceRequest`, `V1beta1DeviceSubRequest`. */
export interface V1beta1CapacityRequirements {
  readonly requests?: Readonly<Record<string, string>>;
}

/** Part of `V1beta1CounterSet`, `V1beta1DeviceCounterConsumption`. */
export interface V1beta1Counter {
  readonly value: string;
}

/** Part of `V1beta1ResourceSliceSpec`. */
export interface V1beta1CounterSet {
  readonly counters: Readonly<Record<string, V1beta1Counter>>;
  readonly name: string;
}

/** Part of `V1beta1ResourceSliceSpec`. */
export interface V1beta1Device {
  readonly basic?: V1beta1BasicDevice;
  readonly name: string;
}

/** Part of `V1beta1DeviceAllocationResult`. */
export interface V1beta1DeviceAllocationConfiguration {
  readonly opaque?: V1beta1OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
  readonly source: string;
}

/** Part of `V1beta1AllocationResult`. */
export interface V1beta1DeviceAllocationResult {
  readonly config?: readonly V1beta1DeviceAllocationConfiguration[];
  readonly results?: readonly V1beta1DeviceRequestAllocationResult[];
}

/** Part of `V1beta1BasicDevice`. */
export interface V1beta1DeviceAttribute {
  readonly bool?: boolean;
  readonly int?: number;
  readonly string?: string;
  readonly version?: string;
}

/** Part of `V1beta1BasicDevice`. */
export interface V1beta1DeviceCapacity {
  readonly requestPolicy?: V1beta1CapacityRequestPolicy;
  readonly value: string;
}

/** Part of `V1beta1ResourceClaimSpec`. */
export interface V1beta1DeviceClaim {
  readonly config?: readonly V1beta1DeviceClaimConfiguration[];
  readonly constraints?: readonly V1beta1DeviceConstraint[];
  readonly requests?: readonly V1beta1DeviceRequest[];
}

/** Part of `V1beta1DeviceClaim`. */
export interface V1beta1DeviceClaimConfiguration {
  readonly opaque?: V1beta1OpaqueDeviceConfiguration;
  readonly requests?: readonly string[];
}

/** An object of `deviceclasses.resource.k8s.io` in `resource.k8s.io/v1beta1`. */
export interface V1beta1DeviceClass {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta1DeviceClassSpec;
}

/** Part of `V1beta1DeviceClassSpec`. */
export interface V1beta1DeviceClassConfiguration {
  readonly opaque?: V1beta1OpaqueDeviceConfiguration;
}

/** A list of `V1beta1DeviceClass`. */
export type V1beta1DeviceClassList = KubernetesList<V1beta1DeviceClass>;

/** Part of `V1beta1DeviceClass`. */
export interface V1beta1DeviceClassSpec {
  readonly config?: readonly V1beta1DeviceClassConfiguration[];
  readonly extendedResourceName?: string;
  readonly selectors?: readonly V1beta1DeviceSelector[];
}

/** Part of `V1beta1DeviceClaim`. */
export interface V1beta1DeviceConstraint {
  readonly distinctAttribute?: string;
  readonly matchAttribute?: string;
  readonly requests?: readonly string[];
}

/** Part of `V1beta1BasicDevice`. */
export interface V1beta1DeviceCounterConsumption {
  readonly counterSet: string;
  readonly counters: Readonly<Record<string, V1beta1Counter>>;
}

/** Part of `V1beta1DeviceClaim`. */
export interface V1beta1DeviceRequest {
  readonly adminAccess?: boolean;
  readonly allocationMode?: string;
  readonly capacity?: V1beta1CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName?: string;
  readonly firstAvailable?: readonly V1beta1DeviceSubRequest[];
  readonly name: string;
  readonly selectors?: readonly V1beta1DeviceSelector[];
  readonly tolerations?: readonly V1beta1DeviceToleration[];
}

/** Part of `V1beta1DeviceAllocationResult`. */
export interface V1beta1DeviceRequestAllocationResult {
  readonly adminAccess?: boolean;
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly consumedCapacity?: Readonly<Record<string, string>>;
  readonly device: string;
  readonly driver: string;
  readonly pool: string;
  readonly request: string;
  readonly shareID?: string;
  readonly tolerations?: readonly V1beta1DeviceToleration[];
}

/** Part of `V1beta1DeviceClassSpec`, `V1beta1DeviceRequest`, `V1beta1DeviceSubRequest`. */
export interface V1beta1DeviceSelector {
  readonly cel?: V1beta1CELDeviceSelector;
}

/** Part of `V1beta1DeviceRequest`. */
export interface V1beta1DeviceSubRequest {
  readonly allocationMode?: string;
  readonly capacity?: V1beta1CapacityRequirements;
  readonly count?: number;
  readonly deviceClassName: string;
  readonly name: string;
  readonly selectors?: readonly V1beta1DeviceSelector[];
  readonly tolerations?: readonly V1beta1DeviceToleration[];
}

/** Part of `V1beta1BasicDevice`. */
export interface V1beta1DeviceTaint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string;
  readonly value?: string;
}

/** Part of `V1beta1DeviceRequest`, `V1beta1DeviceRequestAllocationResult`, `V1beta1DeviceSubRequest`. */
export interface V1beta1DeviceToleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly tolerationSeconds?: number;
  readonly value?: string;
}

/** Part of `V1beta1AllocatedDeviceStatus`. */
export interface V1beta1NetworkDeviceData {
  readonly hardwareAddress?: string;
  readonly interfaceName?: string;
  readonly ips?: readonly string[];
}

/** Part of `V1beta1DeviceAllocationConfiguration`, `V1beta1DeviceClaimConfiguration`, `V1beta1DeviceClassConfiguration`. */
export interface V1beta1OpaqueDeviceConfiguration {
  readonly driver: string;
  readonly parameters: unknown;
}

/** An object of `resourceclaims.resource.k8s.io` in `resource.k8s.io/v1beta1`. */
export interface V1beta1ResourceClaim {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta1ResourceClaimSpec;
  readonly status?: V1beta1ResourceClaimStatus;
}

/** Part of `V1beta1ResourceClaimStatus`. */
export interface V1beta1ResourceClaimConsumerReference {
  readonly apiGroup?: string;
  readonly name: string;
  readonly resource: string;
  readonly uid: string;
}

/** A list of `V1beta1ResourceClaim`. */
export type V1beta1ResourceClaimList = KubernetesList<V1beta1ResourceClaim>;

/** Part of `V1beta1ResourceClaim`, `V1beta1ResourceClaimTemplateSpec`. */
export interface V1beta1ResourceClaimSpec {
  readonly devices?: V1beta1DeviceClaim;
}

/** Part of `V1beta1ResourceClaim`. */
export interface V1beta1ResourceClaimStatus {
  readonly allocation?: V1beta1AllocationResult;
  readonly devices?: readonly V1beta1AllocatedDeviceStatus[];
  readonly reservedFor?: readonly V1beta1ResourceClaimConsumerReference[];
}

/** An object of `resourceclaimtemplates.resource.k8s.io` in `resource.k8s.io/v1beta1`. */
export interface V1beta1ResourceClaimTemplate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta1ResourceClaimTemplateSpec;
}

/** A list of `V1beta1ResourceClaimTemplate`. */
export type V1beta1ResourceClaimTemplateList = KubernetesList<V1beta1ResourceClaimTemplate>;

/** Part of `V1beta1ResourceClaimTemplate`. */
export interface V1beta1ResourceClaimTemplateSpec {
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta1ResourceClaimSpec;
}

/** Part of `V1beta1ResourceSliceSpec`. */
export interface V1beta1ResourcePool {
  readonly generation: number;
  readonly name: string;
  readonly resourceSliceCount: number;
}

/** An object of `resourceslices.resource.k8s.io` in `resource.k8s.io/v1beta1`. */
export interface V1beta1ResourceSlice {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1beta1ResourceSliceSpec;
}

/** A list of `V1beta1ResourceSlice`. */
export type V1beta1ResourceSliceList = KubernetesList<V1beta1ResourceSlice>;

/** Part of `V1beta1ResourceSlice`. */
export interface V1beta1ResourceSliceSpec {
  readonly allNodes?: boolean;
  readonly devices?: readonly V1beta1Device[];
  readonly driver: string;
  readonly nodeName?: string;
  readonly nodeSelector?: V1NodeSelector;
  readonly perDeviceNodeSelection?: boolean;
  readonly pool: V1beta1ResourcePool;
  readonly sharedCounters?: readonly V1beta1CounterSet[];
}
