import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { FieldSet } from './fieldSet.js';

/** A manager of fields: what it applied or wrote last. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** `''` for the object itself. */
  readonly subresource: string;
  /** When the manager last changed something; `''` when unknown. */
  readonly time: string;
  readonly fields: FieldSet;
}

/** The time of a manager that changes something: the API server notes none for `scale`. */
export function timeOf(subresource: string, now: string): string {
  return subresource === 'scale' ? '' : now;
}

/** All managers of an object, by identity. */
export type Managers = ReadonlyMap<string, Manager>;

/** The identity of a manager: for Apply, without the API version. */
export function managerKey({
  name,
  operation,
  apiVersion,
  subresource,
}: Pick<Manager, 'name' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return `${operation}\0${name}\0${subresource}\0${operation === 'Apply' ? '' : apiVersion}`;
}

function managerOf(entry: Json): Manager | undefined {
  const { operation, fieldsType, manager, apiVersion, subresource, time, fieldsV1 } = asJsonObject(entry);
  if ((operation !== 'Apply' && operation !== 'Update') || fieldsType !== 'FieldsV1' || asString(apiVersion) === '') return undefined;
  return {
    name: asString(manager),
    operation,
    apiVersion: asString(apiVersion),
    subresource: asString(subresource),
    time: asString(time),
    fields: FieldSet.parse(fieldsV1),
  };
}

// Caches in both directions, because most writes follow another write to the same object: the managers parsed from a list, and the list
// written for managers.
const managersOf = new WeakMap<readonly Json[], Managers>();
const listOf = new WeakMap<Managers, readonly JsonObject[]>();

/** Parses `metadata.managedFields`; undefined when an entry is invalid. */
export function readManagers(managedFields: Json | undefined): Managers | undefined {
  const entries = isJsonArray(managedFields) ? managedFields : [];
  const known = managersOf.get(entries);
  if (known !== undefined) return known;
  const managers = entries.map(managerOf);
  if (managers.some((manager) => manager === undefined)) return undefined;
  return new Map(managers.flatMap((manager) => (manager === undefined ? [] : [[managerKey(manager), manager]])));
}

/** Whether the client sent `metadata.managedFields` to clear it, as one empty entry. */
export function isReset(managedFields: readonly Json[]): boolean {
  const [first, ...more] = managedFields;
  return more.length === 0 && isJsonObject(first) && Object.keys(first).length === 0;
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `metadata.managedFields` as the API server writes it; undefined without managers. */
export function writeManagers(managers: Managers): readonly JsonObject[] | undefined {
  const known = listOf.get(managers);
  if (known !== undefined) return known;
  const owners = [...managers.values()].filter(({ fields }) => !fields.isEmpty);
  owners.sort(
    (a, b) =>
      compareTexts(a.operation, b.operation) ||
      compareTexts(a.time, b.time) ||
      compareTexts(a.name, b.name) ||
      compareTexts(a.apiVersion, b.apiVersion) ||
      compareTexts(a.subresource, b.subresource),
  );
  const entries = owners.map(({ name, operation, apiVersion, subresource, time, fields }) => ({
    manager: name,
    operation,
    apiVersion,
    ...(time !== '' && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: fields.toJSON(),
    ...(subresource !== '' && { subresource }),
  }));
  if (entries.length === 0) return undefined;
  // A manager without fields is not in the list: whoever reads it again does not know of it.
  if (owners.length === managers.size) managersOf.set(entries, managers);
  listOf.set(managers, entries);
  return entries;
}
