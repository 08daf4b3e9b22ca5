import { isJsonArray, isJsonObject, type Json } from '../../json.js';
import { fieldSchemaOf, itemsOf, propertyOf, type StructuralSchema } from 'rx-informer/internal';
import { converted } from './ruleEngine.js';
import { namesInRules } from './ruleTypes.js';

function numberOf(value: number, schema: StructuralSchema): bigint | number {
  const { type } = schema;
  return type !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function textOf(value: string, { format }: StructuralSchema): unknown {
  if (format === 'date-time') return converted('timestamp', value);
  if (format === 'date') return converted('timestamp', `${value}T00:00:00Z`);
  if (format === 'byte') return new Uint8Array(Buffer.from(value, 'base64'));
  return format === 'duration' ? converted('duration', value) : value;
}

/** A value for rules, by its schema: integers are exact, date-times become timestamps, and field names are escaped. */
export function ruleValue(value: Json, schema: StructuralSchema): unknown {
  if (typeof value === 'number') return numberOf(value, schema);
  if (typeof value === 'string') return textOf(value, schema);
  if (isJsonArray(value)) return value.map((item) => ruleValue(item, itemsOf(schema) ?? {}));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    if (inner === undefined) return [];
    const shown = ruleValue(inner, fieldSchemaOf(schema, name) ?? {});
    return (propertyOf(schema, name) === undefined ? [name] : namesInRules(name)).map((known) => [known, shown]);
  });
  return Object.fromEntries(entries);
}
