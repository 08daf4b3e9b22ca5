import { isJsonObject, setField, type Json, type JsonObject } from '../json.js';
import { badRequest, bareError } from '../status/statusErrors.js';

/** Directives of a strategic merge patch: names in it that are not fields. */
const marker = '$patch';
const retainKeys = '$retainKeys';
const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';

/** An object of a strategic merge patch, divided into fields and directives. */
export interface DirectedPatch {
  /** `$patch`: deletes or replaces the object, or merges it without one. */
  readonly action: 'merge' | 'replace' | 'delete';
  /** The values of fields, without directives. */
  readonly fields: JsonObject;
  /** `$retainKeys`: all other fields are removed. */
  readonly retained: readonly Json[] | undefined;
  /** `$deleteFromPrimitiveList/<field>`: scalars to remove from the list. */
  readonly deletions: ReadonlyMap<string, readonly Json[]>;
  /** `$setElementOrder/<field>`: the order of the list's items. */
  readonly orders: ReadonlyMap<string, readonly Json[]>;
}

/** A value as Go prints it. */
export function goText(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!isJsonObject(value)) return '<nil>';
  const names = Object.keys(value).sort();
  return `map[${names.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`;
}

function listOf(value: Json | undefined, problem: string): readonly Json[] {
  if (!Array.isArray(value)) throw badRequest(problem);
  return value as readonly Json[];
}

/**
 * Divides an object of a strategic merge patch into fields and directives.
 *
 * @throws StatusError for an invalid directive.
 */
export function directedPatch(patch: JsonObject): DirectedPatch {
  const { [marker]: given, [retainKeys]: retained, ...rest } = patch;
  // The default cannot be named.
  const action = given === undefined ? 'merge' : given === 'replace' || given === 'delete' ? given : undefined;
  if (action === undefined) {
    throw bareError(`unknown patch type: ${typeof given === 'string' ? given : JSON.stringify(given)} in map: ${goText(patch)}`);
  }
  const fields: Record<string, Json | undefined> = {};
  const deletions = new Map<string, readonly Json[]>();
  const orders = new Map<string, readonly Json[]>();
  for (const [name, value] of Object.entries(rest)) {
    if (name.startsWith(deletePrefix))
      deletions.set(name.slice(deletePrefix.length), listOf(value, 'invalid patch format of primitive list'));
    else if (name.startsWith(orderPrefix))
      orders.set(name.slice(orderPrefix.length), listOf(value, 'invalid patch format of setElementOrder list'));
    else setField(fields, name, value);
  }
  const kept = retained === undefined ? undefined : listOf(retained, 'invalid patch format of retainKeys');
  const known = new Set(kept);
  const lost = Object.keys(fields).find((name) => kept !== undefined && !known.has(name) && fields[name] !== null);
  if (lost !== undefined) throw badRequest('invalid patch format of retainKeys');
  return { action, fields, retained: kept, deletions, orders };
}
