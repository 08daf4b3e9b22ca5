import { asJsonObject, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';

const plain = ['type', 'format', 'description', 'enum', 'default', 'required', 'nullable', 'pattern', 'minimum', 'maximum'];

/** A schema without the parts that clients of OpenAPI v2 do not understand. */
function described(schema: JsonObject): JsonObject {
  const { properties, items, additionalProperties } = schema;
  const kept = Object.entries(schema).filter(([name]) => plain.includes(name) || name.startsWith('x-kubernetes-'));
  return {
    ...Object.fromEntries(kept),
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, described(asJsonObject(inner))])),
    }),
    ...(isJsonObject(items) && { items: described(items) }),
    ...(isJsonObject(additionalProperties) && { additionalProperties: described(additionalProperties) }),
  };
}

/** The name of the definition of a custom resource: its group from the end, its version and its kind. */
export function customDefinitionName({ group, version, kind }: ServedResource): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/** The definition of a custom resource. */
export function customDefinition({ group, version, kind, custom }: ServedResource): JsonObject {
  const schema = described(custom?.schema ?? {});
  const kinds: Json = [{ group, kind, version }];
  const known = asJsonObject(schema['properties']);
  const common = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  };
  return {
    type: 'object',
    ...schema,
    properties: { ...known, ...common },
    'x-kubernetes-group-version-kind': kinds,
  };
}
