// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1Condition, V1LabelSelector, V1ObjectMeta } from './metaV1.js';

/** Part of `V1EndpointSubset`. */
export interface CoreV1EndpointPort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
}

/** An object of `events` in `v1`. */
export interface CoreV1Event {
  readonly action?: string;
  readonly apiVersion?: string;
  readonly count?: number;
  readonly eventTime?: string | null;
  readonly firstTimestamp?: string | null;
  readonly involvedObject: V1ObjectReference;
  readonly kind?: string;
  readonly lastTimestamp?: string | null;
  readonly message?: string;
  readonly metadata: V1ObjectMeta;
  readonly reason?: string;
  readonly related?: V1ObjectReference;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly series?: CoreV1EventSeries;
  readonly source?: V1EventSource;
  readonly type?: string;
}

/** A list of `CoreV1Event`. */
export type CoreV1EventList = KubernetesList<CoreV1Event>;

/** Part of `CoreV1Event`. */
export interface CoreV1EventSeries {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
}

/** Part of `V1ResourceRequirements`. */
export interface CoreV1ResourceClaim {
  readonly name: string;
  readonly request?: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1AWSElasticBlockStoreVolumeSource {
  readonly fsType?: string;
  readonly partition?: number;
  readonly readOnly?: boolean;
  readonly volumeID: string;
}

/** Part of `V1PodSpec`. */
export interface V1Affinity {
  readonly nodeAffinity?: V1NodeAffinity;
  readonly podAffinity?: V1PodAffinity;
  readonly podAntiAffinity?: V1PodAntiAffinity;
}

/** Part of `V1PodSecurityContext`, `V1SecurityContext`. */
export interface V1AppArmorProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}

/** Part of `V1NodeStatus`. */
export interface V1AttachedVolume {
  readonly devicePath: string;
  readonly name: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1AzureDiskVolumeSource {
  readonly cachingMode?: string;
  readonly diskName: string;
  readonly diskURI: string;
  readonly fsType?: string;
  readonly kind?: string;
  readonly readOnly?: boolean;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1AzureFilePersistentVolumeSource {
  readonly readOnly?: boolean;
  readonly secretName: string;
  readonly secretNamespace?: string;
  readonly shareName: string;
}

/** Part of `V1Volume`. */
export interface V1AzureFileVolumeSource {
  readonly readOnly?: boolean;
  readonly secretName: string;
  readonly shareName: string;
}

/** An object of `bindings` in `v1`. */
export interface V1Binding {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly target: V1ObjectReference;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1CSIPersistentVolumeSource {
  readonly controllerExpandSecretRef?: V1SecretReference;
  readonly controllerPublishSecretRef?: V1SecretReference;
  readonly driver: string;
  readonly fsType?: string;
  readonly nodeExpandSecretRef?: V1SecretReference;
  readonly nodePublishSecretRef?: V1SecretReference;
  readonly nodeStageSecretRef?: V1SecretReference;
  readonly readOnly?: boolean;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
  readonly volumeHandle: string;
}

/** Part of `V1Volume`. */
export interface V1CSIVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly nodePublishSecretRef?: V1LocalObjectReference;
  readonly readOnly?: boolean;
  readonly volumeAttributes?: Readonly<Record<string, string>>;
}

/** Part of `V1SecurityContext`. */
export interface V1Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1CephFSPersistentVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string;
  readonly readOnly?: boolean;
  readonly secretFile?: string;
  readonly secretRef?: V1SecretReference;
  readonly user?: string;
}

/** Part of `V1Volume`. */
export interface V1CephFSVolumeSource {
  readonly monitors: readonly string[];
  readonly path?: string;
  readonly readOnly?: boolean;
  readonly secretFile?: string;
  readonly secretRef?: V1LocalObjectReference;
  readonly user?: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1CinderPersistentVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: V1SecretReference;
  readonly volumeID: string;
}

/** Part of `V1Volume`. */
export interface V1CinderVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: V1LocalObjectReference;
  readonly volumeID: string;
}

/** Part of `V1SessionAffinityConfig`. */
export interface V1ClientIPConfig {
  readonly timeoutSeconds?: number;
}

/** Part of `V1VolumeProjection`. */
export interface V1ClusterTrustBundleProjection {
  readonly labelSelector?: V1LabelSelector;
  readonly name?: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly signerName?: string;
}

/** Part of `V1ComponentStatus`. */
export interface V1ComponentCondition {
  readonly error?: string;
  readonly message?: string;
  readonly status: string;
  readonly type: string;
}

/** An object of `componentstatuses` in `v1`. */
export interface V1ComponentStatus {
  readonly apiVersion?: string;
  readonly conditions?: readonly V1ComponentCondition[];
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
}

/** A list of `V1ComponentStatus`. */
export type V1ComponentStatusList = KubernetesList<V1ComponentStatus>;

/** An object of `configmaps` in `v1`. */
export interface V1ConfigMap {
  readonly apiVersion?: string;
  readonly binaryData?: Readonly<Record<string, string>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
}

/** Part of `V1EnvFromSource`. */
export interface V1ConfigMapEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

/** Part of `V1EnvVarSource`. */
export interface V1ConfigMapKeySelector {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}

/** A list of `V1ConfigMap`. */
export type V1ConfigMapList = KubernetesList<V1ConfigMap>;

/** Part of `V1NodeConfigSource`. */
export interface V1ConfigMapNodeConfigSource {
  readonly kubeletConfigKey: string;
  readonly name: string;
  readonly namespace: string;
  readonly resourceVersion?: string;
  readonly uid?: string;
}

/** Part of `V1VolumeProjection`. */
export interface V1ConfigMapProjection {
  readonly items?: readonly V1KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/** Part of `V1Volume`. */
export interface V1ConfigMapVolumeSource {
  readonly defaultMode?: number;
  readonly items?: readonly V1KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/** Part of `V1PodSpec`. */
export interface V1Container {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly V1EnvVar[];
  readonly envFrom?: readonly V1EnvFromSource[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly lifecycle?: V1Lifecycle;
  readonly livenessProbe?: V1Probe;
  readonly name: string;
  readonly ports?: readonly V1ContainerPort[];
  readonly readinessProbe?: V1Probe;
  readonly resizePolicy?: readonly V1ContainerResizePolicy[];
  readonly resources?: V1ResourceRequirements;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly V1ContainerRestartRule[];
  readonly securityContext?: V1SecurityContext;
  readonly startupProbe?: V1Probe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  readonly volumeDevices?: readonly V1VolumeDevice[];
  readonly volumeMounts?: readonly V1VolumeMount[];
  readonly workingDir?: string;
}

/** Part of `V1PodExtendedResourceClaimStatus`. */
export interface V1ContainerExtendedResourceRequest {
  readonly containerName: string;
  readonly requestName: string;
  readonly resourceName: string;
}

/** Part of `V1NodeStatus`. */
export interface V1ContainerImage {
  readonly names?: readonly string[] | null;
  readonly sizeBytes?: number;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1ContainerPort {
  readonly containerPort: number;
  readonly hostIP?: string;
  readonly hostPort?: number;
  readonly name?: string;
  readonly protocol?: string;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1ContainerResizePolicy {
  readonly resourceName: string;
  readonly restartPolicy: string;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1ContainerRestartRule {
  readonly action: string;
  readonly exitCodes?: V1ContainerRestartRuleOnExitCodes;
}

/** Part of `V1ContainerRestartRule`. */
export interface V1ContainerRestartRuleOnExitCodes {
  readonly operator: string;
  readonly values?: readonly number[];
}

/** Part of `V1ContainerStatus`. */
export interface V1ContainerState {
  readonly running?: V1ContainerStateRunning;
  readonly terminated?: V1ContainerStateTerminated;
  readonly waiting?: V1ContainerStateWaiting;
}

/** Part of `V1ContainerState`. */
export interface V1ContainerStateRunning {
  readonly startedAt?: string | null;
}

/** Part of `V1ContainerState`. */
export interface V1ContainerStateTerminated {
  readonly containerID?: string;
  readonly exitCode: number;
  readonly finishedAt?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly signal?: number;
  readonly startedAt?: string | null;
}

/** Part of `V1ContainerState`. */
export interface V1ContainerStateWaiting {
  readonly message?: string;
  readonly reason?: string;
}

/** Part of `V1PodStatus`. */
export interface V1ContainerStatus {
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly allocatedResourcesStatus?: readonly V1ResourceStatus[];
  readonly containerID?: string;
  readonly image: string;
  readonly imageID: string;
  readonly lastState?: V1ContainerState;
  readonly name: string;
  readonly ready: boolean;
  readonly resources?: V1ResourceRequirements;
  readonly restartCount: number;
  readonly started?: boolean;
  readonly state?: V1ContainerState;
  readonly stopSignal?: string;
  readonly user?: V1ContainerUser;
  readonly volumeMounts?: readonly V1VolumeMountStatus[];
}

/** Part of `V1ContainerStatus`. */
export interface V1ContainerUser {
  readonly linux?: V1LinuxContainerUser;
}

/** Part of `V1NodeDaemonEndpoints`. */
export interface V1DaemonEndpoint {
  readonly Port: number;
}

/** Part of `V1VolumeProjection`. */
export interface V1DownwardAPIProjection {
  readonly items?: readonly V1DownwardAPIVolumeFile[];
}

/** Part of `V1DownwardAPIProjection`, `V1DownwardAPIVolumeSource`. */
export interface V1DownwardAPIVolumeFile {
  readonly fieldRef?: V1ObjectFieldSelector;
  readonly mode?: number;
  readonly path: string;
  readonly resourceFieldRef?: V1ResourceFieldSelector;
}

/** Part of `V1Volume`. */
export interface V1DownwardAPIVolumeSource {
  readonly defaultMode?: number;
  readonly items?: readonly V1DownwardAPIVolumeFile[];
}

/** Part of `V1Volume`. */
export interface V1EmptyDirVolumeSource {
  readonly medium?: string;
  readonly sizeLimit?: string;
}

/** Part of `V1EndpointSubset`. */
export interface V1EndpointAddress {
  readonly hostname?: string;
  readonly ip: string;
  readonly nodeName?: string;
  readonly targetRef?: V1ObjectReference;
}

/** Part of `V1Endpoints`. */
export interface V1EndpointSubset {
  readonly addresses?: readonly V1EndpointAddress[];
  readonly notReadyAddresses?: readonly V1EndpointAddress[];
  readonly ports?: readonly CoreV1EndpointPort[];
}

/** An object of `endpoints` in `v1`. */
export interface V1Endpoints {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly subsets?: readonly V1EndpointSubset[];
}

/** A list of `V1Endpoints`. */
export type V1EndpointsList = KubernetesList<V1Endpoints>;

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1EnvFromSource {
  readonly configMapRef?: V1ConfigMapEnvSource;
  readonly prefix?: string;
  readonly secretRef?: V1SecretEnvSource;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: V1EnvVarSource;
}

/** Part of `V1EnvVar`. */
export interface V1EnvVarSource {
  readonly configMapKeyRef?: V1ConfigMapKeySelector;
  readonly fieldRef?: V1ObjectFieldSelector;
  readonly fileKeyRef?: V1FileKeySelector;
  readonly resourceFieldRef?: V1ResourceFieldSelector;
  readonly secretKeyRef?: V1SecretKeySelector;
}

/** Part of `V1PodSpec`. */
export interface V1EphemeralContainer {
  readonly args?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: readonly V1EnvVar[];
  readonly envFrom?: readonly V1EnvFromSource[];
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly lifecycle?: V1Lifecycle;
  readonly livenessProbe?: V1Probe;
  readonly name: string;
  readonly ports?: readonly V1ContainerPort[];
  readonly readinessProbe?: V1Probe;
  readonly resizePolicy?: readonly V1ContainerResizePolicy[];
  readonly resources?: V1ResourceRequirements;
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly V1ContainerRestartRule[];
  readonly securityContext?: V1SecurityContext;
  readonly startupProbe?: V1Probe;
  readonly stdin?: boolean;
  readonly stdinOnce?: boolean;
  readonly targetContainerName?: string;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly tty?: boolean;
  readonly volumeDevices?: readonly V1VolumeDevice[];
  readonly volumeMounts?: readonly V1VolumeMount[];
  readonly workingDir?: string;
}

/** Part of `V1Volume`. */
export interface V1EphemeralVolumeSource {
  readonly volumeClaimTemplate?: V1PersistentVolumeClaimTemplate;
}

/** Part of `CoreV1Event`, `EventsV1Event`. */
export interface V1EventSource {
  readonly component?: string;
  readonly host?: string;
}

/** Part of `V1LifecycleHandler`, `V1Probe`. */
export interface V1ExecAction {
  readonly command?: readonly string[];
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1FCVolumeSource {
  readonly fsType?: string;
  readonly lun?: number;
  readonly readOnly?: boolean;
  readonly targetWWNs?: readonly string[];
  readonly wwids?: readonly string[];
}

/** Part of `V1EnvVarSource`. */
export interface V1FileKeySelector {
  readonly key: string;
  readonly optional?: boolean;
  readonly path: string;
  readonly volumeName: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1FlexPersistentVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly readOnly?: boolean;
  readonly secretRef?: V1SecretReference;
}

/** Part of `V1Volume`. */
export interface V1FlexVolumeSource {
  readonly driver: string;
  readonly fsType?: string;
  readonly options?: Readonly<Record<string, string>>;
  readonly readOnly?: boolean;
  readonly secretRef?: V1LocalObjectReference;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1FlockerVolumeSource {
  readonly datasetName?: string;
  readonly datasetUUID?: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1GCEPersistentDiskVolumeSource {
  readonly fsType?: string;
  readonly partition?: number;
  readonly pdName: string;
  readonly readOnly?: boolean;
}

/** Part of `V1Probe`. */
export interface V1GRPCAction {
  readonly port: number;
  readonly service?: string;
}

/** Part of `V1Volume`. */
export interface V1GitRepoVolumeSource {
  readonly directory?: string;
  readonly repository: string;
  readonly revision?: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1GlusterfsPersistentVolumeSource {
  readonly endpoints: string;
  readonly endpointsNamespace?: string;
  readonly path: string;
  readonly readOnly?: boolean;
}

/** Part of `V1Volume`. */
export interface V1GlusterfsVolumeSource {
  readonly endpoints: string;
  readonly path: string;
  readonly readOnly?: boolean;
}

/** Part of `V1LifecycleHandler`, `V1Probe`. */
export interface V1HTTPGetAction {
  readonly host?: string;
  readonly httpHeaders?: readonly V1HTTPHeader[];
  readonly path?: string;
  readonly port: number | string;
  readonly scheme?: string;
}

/** Part of `V1HTTPGetAction`. */
export interface V1HTTPHeader {
  readonly name: string;
  readonly value: string;
}

/** Part of `V1PodSpec`. */
export interface V1HostAlias {
  readonly hostnames?: readonly string[];
  readonly ip: string;
}

/** Part of `V1PodStatus`. */
export interface V1HostIP {
  readonly ip: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1HostPathVolumeSource {
  readonly path: string;
  readonly type?: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1ISCSIPersistentVolumeSource {
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly fsType?: string;
  readonly initiatorName?: string;
  readonly iqn: string;
  readonly iscsiInterface?: string;
  readonly lun: number;
  readonly portals?: readonly string[];
  readonly readOnly?: boolean;
  readonly secretRef?: V1SecretReference;
  readonly targetPortal: string;
}

/** Part of `V1Volume`. */
export interface V1ISCSIVolumeSource {
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly fsType?: string;
  readonly initiatorName?: string;
  readonly iqn: string;
  readonly iscsiInterface?: string;
  readonly lun: number;
  readonly portals?: readonly string[];
  readonly readOnly?: boolean;
  readonly secretRef?: V1LocalObjectReference;
  readonly targetPortal: string;
}

/** Part of `V1Volume`. */
export interface V1ImageVolumeSource {
  readonly pullPolicy?: string;
  readonly reference?: string;
}

/** Part of `V1ConfigMapProjection`, `V1ConfigMapVolumeSource`, `V1SecretProjection` and others. */
export interface V1KeyToPath {
  readonly key: string;
  readonly mode?: number;
  readonly path: string;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1Lifecycle {
  readonly postStart?: V1LifecycleHandler;
  readonly preStop?: V1LifecycleHandler;
  readonly stopSignal?: string;
}

/** Part of `V1Lifecycle`. */
export interface V1LifecycleHandler {
  readonly exec?: V1ExecAction;
  readonly httpGet?: V1HTTPGetAction;
  readonly sleep?: V1SleepAction;
  readonly tcpSocket?: V1TCPSocketAction;
}

/** An object of `limitranges` in `v1`. */
export interface V1LimitRange {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1LimitRangeSpec;
}

/** Part of `V1LimitRangeSpec`. */
export interface V1LimitRangeItem {
  readonly default?: Readonly<Record<string, string>>;
  readonly defaultRequest?: Readonly<Record<string, string>>;
  readonly max?: Readonly<Record<string, string>>;
  readonly maxLimitRequestRatio?: Readonly<Record<string, string>>;
  readonly min?: Readonly<Record<string, string>>;
  readonly type: string;
}

/** A list of `V1LimitRange`. */
export type V1LimitRangeList = KubernetesList<V1LimitRange>;

/** Part of `V1LimitRange`. */
export interface V1LimitRangeSpec {
  readonly limits: readonly V1LimitRangeItem[];
}

/** Part of `V1ContainerUser`. */
export interface V1LinuxContainerUser {
  readonly gid: number;
  readonly supplementalGroups?: readonly number[];
  readonly uid: number;
}

/** Part of `V1LoadBalancerStatus`. */
export interface V1LoadBalancerIngress {
  readonly hostname?: string;
  readonly ip?: string;
  readonly ipMode?: string;
  readonly ports?: readonly V1PortStatus[];
}

/** Part of `V1ServiceStatus`. */
export interface V1LoadBalancerStatus {
  readonly ingress?: readonly V1LoadBalancerIngress[];
}

/** Part of `V1CSIVolumeSource`, `V1CephFSVolumeSource`, `V1CinderVolumeSource` and others. */
export interface V1LocalObjectReference {
  readonly name?: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1LocalVolumeSource {
  readonly fsType?: string;
  readonly path: string;
}

/** Part of `V1PersistentVolumeClaimStatus`. */
export interface V1ModifyVolumeStatus {
  readonly status: string;
  readonly targetVolumeAttributesClassName?: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1NFSVolumeSource {
  readonly path: string;
  readonly readOnly?: boolean;
  readonly server: string;
}

/** An object of `namespaces` in `v1`. */
export interface V1Namespace {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1NamespaceSpec;
  readonly status?: V1NamespaceStatus;
}

/** Part of `V1NamespaceStatus`. */
export interface V1NamespaceCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1Namespace`. */
export type V1NamespaceList = KubernetesList<V1Namespace>;

/** Part of `V1Namespace`. */
export interface V1NamespaceSpec {
  readonly finalizers?: readonly string[];
}

/** Part of `V1Namespace`. */
export interface V1NamespaceStatus {
  readonly conditions?: readonly V1NamespaceCondition[];
  readonly phase?: string;
}

/** An object of `nodes` in `v1`. */
export interface V1Node {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1NodeSpec;
  readonly status?: V1NodeStatus;
}

/** Part of `V1NodeStatus`. */
export interface V1NodeAddress {
  readonly address: string;
  readonly type: string;
}

/** Part of `V1Affinity`. */
export interface V1NodeAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly V1PreferredSchedulingTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: V1NodeSelector;
}

/** Part of `V1NodeStatus`. */
export interface V1NodeCondition {
  readonly lastHeartbeatTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** Part of `V1NodeConfigStatus`, `V1NodeSpec`. */
export interface V1NodeConfigSource {
  readonly configMap?: V1ConfigMapNodeConfigSource;
}

/** Part of `V1NodeStatus`. */
export interface V1NodeConfigStatus {
  readonly active?: V1NodeConfigSource;
  readonly assigned?: V1NodeConfigSource;
  readonly error?: string;
  readonly lastKnownGood?: V1NodeConfigSource;
}

/** Part of `V1NodeStatus`. */
export interface V1NodeDaemonEndpoints {
  readonly kubeletEndpoint?: V1DaemonEndpoint;
}

/** Part of `V1NodeStatus`. */
export interface V1NodeFeatures {
  readonly supplementalGroupsPolicy?: boolean;
}

/** A list of `V1Node`. */
export type V1NodeList = KubernetesList<V1Node>;

/** Part of `V1NodeStatus`. */
export interface V1NodeRuntimeHandler {
  readonly features?: V1NodeRuntimeHandlerFeatures;
  readonly name?: string;
}

/** Part of `V1NodeRuntimeHandler`. */
export interface V1NodeRuntimeHandlerFeatures {
  readonly recursiveReadOnlyMounts?: boolean;
  readonly userNamespaces?: boolean;
}

/** Part of `V1AllocationResult`, `V1Device`, `V1NodeAffinity` and others. */
export interface V1NodeSelector {
  readonly nodeSelectorTerms: readonly V1NodeSelectorTerm[];
}

/** Part of `V1NodeSelectorTerm`. */
export interface V1NodeSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** Part of `V1NodeSelector`, `V1PreferredSchedulingTerm`. */
export interface V1NodeSelectorTerm {
  readonly matchExpressions?: readonly V1NodeSelectorRequirement[];
  readonly matchFields?: readonly V1NodeSelectorRequirement[];
}

/** Part of `V1Node`. */
export interface V1NodeSpec {
  readonly configSource?: V1NodeConfigSource;
  readonly externalID?: string;
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly providerID?: string;
  readonly taints?: readonly V1Taint[];
  readonly unschedulable?: boolean;
}

/** Part of `V1Node`. */
export interface V1NodeStatus {
  readonly addresses?: readonly V1NodeAddress[];
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly conditions?: readonly V1NodeCondition[];
  readonly config?: V1NodeConfigStatus;
  readonly daemonEndpoints?: V1NodeDaemonEndpoints;
  readonly features?: V1NodeFeatures;
  readonly images?: readonly V1ContainerImage[];
  readonly nodeInfo?: V1NodeSystemInfo;
  readonly phase?: string;
  readonly runtimeHandlers?: readonly V1NodeRuntimeHandler[];
  readonly volumesAttached?: readonly V1AttachedVolume[];
  readonly volumesInUse?: readonly string[];
}

/** Part of `V1NodeSystemInfo`. */
export interface V1NodeSwapStatus {
  readonly capacity?: number;
}

/** Part of `V1NodeStatus`. */
export interface V1NodeSystemInfo {
  readonly architecture: string;
  readonly bootID: string;
  readonly containerRuntimeVersion: string;
  readonly kernelVersion: string;
  readonly kubeProxyVersion: string;
  readonly kubeletVersion: string;
  readonly machineID: string;
  readonly operatingSystem: string;
  readonly osImage: string;
  readonly swap?: V1NodeSwapStatus;
  readonly systemUUID: string;
}

/** Part of `V1DownwardAPIVolumeFile`, `V1EnvVarSource`. */
export interface V1ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath: string;
}

/** Part of `CoreV1Event`, `EventsV1Event`, `V1Binding` and others. */
export interface V1ObjectReference {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly resourceVersion?: string;
  readonly uid?: string;
}

/** An object of `persistentvolumes` in `v1`. */
export interface V1PersistentVolume {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1PersistentVolumeSpec;
  readonly status?: V1PersistentVolumeStatus;
}

/** An object of `persistentvolumeclaims` in `v1`. */
export interface V1PersistentVolumeClaim {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1PersistentVolumeClaimSpec;
  readonly status?: V1PersistentVolumeClaimStatus;
}

/** Part of `V1PersistentVolumeClaimStatus`. */
export interface V1PersistentVolumeClaimCondition {
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1PersistentVolumeClaim`. */
export type V1PersistentVolumeClaimList = KubernetesList<V1PersistentVolumeClaim>;

/** Part of `V1PersistentVolumeClaim`, `V1PersistentVolumeClaimTemplate`. */
export interface V1PersistentVolumeClaimSpec {
  readonly accessModes?: readonly string[];
  readonly dataSource?: V1TypedLocalObjectReference;
  readonly dataSourceRef?: V1TypedObjectReference;
  readonly resources?: V1VolumeResourceRequirements;
  readonly selector?: V1LabelSelector;
  readonly storageClassName?: string;
  readonly volumeAttributesClassName?: string;
  readonly volumeMode?: string;
  readonly volumeName?: string;
}

/** Part of `V1PersistentVolumeClaim`. */
export interface V1PersistentVolumeClaimStatus {
  readonly accessModes?: readonly string[];
  readonly allocatedResourceStatuses?: Readonly<Record<string, string>>;
  readonly allocatedResources?: Readonly<Record<string, string>>;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly conditions?: readonly V1PersistentVolumeClaimCondition[];
  readonly currentVolumeAttributesClassName?: string;
  readonly modifyVolumeStatus?: V1ModifyVolumeStatus;
  readonly phase?: string;
}

/** Part of `V1EphemeralVolumeSource`. */
export interface V1PersistentVolumeClaimTemplate {
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1PersistentVolumeClaimSpec;
}

/** Part of `V1Volume`. */
export interface V1PersistentVolumeClaimVolumeSource {
  readonly claimName: string;
  readonly readOnly?: boolean;
}

/** A list of `V1PersistentVolume`. */
export type V1PersistentVolumeList = KubernetesList<V1PersistentVolume>;

/** Part of `V1PersistentVolume`, `V1VolumeAttachmentSource`. */
export interface V1PersistentVolumeSpec {
  readonly accessModes?: readonly string[];
  readonly awsElasticBlockStore?: V1AWSElasticBlockStoreVolumeSource;
  readonly azureDisk?: V1AzureDiskVolumeSource;
  readonly azureFile?: V1AzureFilePersistentVolumeSource;
  readonly capacity?: Readonly<Record<string, string>>;
  readonly cephfs?: V1CephFSPersistentVolumeSource;
  readonly cinder?: V1CinderPersistentVolumeSource;
  readonly claimRef?: V1ObjectReference;
  readonly csi?: V1CSIPersistentVolumeSource;
  readonly fc?: V1FCVolumeSource;
  readonly flexVolume?: V1FlexPersistentVolumeSource;
  readonly flocker?: V1FlockerVolumeSource;
  readonly gcePersistentDisk?: V1GCEPersistentDiskVolumeSource;
  readonly glusterfs?: V1GlusterfsPersistentVolumeSource;
  readonly hostPath?: V1HostPathVolumeSource;
  readonly iscsi?: V1ISCSIPersistentVolumeSource;
  readonly local?: V1LocalVolumeSource;
  readonly mountOptions?: readonly string[];
  readonly nfs?: V1NFSVolumeSource;
  readonly nodeAffinity?: V1VolumeNodeAffinity;
  readonly persistentVolumeReclaimPolicy?: string;
  readonly photonPersistentDisk?: V1PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: V1PortworxVolumeSource;
  readonly quobyte?: V1QuobyteVolumeSource;
  readonly rbd?: V1RBDPersistentVolumeSource;
  readonly scaleIO?: V1ScaleIOPersistentVolumeSource;
  readonly storageClassName?: string;
  readonly storageos?: V1StorageOSPersistentVolumeSource;
  readonly volumeAttributesClassName?: string;
  readonly volumeMode?: string;
  readonly vsphereVolume?: V1VsphereVirtualDiskVolumeSource;
}

/** Part of `V1PersistentVolume`. */
export interface V1PersistentVolumeStatus {
  readonly lastPhaseTransitionTime?: string;
  readonly message?: string;
  readonly phase?: string;
  readonly reason?: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1PhotonPersistentDiskVolumeSource {
  readonly fsType?: string;
  readonly pdID: string;
}

/** An object of `pods` in `v1`. */
export interface V1Pod {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1PodSpec;
  readonly status?: V1PodStatus;
}

/** Part of `V1Affinity`. */
export interface V1PodAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly V1WeightedPodAffinityTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly V1PodAffinityTerm[];
}

/** Part of `V1PodAffinity`, `V1PodAntiAffinity`, `V1WeightedPodAffinityTerm`. */
export interface V1PodAffinityTerm {
  readonly labelSelector?: V1LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly namespaceSelector?: V1LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey: string;
}

/** Part of `V1Affinity`. */
export interface V1PodAntiAffinity {
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly V1WeightedPodAffinityTerm[];
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly V1PodAffinityTerm[];
}

/** Part of `V1VolumeProjection`. */
export interface V1PodCertificateProjection {
  readonly certificateChainPath?: string;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly keyType: string;
  readonly maxExpirationSeconds?: number;
  readonly signerName: string;
}

/** Part of `V1PodStatus`. */
export interface V1PodCondition {
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** Part of `V1PodSpec`. */
export interface V1PodDNSConfig {
  readonly nameservers?: readonly string[];
  readonly options?: readonly V1PodDNSConfigOption[];
  readonly searches?: readonly string[];
}

/** Part of `V1PodDNSConfig`. */
export interface V1PodDNSConfigOption {
  readonly name?: string;
  readonly value?: string;
}

/** Part of `V1PodStatus`. */
export interface V1PodExtendedResourceClaimStatus {
  readonly requestMappings: readonly V1ContainerExtendedResourceRequest[];
  readonly resourceClaimName: string;
}

/** Part of `V1PodStatus`. */
export interface V1PodIP {
  readonly ip: string;
}

/** A list of `V1Pod`. */
export type V1PodList = KubernetesList<V1Pod>;

/** Part of `V1PodSpec`. */
export interface V1PodOS {
  readonly name: string;
}

/** Part of `V1PodSpec`. */
export interface V1PodReadinessGate {
  readonly conditionType: string;
}

/** Part of `V1PodSpec`. */
export interface V1PodResourceClaim {
  readonly name: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** Part of `V1PodStatus`. */
export interface V1PodResourceClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string;
}

/** Part of `V1PodSpec`. */
export interface V1PodSchedulingGate {
  readonly name: string;
}

/** Part of `V1PodSpec`. */
export interface V1PodSecurityContext {
  readonly appArmorProfile?: V1AppArmorProfile;
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: string;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxChangePolicy?: string;
  readonly seLinuxOptions?: V1SELinuxOptions;
  readonly seccompProfile?: V1SeccompProfile;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly sysctls?: readonly V1Sysctl[];
  readonly windowsOptions?: V1WindowsSecurityContextOptions;
}

/** Part of `V1Pod`, `V1PodTemplateSpec`. */
export interface V1PodSpec {
  readonly activeDeadlineSeconds?: number;
  readonly affinity?: V1Affinity;
  readonly automountServiceAccountToken?: boolean;
  readonly containers: readonly V1Container[];
  readonly dnsConfig?: V1PodDNSConfig;
  readonly dnsPolicy?: string;
  readonly enableServiceLinks?: boolean;
  readonly ephemeralContainers?: readonly V1EphemeralContainer[];
  readonly hostAliases?: readonly V1HostAlias[];
  readonly hostIPC?: boolean;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostUsers?: boolean;
  readonly hostname?: string;
  readonly hostnameOverride?: string;
  readonly imagePullSecrets?: readonly V1LocalObjectReference[];
  readonly initContainers?: readonly V1Container[];
  readonly nodeName?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly os?: V1PodOS;
  readonly overhead?: Readonly<Record<string, string>>;
  readonly preemptionPolicy?: string;
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly readinessGates?: readonly V1PodReadinessGate[];
  readonly resourceClaims?: readonly V1PodResourceClaim[];
  readonly resources?: V1ResourceRequirements;
  readonly restartPolicy?: string;
  readonly runtimeClassName?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly V1PodSchedulingGate[];
  readonly securityContext?: V1PodSecurityContext;
  readonly serviceAccount?: string;
  readonly serviceAccountName?: string;
  readonly setHostnameAsFQDN?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly subdomain?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly tolerations?: readonly V1Toleration[];
  readonly topologySpreadConstraints?: readonly V1TopologySpreadConstraint[];
  readonly volumes?: readonly V1Volume[];
}

/** Part of `V1Pod`. */
export interface V1PodStatus {
  readonly conditions?: readonly V1PodCondition[];
  readonly containerStatuses?: readonly V1ContainerStatus[];
  readonly ephemeralContainerStatuses?: readonly V1ContainerStatus[];
  readonly extendedResourceClaimStatus?: V1PodExtendedResourceClaimStatus;
  readonly hostIP?: string;
  readonly hostIPs?: readonly V1HostIP[];
  readonly initContainerStatuses?: readonly V1ContainerStatus[];
  readonly message?: string;
  readonly nominatedNodeName?: string;
  readonly observedGeneration?: number;
  readonly phase?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly V1PodIP[];
  readonly qosClass?: string;
  readonly reason?: string;
  readonly resize?: string;
  readonly resourceClaimStatuses?: readonly V1PodResourceClaimStatus[];
  readonly startTime?: string;
}

/** An object of `podtemplates` in `v1`. */
export interface V1PodTemplate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly template?: V1PodTemplateSpec;
}

/** A list of `V1PodTemplate`. */
export type V1PodTemplateList = KubernetesList<V1PodTemplate>;

/** Part of `V1DaemonSetSpec`, `V1DeploymentSpec`, `V1JobSpec` and others. */
export interface V1PodTemplateSpec {
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1PodSpec;
}

/** Part of `V1LoadBalancerIngress`. */
export interface V1PortStatus {
  readonly error?: string;
  readonly port: number;
  readonly protocol: string;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1PortworxVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly volumeID: string;
}

/** Part of `V1NodeAffinity`. */
export interface V1PreferredSchedulingTerm {
  readonly preference: V1NodeSelectorTerm;
  readonly weight: number;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1Probe {
  readonly exec?: V1ExecAction;
  readonly failureThreshold?: number;
  readonly grpc?: V1GRPCAction;
  readonly httpGet?: V1HTTPGetAction;
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly tcpSocket?: V1TCPSocketAction;
  readonly terminationGracePeriodSeconds?: number;
  readonly timeoutSeconds?: number;
}

/** Part of `V1Volume`. */
export interface V1ProjectedVolumeSource {
  readonly defaultMode?: number;
  readonly sources?: readonly V1VolumeProjection[];
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1QuobyteVolumeSource {
  readonly group?: string;
  readonly readOnly?: boolean;
  readonly registry: string;
  readonly tenant?: string;
  readonly user?: string;
  readonly volume: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1RBDPersistentVolumeSource {
  readonly fsType?: string;
  readonly image: string;
  readonly keyring?: string;
  readonly monitors: readonly string[];
  readonly pool?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: V1SecretReference;
  readonly user?: string;
}

/** Part of `V1Volume`. */
export interface V1RBDVolumeSource {
  readonly fsType?: string;
  readonly image: string;
  readonly keyring?: string;
  readonly monitors: readonly string[];
  readonly pool?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: V1LocalObjectReference;
  readonly user?: string;
}

/** An object of `replicationcontrollers` in `v1`. */
export interface V1ReplicationController {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ReplicationControllerSpec;
  readonly status?: V1ReplicationControllerStatus;
}

/** Part of `V1ReplicationControllerStatus`. */
export interface V1ReplicationControllerCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1ReplicationController`. */
export type V1ReplicationControllerList = KubernetesList<V1ReplicationController>;

/** Part of `V1ReplicationController`. */
export interface V1ReplicationControllerSpec {
  readonly minReadySeconds?: number;
  readonly replicas?: number;
  readonly selector?: Readonly<Record<string, string>>;
  readonly template?: V1PodTemplateSpec;
}

/** Part of `V1ReplicationController`. */
export interface V1ReplicationControllerStatus {
  readonly availableReplicas?: number;
  readonly conditions?: readonly V1ReplicationControllerCondition[];
  readonly fullyLabeledReplicas?: number;
  readonly observedGeneration?: number;
  readonly readyReplicas?: number;
  readonly replicas: number;
}

/** Part of `V1DownwardAPIVolumeFile`, `V1EnvVarSource`. */
export interface V1ResourceFieldSelector {
  readonly containerName?: string;
  readonly divisor?: string;
  readonly resource: string;
}

/** Part of `V1ResourceStatus`. */
export interface V1ResourceHealth {
  readonly health?: string;
  readonly resourceID: string;
}

/** An object of `resourcequotas` in `v1`. */
export interface V1ResourceQuota {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ResourceQuotaSpec;
  readonly status?: V1ResourceQuotaStatus;
}

/** A list of `V1ResourceQuota`. */
export type V1ResourceQuotaList = KubernetesList<V1ResourceQuota>;

/** Part of `V1ResourceQuota`. */
export interface V1ResourceQuotaSpec {
  readonly hard?: Readonly<Record<string, string>>;
  readonly scopeSelector?: V1ScopeSelector;
  readonly scopes?: readonly string[];
}

/** Part of `V1ResourceQuota`. */
export interface V1ResourceQuotaStatus {
  readonly hard?: Readonly<Record<string, string>>;
  readonly used?: Readonly<Record<string, string>>;
}

/** Part of `V1Container`, `V1ContainerStatus`, `V1EphemeralContainer` and others. */
export interface V1ResourceRequirements {
  readonly claims?: readonly CoreV1ResourceClaim[];
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}

/** Part of `V1ContainerStatus`. */
export interface V1ResourceStatus {
  readonly name: string;
  readonly resources?: readonly V1ResourceHealth[];
}

/** Part of `V1PodSecurityContext`, `V1SecurityContext`. */
export interface V1SELinuxOptions {
  readonly level?: string;
  readonly role?: string;
  readonly type?: string;
  readonly user?: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1ScaleIOPersistentVolumeSource {
  readonly fsType?: string;
  readonly gateway: string;
  readonly protectionDomain?: string;
  readonly readOnly?: boolean;
  readonly secretRef: V1SecretReference;
  readonly sslEnabled?: boolean;
  readonly storageMode?: string;
  readonly storagePool?: string;
  readonly system: string;
  readonly volumeName?: string;
}

/** Part of `V1Volume`. */
export interface V1ScaleIOVolumeSource {
  readonly fsType?: string;
  readonly gateway: string;
  readonly protectionDomain?: string;
  readonly readOnly?: boolean;
  readonly secretRef: V1LocalObjectReference;
  readonly sslEnabled?: boolean;
  readonly storageMode?: string;
  readonly storagePool?: string;
  readonly system: string;
  readonly volumeName?: string;
}

/** Part of `V1ResourceQuotaSpec`. */
export interface V1ScopeSelector {
  readonly matchExpressions?: readonly V1ScopedResourceSelectorRequirement[];
}

/** Part of `V1ScopeSelector`. */
export interface V1ScopedResourceSelectorRequirement {
  readonly operator: string;
  readonly scopeName: string;
  readonly values?: readonly string[];
}

/** Part of `V1PodSecurityContext`, `V1SecurityContext`. */
export interface V1SeccompProfile {
  readonly localhostProfile?: string;
  readonly type: string;
}

/** An object of `secrets` in `v1`. */
export interface V1Secret {
  readonly apiVersion?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly type?: string;
}

/** Part of `V1EnvFromSource`. */
export interface V1SecretEnvSource {
  readonly name?: string;
  readonly optional?: boolean;
}

/** Part of `V1EnvVarSource`. */
export interface V1SecretKeySelector {
  readonly key: string;
  readonly name?: string;
  readonly optional?: boolean;
}

/** A list of `V1Secret`. */
export type V1SecretList = KubernetesList<V1Secret>;

/** Part of `V1VolumeProjection`. */
export interface V1SecretProjection {
  readonly items?: readonly V1KeyToPath[];
  readonly name?: string;
  readonly optional?: boolean;
}

/** Part of `V1CSIPersistentVolumeSource`, `V1CephFSPersistentVolumeSource`, `V1CinderPersistentVolumeSource` and others. */
export interface V1SecretReference {
  readonly name?: string;
  readonly namespace?: string;
}

/** Part of `V1Volume`. */
export interface V1SecretVolumeSource {
  readonly defaultMode?: number;
  readonly items?: readonly V1KeyToPath[];
  readonly optional?: boolean;
  readonly secretName?: string;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly appArmorProfile?: V1AppArmorProfile;
  readonly capabilities?: V1Capabilities;
  readonly privileged?: boolean;
  readonly procMount?: string;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seLinuxOptions?: V1SELinuxOptions;
  readonly seccompProfile?: V1SeccompProfile;
  readonly windowsOptions?: V1WindowsSecurityContextOptions;
}

/** An object of `services` in `v1`. */
export interface V1Service {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1ServiceSpec;
  readonly status?: V1ServiceStatus;
}

/** An object of `serviceaccounts` in `v1`. */
export interface V1ServiceAccount {
  readonly apiVersion?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly imagePullSecrets?: readonly V1LocalObjectReference[];
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly secrets?: readonly V1ObjectReference[];
}

/** A list of `V1ServiceAccount`. */
export type V1ServiceAccountList = KubernetesList<V1ServiceAccount>;

/** Part of `V1VolumeProjection`. */
export interface V1ServiceAccountTokenProjection {
  readonly audience?: string;
  readonly expirationSeconds?: number;
  readonly path: string;
}

/** A list of `V1Service`. */
export type V1ServiceList = KubernetesList<V1Service>;

/** Part of `V1ServiceSpec`. */
export interface V1ServicePort {
  readonly appProtocol?: string;
  readonly name?: string;
  readonly nodePort?: number;
  readonly port: number;
  readonly protocol?: string;
  readonly targetPort?: number | string;
}

/** Part of `V1Service`. */
export interface V1ServiceSpec {
  readonly allocateLoadBalancerNodePorts?: boolean;
  readonly clusterIP?: string;
  readonly clusterIPs?: readonly string[];
  readonly externalIPs?: readonly string[];
  readonly externalName?: string;
  readonly externalTrafficPolicy?: string;
  readonly healthCheckNodePort?: number;
  readonly internalTrafficPolicy?: string;
  readonly ipFamilies?: readonly string[];
  readonly ipFamilyPolicy?: string;
  readonly loadBalancerClass?: string;
  readonly loadBalancerIP?: string;
  readonly loadBalancerSourceRanges?: readonly string[];
  readonly ports?: readonly V1ServicePort[];
  readonly publishNotReadyAddresses?: boolean;
  readonly selector?: Readonly<Record<string, string>>;
  readonly sessionAffinity?: string;
  readonly sessionAffinityConfig?: V1SessionAffinityConfig;
  readonly trafficDistribution?: string;
  readonly type?: string;
}

/** Part of `V1Service`. */
export interface V1ServiceStatus {
  readonly conditions?: readonly V1Condition[];
  readonly loadBalancer?: V1LoadBalancerStatus;
}

/** Part of `V1ServiceSpec`. */
export interface V1SessionAffinityConfig {
  readonly clientIP?: V1ClientIPConfig;
}

/** Part of `V1LifecycleHandler`. */
export interface V1SleepAction {
  readonly seconds: number;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1StorageOSPersistentVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: V1ObjectReference;
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
}

/** Part of `V1Volume`. */
export interface V1StorageOSVolumeSource {
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly secretRef?: V1LocalObjectReference;
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
}

/** Part of `V1PodSecurityContext`. */
export interface V1Sysctl {
  readonly name: string;
  readonly value: string;
}

/** Part of `V1LifecycleHandler`, `V1Probe`. */
export interface V1TCPSocketAction {
  readonly host?: string;
  readonly port: number | string;
}

/** Part of `V1NodeSpec`. */
export interface V1Taint {
  readonly effect: string;
  readonly key: string;
  readonly timeAdded?: string;
  readonly value?: string;
}

/** Part of `V1PodSpec`, `V1Scheduling`. */
export interface V1Toleration {
  readonly effect?: string;
  readonly key?: string;
  readonly operator?: string;
  readonly tolerationSeconds?: number;
  readonly value?: string;
}

/** Part of `V1PodSpec`. */
export interface V1TopologySpreadConstraint {
  readonly labelSelector?: V1LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly maxSkew: number;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
}

/** Part of `V1IngressBackend`, `V1PersistentVolumeClaimSpec`. */
export interface V1TypedLocalObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** Part of `V1PersistentVolumeClaimSpec`. */
export interface V1TypedObjectReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

/** Part of `V1PodSpec`. */
export interface V1Volume {
  readonly awsElasticBlockStore?: V1AWSElasticBlockStoreVolumeSource;
  readonly azureDisk?: V1AzureDiskVolumeSource;
  readonly azureFile?: V1AzureFileVolumeSource;
  readonly cephfs?: V1CephFSVolumeSource;
  readonly cinder?: V1CinderVolumeSource;
  readonly configMap?: V1ConfigMapVolumeSource;
  readonly csi?: V1CSIVolumeSource;
  readonly downwardAPI?: V1DownwardAPIVolumeSource;
  readonly emptyDir?: V1EmptyDirVolumeSource;
  readonly ephemeral?: V1EphemeralVolumeSource;
  readonly fc?: V1FCVolumeSource;
  readonly flexVolume?: V1FlexVolumeSource;
  readonly flocker?: V1FlockerVolumeSource;
  readonly gcePersistentDisk?: V1GCEPersistentDiskVolumeSource;
  readonly gitRepo?: V1GitRepoVolumeSource;
  readonly glusterfs?: V1GlusterfsVolumeSource;
  readonly hostPath?: V1HostPathVolumeSource;
  readonly image?: V1ImageVolumeSource;
  readonly iscsi?: V1ISCSIVolumeSource;
  readonly name: string;
  readonly nfs?: V1NFSVolumeSource;
  readonly persistentVolumeClaim?: V1PersistentVolumeClaimVolumeSource;
  readonly photonPersistentDisk?: V1PhotonPersistentDiskVolumeSource;
  readonly portworxVolume?: V1PortworxVolumeSource;
  readonly projected?: V1ProjectedVolumeSource;
  readonly quobyte?: V1QuobyteVolumeSource;
  readonly rbd?: V1RBDVolumeSource;
  readonly scaleIO?: V1ScaleIOVolumeSource;
  readonly secret?: V1SecretVolumeSource;
  readonly storageos?: V1StorageOSVolumeSource;
  readonly vsphereVolume?: V1VsphereVirtualDiskVolumeSource;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1VolumeDevice {
  readonly devicePath: string;
  readonly name: string;
}

/** Part of `V1Container`, `V1EphemeralContainer`. */
export interface V1VolumeMount {
  readonly mountPath: string;
  readonly mountPropagation?: string;
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly subPath?: string;
  readonly subPathExpr?: string;
}

/** Part of `V1ContainerStatus`. */
export interface V1VolumeMountStatus {
  readonly mountPath: string;
  readonly name: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
}

/** Part of `V1PersistentVolumeSpec`. */
export interface V1VolumeNodeAffinity {
  readonly required?: V1NodeSelector;
}

/** Part of `V1ProjectedVolumeSource`. */
export interface V1VolumeProjection {
  readonly clusterTrustBundle?: V1ClusterTrustBundleProjection;
  readonly configMap?: V1ConfigMapProjection;
  readonly downwardAPI?: V1DownwardAPIProjection;
  readonly podCertificate?: V1PodCertificateProjection;
  readonly secret?: V1SecretProjection;
  readonly serviceAccountToken?: V1ServiceAccountTokenProjection;
}

/** Part of `V1PersistentVolumeClaimSpec`. */
export interface V1VolumeResourceRequirements {
  readonly limits?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, string>>;
}

/** Part of `V1PersistentVolumeSpec`, `V1Volume`. */
export interface V1VsphereVirtualDiskVolumeSource {
  readonly fsType?: string;
  readonly storagePolicyID?: string;
  readonly storagePolicyName?: string;
  readonly volumePath: string;
}

/** Part of `V1PodAffinity`, `V1PodAntiAffinity`. */
export interface V1WeightedPodAffinityTerm {
  readonly podAffinityTerm: V1PodAffinityTerm;
  readonly weight: number;
}

/** Part of `V1PodSecurityContext`, `V1SecurityContext`. */
export interface V1WindowsSecurityContextOptions {
  readonly gmsaCredentialSpec?: string;
  readonly gmsaCredentialSpecName?: string;
  readonly hostProcess?: boolean;
  readonly runAsUserName?: string;
}
