import { asJsonObject, asString, isJsonArray, isJsonObject } from '../../../json.js';
import { itemsOf, textsAt, type StructuralSchema } from '../../../../api/definitions/structuralSchema.js';
import { escaped } from '../ruleTypes.js';
import type { CelType } from './celType.js';

/** The largest request in bytes: no value is larger. */
export const largestRequest: number = 3 * 1024 * 1024;

function scalar(name: string, min: number, max = 0): CelType {
  return { name, of: [], min, max };
}

function countAt(schema: StructuralSchema, name: string): number | undefined {
  const count = schema[name];
  return typeof count === 'number' ? Math.max(0, count) : undefined;
}

function textType(schema: StructuralSchema): CelType {
  const length = countAt(schema, 'maxLength');
  switch (asString(schema['format'])) {
    case 'byte':
      return scalar('bytes', 2, length ?? largestRequest - 2);
    case 'duration':
      return scalar('google.protobuf.Duration', 3, 32);
    case 'date':
      return scalar('google.protobuf.Timestamp', 12, 12);
    case 'date-time':
      return scalar('google.protobuf.Timestamp', 21, 32);
  }
  const choices = isJsonArray(schema['enum']) ? schema['enum'].map(asString) : [];
  // Characters have up to four bytes.
  if (length !== undefined) return scalar('string', 2, 4 * length);
  return scalar('string', 2, choices.length > 0 ? Math.max(...choices.map((choice) => Buffer.byteLength(choice))) : largestRequest - 2);
}

const textSchema: StructuralSchema = { type: 'string' };
const rootFields = {
  kind: textSchema,
  apiVersion: textSchema,
  metadata: { type: 'object', properties: { name: textSchema, generateName: textSchema } },
};

function objectType(schema: StructuralSchema, name: string, isRoot: boolean): CelType {
  const properties = { ...asJsonObject(schema['properties']), ...(isRoot && rootFields) };
  const needed = new Set(textsAt(schema, 'required'));
  const fields = new Map<string, CelType>();
  let min = 2;
  for (const [property, value] of Object.entries(properties)) {
    const inner = asJsonObject(value);
    const field = escaped(property);
    const type = schemaType(inner, `${name}.${field ?? ''}`, inner['x-kubernetes-embedded-resource'] === true);
    if (type === undefined) continue;
    if (field !== undefined) fields.set(field, type);
    if (needed.has(property) && inner['default'] === undefined) min += property.length + (type.min ?? 0) + 4;
  }
  return { name, of: [], fields, min, max: 0 };
}

/** A list or map of values of a schema; `around` is how many bytes an entry needs in addition to its value. */
function collectionType(schema: StructuralSchema, inner: StructuralSchema, name: string): CelType | undefined {
  const isList = schema['type'] === 'array';
  const item = schemaType(inner, `${name}.${isList ? '@idx' : '@elem'}`, inner['x-kubernetes-embedded-resource'] === true);
  if (item === undefined) return undefined;
  const most = Math.floor((largestRequest - 2) / ((item.min ?? 0) + (isList ? 1 : 6)));
  const max = countAt(schema, isList ? 'maxItems' : 'maxProperties') ?? most;
  return { name: isList ? 'list' : 'map', of: isList ? [item] : [scalar('string', 2), item], min: 2, max };
}

/** The type of the values of a schema; undefined for those that rules do not see. `isRoot` is true for whole objects. */
export function schemaType(schema: StructuralSchema, name: string, isRoot: boolean): CelType | undefined {
  const { type, additionalProperties } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) {
    const length = countAt(schema, 'maxLength');
    return scalar('dyn', 1, length === undefined ? largestRequest - 2 : 4 * length);
  }
  const items = itemsOf(schema);
  if (type === 'array') return items === undefined ? undefined : collectionType(schema, items, name);
  if (type === 'object' || isRoot) {
    if (isJsonObject(additionalProperties)) return collectionType(schema, additionalProperties, name);
    return objectType(schema, name, isRoot);
  }
  if (type === 'string') return textType(schema);
  if (type === 'boolean') return scalar('bool', 4);
  return type === 'number' ? scalar('double', 1) : type === 'integer' ? scalar('int', 1) : undefined;
}
