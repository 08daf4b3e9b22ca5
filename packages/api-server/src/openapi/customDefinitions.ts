import { asJsonObject, asString, isJsonArray, isJsonObject, valueAt, without, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { textsAt } from 'rx-informer/internal';

const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';
const apiVersion: JsonObject = {
  description: `APIVersion defines the version of the schema that this object is written in. Unknown versions may be refused. More info: ${conventions}#resources`,
  type: 'string',
};
const kind: JsonObject = {
  description: `Kind names the REST resource that this object stands for, in CamelCase. It cannot be updated. More info: ${conventions}#types-kinds`,
  type: 'string',
};

function metadata(name: 'ListMeta' | 'ObjectMeta', description: string): JsonObject {
  return { $ref: `#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.${name}`, description: `${description} More info: ${conventions}` };
}

const common: JsonObject = { apiVersion, kind, metadata: metadata('ObjectMeta', "Standard object's metadata.") };

/** A schema with each inner schema replaced by the result of `change`. */
function mapped(schema: JsonObject, change: (inner: JsonObject) => JsonObject): JsonObject {
  const { properties, items, additionalProperties } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, change(asJsonObject(inner))])),
    }),
    ...(isJsonObject(items) && { items: change(items) }),
    ...(isJsonObject(additionalProperties) && { additionalProperties: change(additionalProperties) }),
  };
}

const preserves = 'x-kubernetes-preserve-unknown-fields';

function isNullable(schema: Json | undefined): boolean {
  return valueAt(schema, 'nullable') === true;
}

/**
 * A schema in OpenAPI v2: without keywords that v2 lacks, and without `items` and `properties` where unknown fields are preserved, since
 * kubectl would refuse such fields.
 */
function forV2(schema: JsonObject): JsonObject {
  const { type, properties, additionalProperties } = schema;
  const isOpen = isNullable(schema) || schema[preserves] === true;
  const kept = without(schema, 'allOf', 'anyOf', 'oneOf', 'not', 'nullable', 'default', ...(isOpen ? ['items', 'properties'] : []));
  const isUntyped =
    isNullable(schema) || (type === 'array' && kept['items'] === undefined) || (type === 'object' && schema[preserves] === true);
  const required = isNullable(additionalProperties)
    ? []
    : textsAt(schema, 'required').filter((name) => isOpen || !isNullable(valueAt(properties, name)));
  return mapped({ ...without(kept, 'required', ...(isUntyped ? ['type'] : [])), ...(required.length > 0 && { required }) }, forV2);
}

const intOrString: Json = [{ type: 'integer' }, { type: 'string' }];

function isIntOrString(anyOf: Json | undefined): boolean {
  return isJsonArray(anyOf) && anyOf.map((one) => asString(valueAt(one, 'type'))).join() === 'integer,string';
}

/** A schema in OpenAPI v3: an int-or-string is described by `oneOf`. */
function forV3(schema: JsonObject): JsonObject {
  const { anyOf, allOf } = schema;
  const inner = mapped(schema, forV3);
  const [first] = isJsonArray(allOf) ? allOf : [];
  if (schema['x-kubernetes-int-or-string'] !== true || isIntOrString(anyOf) || isIntOrString(valueAt(first, 'anyOf'))) return inner;
  if (anyOf === undefined) return { ...inner, anyOf: intOrString };
  return { ...inner, allOf: [{ anyOf: intOrString }, ...(isJsonArray(allOf) ? allOf : [])] };
}

/** A schema in which embedded resources have `apiVersion`, `kind` and `metadata`. */
function withEmbedded(schema: JsonObject, openApi: 'v2' | 'v3'): JsonObject {
  const inner = mapped(schema, (one) => withEmbedded(one, openApi));
  if (schema['x-kubernetes-embedded-resource'] !== true || (openApi === 'v2' && schema[preserves] === true)) return inner;
  const required = [...new Set([...textsAt(schema, 'required'), 'kind', 'apiVersion'])];
  return { ...inner, properties: { ...asJsonObject(inner['properties']), ...common }, required };
}

/** The name of a custom resource's definition: the reversed group, the version and the kind. */
export function customDefinitionName({ group, version }: ServedResource, ofKind: string): string {
  return [...group.split('.').reverse(), version, ofKind].join('.');
}

/** The definitions of a custom resource and of its list, for a version of OpenAPI. */
export function customDefinitions(resource: ServedResource, openApi: 'v2' | 'v3'): Readonly<Record<string, JsonObject>> {
  const { group, version, listKind, plural, custom, rules } = resource;
  const schema = custom?.schema ?? {};
  const extensions = (ofKind: string): JsonObject => {
    const fields = Object.keys(rules.fields ?? {}).map((fieldPath) => ({ fieldPath }));
    return {
      'x-kubernetes-group-version-kind': [{ group, kind: ofKind, version }],
      ...(fields.length > 0 && { 'x-kubernetes-selectable-fields': fields }),
    };
  };
  const name = customDefinitionName(resource, resource.kind);
  // kubectl would refuse all fields that are not listed here.
  const isOpen = openApi === 'v2' && (schema[preserves] === true || custom?.preserveUnknownFields === true);
  const described = withEmbedded(openApi === 'v2' ? forV2(schema) : forV3(schema), openApi);
  return {
    [name]: {
      type: 'object',
      ...(!isOpen && { ...described, properties: { ...asJsonObject(described['properties']), ...common } }),
      ...extensions(resource.kind),
    },
    [customDefinitionName(resource, listKind)]: {
      description: `${listKind} is a list of ${resource.kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion,
        items: {
          description: `List of ${plural}. More info: ${conventions}`,
          type: 'array',
          items: { $ref: `#/definitions/${name}` },
        },
        kind,
        metadata: metadata('ListMeta', 'Standard list metadata.'),
      },
      ...extensions(listKind),
    },
  };
}
