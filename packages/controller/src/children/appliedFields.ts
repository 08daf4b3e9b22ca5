import { isEqualJson, isJsonObject, parseQuantity } from 'rx-informer/internal';
import type { KubernetesObject } from 'rx-informer';

/** The fields of one manager, as `metadata.managedFields` has them (FieldsV1): `f:` a field, `k:` a list item by its keys, `v:` a member of a set. */
export interface AppliedFields {
  readonly [name: string]: AppliedFields;
}

type Json = Readonly<Record<string, unknown>>;

/** The names below a node, without the node itself. */
const namesOf = (fields: AppliedFields): readonly string[] => Object.keys(fields).filter((name) => name !== '.');

/** The fields that a manager has applied, by the server's account; undefined when there is none. */
export function appliedFieldsOf(object: KubernetesObject, fieldManager: string, subresource: string): AppliedFields | undefined {
  const entry = object.metadata?.managedFields?.find(
    (each) => each.manager === fieldManager && each.operation === 'Apply' && (each.subresource ?? '') === subresource,
  );
  return entry?.fieldsV1 as AppliedFields | undefined;
}

/** The list item with these keys. A key that it lacks has its default on the server, unless another item has it. */
function itemWith(items: readonly unknown[], keys: Json): unknown {
  const has = (item: unknown, mayLack: boolean): boolean =>
    isJsonObject(item) &&
    Object.entries(keys).every(([name, value]) => (mayLack && item[name] === undefined) || isEqualJson(item[name], value));
  return items.find((item) => has(item, false)) ?? items.find((item) => has(item, true));
}

/** The part of a value that a name of its fields stands for. */
function partOf(value: unknown, name: string): unknown {
  const rest = name.slice(2);
  if (name.startsWith('f:')) return isJsonObject(value) ? value[rest] : undefined;
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  if (name.startsWith('i:')) return items[Number(rest)];
  const wanted = JSON.parse(rest) as unknown;
  return name.startsWith('k:') ? itemWith(items, wanted as Json) : items.find((item) => isEqualJson(item, wanted));
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

/** Whether the server leaves a value out when it stores it. */
const isLeftOut = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.values(value).every((each) => each === undefined));

/** Whether an answer of the server has all that was applied: not what it stores elsewhere, as `stringData` of Secrets, whose changes cannot be seen there. */
export function isShown(fields: AppliedFields, desired: unknown, answer: unknown): boolean {
  // Of built-in kinds, a false or 0 that says nothing is left out, too.
  if (isLeftOut(desired) || desired === false || desired === 0) return true;
  return (
    answer !== undefined &&
    namesOf(fields).every((name) => isShown(fields[name] as AppliedFields, partOf(desired, name), partOf(answer, name)))
  );
}

/** What values below a field are: quantities, texts as they are, or not known yet. */
type Kind = 'quantity' | 'text' | 'unknown';

function kindBelow(field: string, kind: Kind): Kind {
  if (kind === 'text' || textFields.has(field)) return 'text';
  return quantityFields.has(field) ? 'quantity' : kind;
}

/** Whether an atomic value is that of the server. */
function isSame(desired: unknown, current: unknown, kind: Kind): boolean {
  if (Array.isArray(desired) && Array.isArray(current))
    return desired.length === current.length && desired.every((item, at) => isSame(item, current[at], kind));
  if (!isJsonObject(desired) || !isJsonObject(current))
    return isEqualJson(desired, current) || (kind === 'quantity' && isSameQuantity(desired, current));
  const names = new Set([...Object.keys(desired), ...Object.keys(current)]);
  return [...names].every(
    (name) => (isLeftOut(desired[name]) && current[name] === undefined) || isSame(desired[name], current[name], kindBelow(name, kind)),
  );
}

/** Whether every part of a value is among the fields. */
function isCovered(fields: AppliedFields, names: readonly string[], value: unknown): boolean {
  if (Array.isArray(value)) {
    const parts = new Set(names.map((name) => partOf(value, name)));
    return (value as readonly unknown[]).every((item) => parts.has(item));
  }
  return isJsonObject(value) && Object.keys(value).every((name) => `f:${name}` in fields || isLeftOut(value[name]));
}

/**
 * Whether applying an object would change nothing: the fields of the manager are exactly those of the object, and the server's object has their values.
 *
 * Defaults inside of atomic fields, and values that the server normalizes, other than quantities, count as differences: one apply too many does no harm.
 */
export function isApplied(fields: AppliedFields, desired: unknown, current: unknown, kind: Kind = 'unknown'): boolean {
  const names = namesOf(fields);
  if (desired === undefined) return false;
  if (current === undefined) return isLeftOut(desired);
  if (names.length === 0) return '.' in fields || isSame(desired, current, kind);
  return (
    isCovered(fields, names, desired) &&
    names.every((name) => {
      const below = name.startsWith('f:') ? kindBelow(name.slice(2), kind) : kind;
      return isApplied(fields[name] as AppliedFields, partOf(desired, name), partOf(current, name), below);
    })
  );
}
