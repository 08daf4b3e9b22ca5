import {
  customResource,
  type KubernetesObject,
  type Resource,
  type V1CustomResourceColumnDefinition,
  type V1CustomResourceConversion,
  type V1CustomResourceDefinition,
  type V1CustomResourceDefinitionVersion,
  type V1CustomResourceSubresourceScale,
  type V1JSONSchemaProps,
} from 'rx-informer';
import {
  asJsonObject,
  atRoot,
  checkOptions,
  columnErrors,
  definedOf,
  extensionErrors,
  type FieldError,
  isJsonObject,
  type JsonObject,
  partsOf,
  placeErrors,
  pluralOf,
  rootErrors,
  rules,
  selectableErrors,
  structuralErrors,
  subresourceErrors,
  type Surroundings,
} from 'rx-informer/internal';
import { goPatternProblem } from './goPattern.js';
import { type InputOf, readSchema, type ResourceSchema } from './schemaSource.js';
import { structuralSchemaOf } from './structuralSchema.js';

/** Everything read-only, as objects of a cache are. */
export type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Field in keyof T]: Frozen<T[Field]> }
    : T;

/** The objects of a resource: `ObjectOf<typeof websites>`. */
export type ObjectOf<R> = R extends { readonly objectType?: infer T } ? NonNullable<T> : never;

/** The objects of a defined version. */
export type VersionObject<V> = V extends { readonly schema: infer S } ? KubernetesObject & Frozen<InputOf<S>> : never;

/** A printer column of kubectl. */
export interface DefinedColumn extends Omit<V1CustomResourceColumnDefinition, 'type'> {
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
}

/** One version of a defined resource. */
export interface DefinedVersion<S extends ResourceSchema = ResourceSchema> {
  /**
   * The schema of its objects: a schema of an object with `spec`, `status` and whatever else they have, without `metadata`. `.meta` of zod passes on keywords of
   * Kubernetes, such as `x-kubernetes-validations` and `x-kubernetes-list-type`.
   */
  readonly schema: S;
  /** Whether it is served. @defaultValue true */
  readonly served?: boolean | undefined;
  /** Whether objects are stored in it. @defaultValue true for the first version, unless another one is */
  readonly storage?: boolean | undefined;
  /** Warns users of it, with this text or with the server's. @defaultValue false */
  readonly deprecated?: boolean | string | undefined;
  /** The columns of kubectl beside the name. @defaultValue the age */
  readonly columns?: readonly DefinedColumn[] | undefined;
  /** Whether the status is a subresource. @defaultValue whether the schema has a `status` */
  readonly status?: boolean | undefined;
  /** The paths of the scale subresource. @defaultValue none */
  readonly scale?: V1CustomResourceSubresourceScale | undefined;
  /** The fields for field selectors, as paths such as `.spec.host`. @defaultValue none */
  readonly selectableFields?: readonly string[] | undefined;
}

/** What `defineResource` makes a resource of. */
export interface ResourceDefinition<V extends Readonly<Record<string, DefinedVersion>>> {
  /** The API group, such as `example.com`. */
  readonly group: string;
  /** The kind, such as `WebSite`. */
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /** The versions, the stored one first. */
  readonly versions: V;
  /** @defaultValue the usual plural of the kind */
  readonly plural?: string | undefined;
  /** @defaultValue the kind in lower case */
  readonly singular?: string | undefined;
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  /** How objects are converted between versions; `webhookManifests` sets it for a `convert`. @defaultValue none: only the apiVersion changes */
  readonly conversion?: V1CustomResourceConversion | undefined;
}

/** The stored version, where the types say which one it is. */
type StoredOf<V> = { readonly [Name in keyof V]: V[Name] extends { readonly storage: true } ? V[Name] : never }[keyof V];

/** A resource with its definition: the Resource of its stored version, usable wherever one is. */
export type DefinedResource<V extends Readonly<Record<string, DefinedVersion>>> = Resource<
  VersionObject<[StoredOf<V>] extends [never] ? V[keyof V] : StoredOf<V>>
> & {
  /** Each version as a Resource. */
  readonly versions: { readonly [Name in keyof V]: Resource<VersionObject<V[Name]>> };
  /** The CustomResourceDefinition, to be created or applied. `rx-informer types --from` prints it as YAML. */
  readonly definition: V1CustomResourceDefinition;
};

function* placesErrors(schema: JsonObject, path: string, above: Surroundings): Generator<FieldError, void, undefined> {
  yield* placeErrors(schema, path, above);
  for (const [part, place, surroundings] of partsOf(schema, path, above)) yield* placesErrors(part, place, surroundings);
  yield* extensionErrors(schema, path);
}

/** The errors that an API server would report, beside those of rules in CEL and of default values. */
function* versionErrors(version: JsonObject, schema: JsonObject, path: string): Generator<FieldError, void, undefined> {
  const { subresources, additionalPrinterColumns = [], selectableFields = [] } = version;
  const hasStatus = (subresources as JsonObject | undefined)?.['status'] !== undefined;
  const schemaPath = `${path}.schema`;
  yield* rootErrors(schema, schemaPath, hasStatus);
  yield* structuralErrors(schema, schemaPath, goPatternProblem);
  yield* placesErrors(schema, schemaPath, atRoot);
  yield* subresourceErrors(subresources, path);
  for (const [at, column] of (additionalPrinterColumns as readonly JsonObject[]).entries())
    yield* columnErrors(column, `${path}.columns[${at}]`);
  yield* selectableErrors(selectableFields as readonly JsonObject[], schema, `${path}.selectableFields`);
}

function versionOf(name: string, defined: DefinedVersion, isFirst: boolean): V1CustomResourceDefinitionVersion {
  const path = `versions.${name}`;
  checkOptions(path, defined, {
    schema: rules.required({ ...rules.object, holds: (value) => value !== null && ['object', 'function'].includes(typeof value) }),
    ...{ served: rules.boolean, storage: rules.boolean, deprecated: rules.either(rules.boolean, rules.nonEmptyString) },
    ...{ columns: rules.listOf(rules.object, 'columns'), status: rules.boolean, scale: rules.object },
    selectableFields: rules.listOf(rules.string, 'paths'),
  });
  const { deprecated = false, columns, scale, selectableFields } = defined;
  const schema = structuralSchemaOf(readSchema(defined.schema, `${path}.schema`), `${path}.schema`);
  const { status = asJsonObject(schema['properties'])['status'] !== undefined } = defined;
  const subresources = { ...(status && { status: {} }), ...(scale !== undefined && { scale }) };
  const version = {
    name,
    served: defined.served ?? true,
    storage: defined.storage ?? isFirst,
    ...(deprecated !== false && { deprecated: true }),
    ...(typeof deprecated === 'string' && { deprecationWarning: deprecated }),
    ...(columns !== undefined && { additionalPrinterColumns: columns }),
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(selectableFields !== undefined && { selectableFields: selectableFields.map((jsonPath) => ({ jsonPath })) }),
    schema: { openAPIV3Schema: schema as V1JSONSchemaProps },
  };
  const errors = [...versionErrors(version as unknown as JsonObject, schema, path)];
  if (errors.length > 0)
    throw new TypeError(`An API server would refuse it: ${errors.map(({ field, message }) => `${field}: ${message}`).join('; ')}`);
  return version;
}

/**
 * Defines a custom resource by schemas: gives the typed Resource, and the CustomResourceDefinition for the API server, of one text.
 *
 * A schema is one of zod, or of any library that implements Standard JSON Schema; `jsonSchema` takes any other JSON Schema. It is brought into the form that
 * definitions have (one type for each value, references inlined, unions and maps in their words), and refused with its path where that is not possible, or where an
 * API server would refuse it. Rules in CEL are checked by the API server alone; keys of maps become such rules, and their cost needs limits of the lists and maps around
 * them (`.max`, `maxProperties`). What a schema does in the program (refinements, transformations) stays there.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { defineResource } from '@rx-informer/controller';
 * import * as z from 'zod';
 *
 * const shops = defineResource({
 *   group: 'example.com',
 *   kind: 'Shop',
 *   scope: 'Namespaced',
 *   versions: {
 *     v1: {
 *       schema: z.object({
 *         spec: z.object({ host: z.string().min(1), replicas: z.int().min(0).default(1) }),
 *         status: z.object({ readyReplicas: z.int() }).optional(),
 *       }),
 *       columns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
 *     },
 *   },
 * });
 * const client = createClient();
 * await client.create(resources.apiextensions.v1.customresourcedefinitions, shops.definition);
 * createInformer(client, shops).resource$.subscribe((event) => {
 *   if (event.type === 'added') console.log(event.object.spec.host);
 * });
 * ```
 *
 * @throws TypeError when a name, an option or a schema is wrong.
 */
export function defineResource<const V extends Readonly<Record<string, DefinedVersion>>>(given: ResourceDefinition<V>): DefinedResource<V> {
  checkOptions('defineResource', given, {
    ...{ group: rules.required(rules.nonEmptyString), kind: rules.required(rules.nonEmptyString) },
    scope: rules.required(rules.oneOf('Namespaced', 'Cluster')),
    versions: rules.required({
      expected: 'an object with a version at least',
      holds: (value) => isJsonObject(value) && Object.keys(value).length > 0,
    }),
    ...{ plural: rules.nonEmptyString, singular: rules.nonEmptyString, conversion: rules.object },
    ...{ shortNames: rules.listOf(rules.nonEmptyString, 'names'), categories: rules.listOf(rules.nonEmptyString, 'names') },
  });
  const { group, kind, scope, shortNames, categories, conversion } = given;
  const { plural = pluralOf(kind), singular = kind.toLowerCase() } = given;
  const stored = Object.entries(given.versions).some(([, version]) => version.storage === true);
  const versions = Object.entries(given.versions).map(([name, version], at) => versionOf(name, version, at === 0 && !stored));
  const storage = versions.filter((version) => version.storage);
  if (storage.length !== 1) throw new TypeError(`Expected one version of ${kind} to have \`storage\`, got ${storage.length}`);
  const names = { plural, singular, ...definedOf({ shortNames, categories }) };
  const resources = Object.fromEntries(
    versions.map(({ name, subresources }) => {
      const served = (['status', 'scale'] as const).filter((one) => subresources?.[one] !== undefined);
      const described = { group, version: name, kind, namespaced: scope === 'Namespaced', subresources: served };
      return [name, customResource<KubernetesObject>({ ...described, ...names })];
    }),
  );
  const definition: V1CustomResourceDefinition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope, names: { kind, listKind: `${kind}List`, ...names }, versions, ...(conversion !== undefined && { conversion }) },
  };
  return { ...resources[storage[0]?.name ?? ''], versions: resources, definition } as unknown as DefinedResource<V>;
}
