// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `V1PolicyRulesWithSubjects`. */
export interface FlowcontrolV1Subject {
  readonly group?: V1GroupSubject;
  readonly kind: string;
  readonly serviceAccount?: V1ServiceAccountSubject;
  readonly user?: V1UserSubject;
}

/** Part of `V1PriorityLevelConfigurationSpec`. */
export interface V1ExemptPriorityLevelConfiguration {
  readonly lendablePercent?: number;
  readonly nominalConcurrencyShares?: number;
}

/** Part of `V1FlowSchemaSpec`. */
export interface V1FlowDistinguisherMethod {
  readonly type: string;
}

/** An object of `flowschemas.flowcontrol.apiserver.k8s.io` in `flowcontrol.apiserver.k8s.io/v1`. */
export interface V1FlowSchema {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1FlowSchemaSpec;
  readonly status?: V1FlowSchemaStatus;
}

/** Part of `V1FlowSchemaStatus`. */
export interface V1FlowSchemaCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}

/** A list of `V1FlowSchema`. */
export type V1FlowSchemaList = KubernetesList<V1FlowSchema>;

/** Part of `V1FlowSchema`. */
export interface V1FlowSchemaSpec {
  readonly distinguisherMethod?: V1FlowDistinguisherMethod;
  readonly matchingPrecedence?: number;
  readonly priorityLevelConfiguration: V1PriorityLevelConfigurationReference;
  readonly rules?: readonly V1PolicyRulesWithSubjects[];
}

/** Part of `V1FlowSchema`. */
export interface V1FlowSchemaStatus {
  readonly conditions?: readonly V1FlowSchemaCondition[];
}

/** Part of `FlowcontrolV1Subject`. */
export interface V1GroupSubject {
  readonly name: string;
}

/** Part of `V1LimitedPriorityLevelConfiguration`. */
export interface V1LimitResponse {
  readonly queuing?: V1QueuingConfiguration;
  readonly type: string;
}

/** Part of `V1PriorityLevelConfigurationSpec`. */
export interface V1LimitedPriorityLevelConfiguration {
  readonly borrowingLimitPercent?: number;
  readonly lendablePercent?: number;
  readonly limitResponse?: V1LimitResponse;
  readonly nominalConcurrencyShares?: number;
}

/** Part of `V1PolicyRulesWithSubjects`. */
export interface V1NonResourcePolicyRule {
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}

/** Part of `V1FlowSchemaSpec`. */
export interface V1PolicyRulesWithSubjects {
  readonly nonResourceRules?: readonly V1NonResourcePolicyRule[];
  readonly resourceRules?: readonly V1ResourcePolicyRule[];
  readonly subjects: readonly FlowcontrolV1Subject[];
}

/** An object of `prioritylevelconfigurations.flowcontrol.apiserver.k8s.io` in `flowcontrol.apiserver.k8s.io/v1`. */
export interface V1PriorityLevelConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec?: V1PriorityLevelConfigurationSpec;
  readonly status?: V1PriorityLevelConfigurationStatus;
}

/** Part of `V1PriorityLevelConfigurationStatus`. */
export interface V1PriorityLevelConfigurationCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status?: string;
  readonly type?: string;
}

/** A list of `V1PriorityLevelConfiguration`. */
export type V1PriorityLevelConfigurationList = KubernetesList<V1PriorityLevelConfiguration>;

/** Part of `V1FlowSchemaSpec`. */
export interface V1PriorityLevelConfigurationReference {
  readonly name: string;
}

/** Part of `V1PriorityLevelConfiguration`. */
export interface V1PriorityLevelConfigurationSpec {
  readonly exempt?: V1ExemptPriorityLevelConfiguration;
  readonly limited?: V1LimitedPriorityLevelConfiguration;
  readonly type: string;
}

/** Part of `V1PriorityLevelConfiguration`. */
export interface V1PriorityLevelConfigurationStatus {
  readonly conditions?: readonly V1PriorityLevelConfigurationCondition[];
}

/** Part of `V1LimitResponse`. */
export interface V1QueuingConfiguration {
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
  readonly queues?: number;
}

/** Part of `V1PolicyRulesWithSubjects`. */
export interface V1ResourcePolicyRule {
  readonly apiGroups: readonly string[];
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Part of `FlowcontrolV1Subject`. */
export interface V1ServiceAccountSubject {
  readonly name: string;
  readonly namespace: string;
}

/** Part of `FlowcontrolV1Subject`. */
export interface V1UserSubject {
  readonly name: string;
}
