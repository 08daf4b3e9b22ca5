import type { Environment, ObjectSchema } from '@marcbachmann/cel-js';
import { asJsonObject, asString, isJsonObject } from '../../json.js';
import { additionalOf, itemsOf, type StructuralSchema } from '../structuralSchema.js';

/** Reserved words of CEL. */
export const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);

/** A field name as written in rules: reserved words and invalid characters are escaped. */
export function escaped(name: string): string {
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll('__', '__underscores__').replaceAll('.', '__dot__').replaceAll('-', '__dash__').replaceAll('/', '__slash__');
}

const ofFormats: Readonly<Record<string, string>> = {
  'date-time': 'google.protobuf.Timestamp',
  date: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  byte: 'dyn',
};

const scalars: Readonly<Record<string, string>> = { integer: 'int', number: 'double', boolean: 'bool', string: 'string' };

/** Declares `self` and `oldSelf` in an environment. */
export function declareSelf(environment: Environment, schema: StructuralSchema): Environment {
  let count = 0;
  const objectOf = (own: StructuralSchema, root: boolean): ObjectSchema => {
    const properties = Object.entries(asJsonObject(own['properties']));
    const fields = Object.fromEntries(properties.map(([name, inner]) => [escaped(name), typeOf(asJsonObject(inner))]));
    if (!root && own['x-kubernetes-embedded-resource'] !== true) return fields;
    return { ...fields, apiVersion: 'string', kind: 'string', metadata: { name: 'string', generateName: 'string' } };
  };
  /** Types of list items and map values must be registered with a name. */
  const namedTypeOf = (own: StructuralSchema): string => {
    const type = typeOf(own);
    if (typeof type === 'string') return type;
    count += 1;
    const name = `validation.Object${String(count)}`;
    environment.registerType(name, { schema: type });
    return name;
  };
  const typeOf = (own: StructuralSchema): string | ObjectSchema => {
    const type = asString(own['type']);
    const [items, additional] = [itemsOf(own), additionalOf(own)];
    if (own['x-kubernetes-int-or-string'] === true || own['nullable'] === true) return 'dyn';
    if (type === 'string') return ofFormats[asString(own['format'])] ?? 'string';
    if (Object.hasOwn(scalars, type)) return scalars[type] ?? 'dyn';
    if (type === 'array') return `list<${items === undefined ? 'dyn' : namedTypeOf(items)}>`;
    if (additional !== undefined) return `map<string, ${namedTypeOf(additional)}>`;
    if (own['x-kubernetes-preserve-unknown-fields'] === true || !isJsonObject(own['properties'])) return 'dyn';
    return objectOf(own, false);
  };
  const isRoot = isJsonObject(asJsonObject(schema['properties'])['spec']) && schema['type'] === 'object';
  const self = isRoot ? objectOf(schema, true) : typeOf(schema);
  if (typeof self === 'string') return environment.registerVariable('self', self);
  return environment.registerVariable('self', { schema: self });
}
