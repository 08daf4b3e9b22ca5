import { parseQuantity } from '../../api/parseQuantity.js';
import type { KubernetesObject } from '../../api/kubernetesObject.js';
import { isEqualJson } from '../../operators/folds/isEqualJson.js';

/** The fields of one manager, as `metadata.managedFields` has them (FieldsV1): `f:` a field, `k:` a list item by its keys, `v:` a member of a set. */
export interface AppliedFields {
  readonly [name: string]: AppliedFields;
}

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The names below a node, without the node itself. */
const namesOf = (fields: AppliedFields): readonly string[] => Object.keys(fields).filter((name) => name !== '.');

/** The fields that a manager has applied, by the server's account; undefined when there is none. */
export function appliedFieldsOf(object: KubernetesObject, fieldManager: string, subresource: string): AppliedFields | undefined {
  const entry = object.metadata?.managedFields?.find(
    (each) => each.manager === fieldManager && each.operation === 'Apply' && (each.subresource ?? '') === subresource,
  );
  return entry?.fieldsV1 as AppliedFields | undefined;
}

/** Whether a list item has these keys. One that the item lacks has its default on the server. */
function hasKeys(item: unknown, keys: Json): boolean {
  if (!isRecord(item)) return false;
  return Object.entries(keys).every(([name, value]) => item[name] === undefined || isEqualJson(item[name], value));
}

/** The part of a value that a name of its fields stands for. */
function partOf(value: unknown, name: string): unknown {
  const rest = name.slice(2);
  if (name.startsWith('f:')) return isRecord(value) ? value[rest] : undefined;
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (name.startsWith('i:')) return items[Number(rest)];
  const wanted = JSON.parse(rest) as unknown;
  return items.find((item) => (name.startsWith('k:') ? hasKeys(item, wanted as Json) : isEqualJson(item, wanted)));
}

/** Of an object, the values of these fields and nothing else. */
export function valuesOf(fields: AppliedFields, value: unknown): unknown {
  const names = namesOf(fields);
  if (names.length === 0) return '.' in fields ? value !== undefined : value;
  return Object.fromEntries(names.map((name) => [name, valuesOf(fields[name] as AppliedFields, partOf(value, name))]));
}

/** The fields whose values, or whose values below, are quantities, which the server writes in one form. */
const quantityFields: ReadonlySet<string> = new Set([
  ...['limits', 'requests', 'capacity', 'hard', 'overhead', 'podFixed', 'allocatable', 'sizeLimit', 'divisor', 'default', 'defaultRequest'],
  ...['max', 'min', 'maxLimitRequestRatio', 'averageValue', 'value', 'targetAverageValue'],
]);

/** The fields in which texts are what they are. */
const textFields: ReadonlySet<string> = new Set(['metadata', 'data', 'stringData', 'binaryData', 'env', 'args', 'command']);

function isSameQuantity(one: unknown, other: unknown): boolean {
  try {
    return parseQuantity(one as string) === parseQuantity(other as string);
  } catch {
    return false;
  }
}

/** Whether every part of a value is among the fields. */
function isCovered(fields: AppliedFields, names: readonly string[], value: unknown): boolean {
  if (Array.isArray(value)) {
    const parts = new Set(names.map((name) => partOf(value, name)));
    return (value as readonly unknown[]).every((item) => parts.has(item));
  }
  return isRecord(value) && Object.keys(value).every((name) => value[name] === undefined || `f:${name}` in fields);
}

/**
 * Whether applying an object would change nothing: the fields of the manager are exactly those of the object, and the server's object has their values.
 *
 * Defaults inside of atomic fields, and values that the server normalizes, other than quantities, count as differences: one apply too many does no harm.
 */
export function isApplied(fields: AppliedFields, desired: unknown, current: unknown, isQuantity = false): boolean {
  const names = namesOf(fields);
  if (desired === undefined || current === undefined) return false;
  if (names.length === 0) return '.' in fields || isEqualJson(desired, current) || (isQuantity && isSameQuantity(desired, current));
  return (
    isCovered(fields, names, desired) &&
    names.every((name) => {
      const field = name.slice(2);
      const below = !textFields.has(field) && (isQuantity || quantityFields.has(field));
      return isApplied(fields[name] as AppliedFields, partOf(desired, name), partOf(current, name), below);
    })
  );
}
