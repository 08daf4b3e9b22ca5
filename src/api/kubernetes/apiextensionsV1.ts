// Made by workshop/tools/generateCatalog.ts from @kubernetes/client-node 1.4.0, the API of Kubernetes 1.34.0. Do not edit.
import type { KubernetesList } from '../kubernetesObject.js';
import type { V1ObjectMeta } from './metaV1.js';

/** Part of `ApiextensionsV1WebhookClientConfig`. */
export interface ApiextensionsV1ServiceReference {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string;
  readonly port?: number;
}

/** Part of `V1WebhookConversion`. */
export interface ApiextensionsV1WebhookClientConfig {
  readonly caBundle?: string;
  readonly service?: ApiextensionsV1ServiceReference;
  readonly url?: string;
}

/** Part of `V1CustomResourceDefinitionVersion`. */
export interface V1CustomResourceColumnDefinition {
  readonly description?: string;
  readonly format?: string;
  readonly jsonPath: string;
  readonly name: string;
  readonly priority?: number;
  readonly type: string;
}

/** Part of `V1CustomResourceDefinitionSpec`. */
export interface V1CustomResourceConversion {
  readonly strategy: string;
  readonly webhook?: V1WebhookConversion;
}

/** An object of `customresourcedefinitions.apiextensions.k8s.io` in `apiextensions.k8s.io/v1`. */
export interface V1CustomResourceDefinition {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: V1ObjectMeta;
  readonly spec: V1CustomResourceDefinitionSpec;
  readonly status?: V1CustomResourceDefinitionStatus;
}

/** Part of `V1CustomResourceDefinitionStatus`. */
export interface V1CustomResourceDefinitionCondition {
  readonly lastTransitionTime?: string | null;
  readonly message?: string;
  readonly reason?: string;
  readonly status: string;
  readonly type: string;
}

/** A list of `V1CustomResourceDefinition`. */
export type V1CustomResourceDefinitionList = KubernetesList<V1CustomResourceDefinition>;

/** Part of `V1CustomResourceDefinitionSpec`, `V1CustomResourceDefinitionStatus`. */
export interface V1CustomResourceDefinitionNames {
  readonly categories?: readonly string[];
  readonly kind: string;
  readonly listKind?: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly singular?: string;
}

/** Part of `V1CustomResourceDefinition`. */
export interface V1CustomResourceDefinitionSpec {
  readonly conversion?: V1CustomResourceConversion;
  readonly group: string;
  readonly names: V1CustomResourceDefinitionNames;
  readonly preserveUnknownFields?: boolean;
  readonly scope: string;
  readonly versions: readonly V1CustomResourceDefinitionVersion[];
}

/** Part of `V1CustomResourceDefinition`. */
export interface V1CustomResourceDefinitionStatus {
  readonly acceptedNames?: V1CustomResourceDefinitionNames;
  readonly conditions?: readonly V1CustomResourceDefinitionCondition[] | null;
  readonly storedVersions?: readonly string[] | null;
}

/** Part of `V1CustomResourceDefinitionSpec`. */
export interface V1CustomResourceDefinitionVersion {
  readonly additionalPrinterColumns?: readonly V1CustomResourceColumnDefinition[];
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly name: string;
  readonly schema?: V1CustomResourceValidation;
  readonly selectableFields?: readonly V1SelectableField[];
  readonly served: boolean;
  readonly storage: boolean;
  readonly subresources?: V1CustomResourceSubresources;
}

/** Part of `V1CustomResourceSubresources`. */
export interface V1CustomResourceSubresourceScale {
  readonly labelSelectorPath?: string;
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
}

/** Part of `V1CustomResourceDefinitionVersion`. */
export interface V1CustomResourceSubresources {
  readonly scale?: V1CustomResourceSubresourceScale;
  readonly status?: unknown;
}

/** Part of `V1CustomResourceDefinitionVersion`. */
export interface V1CustomResourceValidation {
  readonly openAPIV3Schema?: V1JSONSchemaProps;
}

/** Part of `V1JSONSchemaProps`. */
export interface V1ExternalDocumentation {
  readonly description?: string;
  readonly url?: string;
}

/** Part of `V1CustomResourceValidation`. */
export interface V1JSONSchemaProps {
  readonly $ref?: string;
  readonly $schema?: string;
  readonly additionalItems?: boolean | V1JSONSchemaProps;
  readonly additionalProperties?: boolean | V1JSONSchemaProps;
  readonly allOf?: readonly V1JSONSchemaProps[];
  readonly anyOf?: readonly V1JSONSchemaProps[];
  readonly default?: unknown;
  readonly definitions?: Readonly<Record<string, V1JSONSchemaProps>>;
  readonly dependencies?: Readonly<Record<string, V1JSONSchemaProps | readonly string[]>>;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly exclusiveMaximum?: boolean;
  readonly exclusiveMinimum?: boolean;
  readonly externalDocs?: V1ExternalDocumentation;
  readonly format?: string;
  readonly id?: string;
  readonly items?: V1JSONSchemaProps | readonly V1JSONSchemaProps[];
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maxProperties?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minProperties?: number;
  readonly minimum?: number;
  readonly multipleOf?: number;
  readonly not?: V1JSONSchemaProps;
  readonly nullable?: boolean;
  readonly oneOf?: readonly V1JSONSchemaProps[];
  readonly pattern?: string;
  readonly patternProperties?: Readonly<Record<string, V1JSONSchemaProps>>;
  readonly properties?: Readonly<Record<string, V1JSONSchemaProps>>;
  readonly required?: readonly string[];
  readonly title?: string;
  readonly type?: string;
  readonly uniqueItems?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-validations'?: readonly V1ValidationRule[];
}

/** Part of `V1CustomResourceDefinitionVersion`. */
export interface V1SelectableField {
  readonly jsonPath: string;
}

/** Part of `V1JSONSchemaProps`. */
export interface V1ValidationRule {
  readonly fieldPath?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly optionalOldSelf?: boolean;
  readonly reason?: string;
  readonly rule: string;
}

/** Part of `V1CustomResourceConversion`. */
export interface V1WebhookConversion {
  readonly clientConfig?: ApiextensionsV1WebhookClientConfig;
  readonly conversionReviewVersions: readonly string[];
}
