import { asJsonObject, asString, isJsonObject } from '../../../json.js';
import { itemsOf, type StructuralSchema } from 'rx-informer/internal';
import { namesInRules } from '../ruleTypes.js';
import { dyn, typeNamed, type CelType } from './celType.js';

const textTypes: Readonly<Record<string, string>> = { byte: 'bytes', duration: 'duration', date: 'timestamp', 'date-time': 'timestamp' };
const scalarTypes: Readonly<Record<string, string>> = { boolean: 'bool', number: 'double', integer: 'int' };

const textSchema: StructuralSchema = { type: 'string' };
const rootFields = {
  kind: textSchema,
  apiVersion: textSchema,
  metadata: { type: 'object', properties: { name: textSchema, generateName: textSchema } },
};

function objectType(schema: StructuralSchema, name: string, isRoot: boolean): CelType {
  const properties = { ...asJsonObject(schema['properties']), ...(isRoot && rootFields) };
  const fields = new Map<string, CelType>();
  for (const [property, inner] of Object.entries(properties)) {
    const names = namesInRules(property);
    const type = innerType(asJsonObject(inner), `${name}.${names.at(-1) ?? ''}`);
    if (type !== undefined) for (const field of names) fields.set(field, type);
  }
  return { name, of: [], fields };
}

function innerType(schema: StructuralSchema, name: string): CelType | undefined {
  return schemaType(schema, name, schema['x-kubernetes-embedded-resource'] === true);
}

/** The type of the values of a schema; undefined for those that rules do not see. `isRoot` is true for whole objects. */
export function schemaType(schema: StructuralSchema, name: string, isRoot: boolean): CelType | undefined {
  const [type, { additionalProperties }] = [asString(schema['type']), schema];
  if (schema['x-kubernetes-int-or-string'] === true) return dyn;
  if (type === 'array') {
    const item = innerType(itemsOf(schema) ?? {}, `${name}.@idx`);
    return item === undefined ? undefined : typeNamed('list', [item]);
  }
  if ((type === 'object' || isRoot) && isJsonObject(additionalProperties)) {
    const value = innerType(additionalProperties, `${name}.@elem`);
    return value === undefined ? undefined : typeNamed('map', [typeNamed('string'), value]);
  }
  if (type === 'object' || isRoot) return objectType(schema, name, isRoot);
  if (type === 'string') return typeNamed(textTypes[asString(schema['format'])] ?? 'string');
  const scalar = scalarTypes[type];
  return scalar === undefined ? undefined : typeNamed(scalar);
}
