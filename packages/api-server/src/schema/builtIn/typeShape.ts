import { asString, isJsonArray, type Json } from '../../json.js';
import { atomicObject, type FieldShape, type ScalarShape } from '../../kinds/fieldShape.js';
import type { TypeNode } from './typeNode.js';

/** Defaults of keys that items may omit, by the struct of the items. */
const keyDefaults: Readonly<Record<string, Readonly<Record<string, Json>>>> = {
  ContainerPort: { protocol: 'TCP' },
  ServicePort: { protocol: 'TCP' },
};

const scalars: Readonly<Record<string, ScalarShape>> = {
  string: 'string',
  bytes: 'string',
  boolean: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  number: 'numeric',
};

function keysOf(type: TypeNode): readonly string[] | undefined {
  const listType = type.extension('x-kubernetes-list-type');
  if (listType === 'set') return [];
  const keys = type.extension('x-kubernetes-list-map-keys');
  return listType === 'map' && isJsonArray(keys) ? keys.map(asString) : undefined;
}

function patchKeyOf(type: TypeNode): string | undefined {
  const strategy = asString(type.extension('x-kubernetes-patch-strategy'));
  return strategy.split(',').includes('merge') ? asString(type.extension('x-kubernetes-patch-merge-key')) : undefined;
}

/** For a required key, the zero value of its type means that it was omitted. */
function zeroKeys({ fields, required }: TypeNode, keys: readonly string[]): Readonly<Record<string, Json>> {
  const there = keys.filter((key) => required.includes(key));
  return Object.fromEntries(there.map((key) => [key, fields.get(key)?.form === 'string' ? '' : 0]));
}

function listShape(type: TypeNode): FieldShape {
  const [keys, patchKey] = [keysOf(type), patchKeyOf(type)];
  const defaults = keys && { ...zeroKeys(type.values, keys), ...keyDefaults[type.values.name] };
  return {
    get items() {
      return typeShape(type.values);
    },
    ...(keys !== undefined && { keys, ...(defaults !== undefined && Object.keys(defaults).length > 0 && { keyDefaults: defaults }) }),
    ...(patchKey !== undefined && { patchKey }),
  };
}

function structShape(type: TypeNode): FieldShape {
  let fields: Readonly<Record<string, FieldShape>> | undefined;
  return {
    get fields() {
      fields ??= Object.fromEntries([...type.fields].map(([name, field]) => [name, typeShape(field)]));
      return fields;
    },
    struct: type.name,
    closed: true,
    ...(type.extension('x-kubernetes-map-type') === 'atomic' && { atomic: true }),
    ...(asString(type.extension('x-kubernetes-patch-strategy')).split(',').includes('replace') && { patchReplaces: true }),
  };
}

const shapes = new WeakMap<TypeNode, FieldShape>();

function shapeOf(type: TypeNode): FieldShape {
  if (type.form === 'list') return listShape(type);
  if (type.form === 'struct') return structShape(type);
  if (type.form === 'map') {
    const atomic = type.extension('x-kubernetes-map-type') === 'atomic';
    return { values: typeShape(type.values), ...(atomic && { atomic: true }) };
  }
  // The server does not interpret this type: it is one value.
  if (type.definition.endsWith('.RawExtension')) return atomicObject;
  const scalar = scalars[type.form];
  return scalar === undefined ? anything : { scalar };
}

/** A value of unknown type: objects merge field by field. */
export const anything: FieldShape = {
  get values() {
    return anything;
  },
};

/** The merge shape of a type. */
export function typeShape(type: TypeNode): FieldShape {
  let shape = shapes.get(type);
  if (shape === undefined) {
    shape = shapeOf(type);
    shapes.set(type, shape);
  }
  return shape;
}
