// Facts about the models of @kubernetes/client-node that cannot be derived from them. Written by hand.

/** The groups of kinds that are found only under a resource of another group. */
export const homesOfSubresourceKinds: Readonly<Record<string, string>> = {
  AuthenticationV1TokenRequest: 'authentication.k8s.io/v1',
  V1Eviction: 'policy/v1',
  V1Scale: 'autoscaling/v1',
};

/** The models of meta/v1 and of `/version`. */
export const metaModels: readonly string[] = [
  'V1APIGroup',
  'V1APIGroupList',
  'V1APIResource',
  'V1APIResourceList',
  'V1APIVersions',
  'V1Condition',
  'V1DeleteOptions',
  'V1FieldSelectorRequirement',
  'V1GroupVersionForDiscovery',
  'V1LabelSelector',
  'V1LabelSelectorRequirement',
  'V1ListMeta',
  'V1ManagedFieldsEntry',
  'V1ObjectMeta',
  'V1OwnerReference',
  'V1Preconditions',
  'V1ServerAddressByClientCIDR',
  'V1Status',
  'V1StatusCause',
  'V1StatusDetails',
  'VersionInfo',
];

/** Models that src/api has under another name, with the file. */
export const handWritten: Readonly<Record<string, { readonly name: string; readonly file: string }>> = {
  V1LabelSelector: { name: 'LabelSelectorObject', file: 'selectors' },
  V1ListMeta: { name: 'ListMeta', file: 'kubernetesObject' },
  V1ManagedFieldsEntry: { name: 'ManagedFieldsEntry', file: 'kubernetesObject' },
  V1ObjectMeta: { name: 'ObjectMeta', file: 'kubernetesObject' },
  V1OwnerReference: { name: 'OwnerReference', file: 'kubernetesObject' },
  V1Status: { name: 'Status', file: 'errors/apiError' },
  V1StatusCause: { name: 'StatusCause', file: 'errors/apiError' },
  V1StatusDetails: { name: 'StatusDetails', file: 'errors/apiError' },
};

/** Types of fields that are `any` in client-node, but have a schema in the API. */
export const closerTypes: Readonly<Record<string, string>> = {
  'V1JSONSchemaProps.additionalItems': 'boolean | V1JSONSchemaProps',
  'V1JSONSchemaProps.additionalProperties': 'boolean | V1JSONSchemaProps',
  'V1JSONSchemaProps.dependencies': 'Readonly<Record<string, V1JSONSchemaProps | readonly string[]>>',
  'V1JSONSchemaProps.items': 'V1JSONSchemaProps | readonly V1JSONSchemaProps[]',
};

/** Fields that API servers may send as `null`: unset times that are not pointers in Go, and empty lists that are never omitted. */
export const nullableFields: Readonly<Record<string, readonly string[]>> = {
  CoreV1Event: ['eventTime', 'firstTimestamp', 'lastTimestamp'],
  CoreV1EventSeries: ['lastObservedTime'],
  EventsV1Event: ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'eventTime'],
  V1APIServiceCondition: ['lastTransitionTime'],
  V1CertificateSigningRequestCondition: ['lastTransitionTime', 'lastUpdateTime'],
  V1ClusterRole: ['rules'],
  V1ContainerImage: ['names'],
  V1ContainerStateRunning: ['startedAt'],
  V1ContainerStateTerminated: ['finishedAt', 'startedAt'],
  V1CustomResourceDefinitionCondition: ['lastTransitionTime'],
  V1CustomResourceDefinitionStatus: ['conditions', 'storedVersions'],
  V1DaemonSetCondition: ['lastTransitionTime'],
  V1DeploymentCondition: ['lastTransitionTime', 'lastUpdateTime'],
  V1EndpointSlice: ['endpoints', 'ports'],
  V1FlowSchemaCondition: ['lastTransitionTime'],
  V1JobCondition: ['lastProbeTime', 'lastTransitionTime'],
  V1NamespaceCondition: ['lastTransitionTime'],
  V1NodeCondition: ['lastHeartbeatTime', 'lastTransitionTime'],
  V1PersistentVolumeClaimCondition: ['lastProbeTime', 'lastTransitionTime'],
  V1PodCondition: ['lastProbeTime', 'lastTransitionTime'],
  V1PriorityLevelConfigurationCondition: ['lastTransitionTime'],
  V1ReplicaSetCondition: ['lastTransitionTime'],
  V1ReplicationControllerCondition: ['lastTransitionTime'],
  V1Role: ['rules'],
  V1StatefulSetCondition: ['lastTransitionTime'],
  V1SubjectRulesReviewStatus: ['nonResourceRules', 'resourceRules'],
  V1VolumeError: ['time'],
  V1alpha1MigrationCondition: ['lastUpdateTime'],
  V1alpha1StorageVersionCondition: ['lastTransitionTime'],
  V2HorizontalPodAutoscalerCondition: ['lastTransitionTime'],
  V2HorizontalPodAutoscalerStatus: ['currentMetrics'],
};
