import { asJsonObject, asString, isJsonObject, type Json } from '../json.js';
import { metadataShape } from '../kinds/metadataShape.js';
import type { FieldShape, ScalarShape } from '../kinds/fieldShape.js';
import type { CustomResourceVersion } from '../kinds/servedResource.js';
import { additionalOf, itemsOf, textsAt, type StructuralSchema } from 'rx-informer/internal';
import { anything } from './builtIn/typeShape.js';

function listShape(schema: StructuralSchema): FieldShape {
  const item = itemsOf(schema) ?? {};
  const items = shapeOfSchema(item);
  const type = asString(schema['x-kubernetes-list-type']);
  if (type === 'set') return { keys: [], items };
  if (type !== 'map') return { items };
  const keys = textsAt(schema, 'x-kubernetes-list-map-keys');
  const defaults = keys.flatMap((key): [string, Json][] => {
    const value = asJsonObject(asJsonObject(item['properties'])[key])['default'];
    return value === undefined ? [] : [[key, value]];
  });
  return { keys, items, ...(defaults.length > 0 && { keyDefaults: Object.fromEntries(defaults) }) };
}

function objectShape(schema: StructuralSchema): FieldShape {
  const properties = asJsonObject(schema['properties']);
  const additional = additionalOf(schema);
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const fields = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, shapeOfSchema(asJsonObject(property))]));
  const open = schema['x-kubernetes-preserve-unknown-fields'] === true || Object.keys(schema).length === 0;
  return {
    fields: { ...(embedded && { apiVersion: {}, kind: {}, metadata: metadataShape }), ...fields },
    ...(additional !== undefined ? { values: shapeOfSchema(additional) } : open ? { values: anything } : { closed: true }),
    ...(schema['x-kubernetes-map-type'] === 'atomic' && { atomic: true }),
  };
}

const scalars: Readonly<Record<string, ScalarShape>> = { string: 'string', integer: 'numeric', number: 'numeric', boolean: 'boolean' };

function shapeOfSchema(schema: StructuralSchema): FieldShape {
  if (schema['type'] === 'array') return listShape(schema);
  if (schema['type'] === 'object' || isJsonObject(schema['properties'])) return objectShape(schema);
  const scalar = scalars[asString(schema['type'])];
  if (scalar !== undefined) return { scalar };
  return schema['x-kubernetes-preserve-unknown-fields'] === true || Object.keys(schema).length === 0 ? anything : {};
}

const shapes = new WeakMap<CustomResourceVersion, FieldShape>();

/** The merge shape of a custom resource, by its schema if it has one. */
export function schemaShape(custom: CustomResourceVersion): FieldShape {
  let shape = shapes.get(custom);
  if (shape === undefined) {
    const { fields, values = custom.preserveUnknownFields ? anything : undefined } = objectShape(custom.schema);
    const typed = { ...fields, apiVersion: {}, kind: {}, metadata: metadataShape };
    shape = { fields: typed, ...(values === undefined ? { closed: true } : { values }) };
    shapes.set(custom, shape);
  }
  return shape;
}
