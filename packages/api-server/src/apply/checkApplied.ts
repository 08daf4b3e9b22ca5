import { asString, isJsonArray, isJsonObject, jsonType, valueAt, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { bareError, badRequest } from '../status/statusErrors.js';
import { entriesOf, isDeclared } from './fieldWalk.js';
import { itemElement, showElement, UnaddressableItemError } from './pathElement.js';

function* objectProblems(value: JsonObject, shape: FieldShape, path: string): Generator<string> {
  for (const [name, inner] of entriesOf(value)) {
    const place = `${path}.${name}`;
    const known = shape.closed !== true || (isDeclared(shape, name) && Object.hasOwn(shape.fields ?? {}, name));
    if (known) yield* typeProblems(inner, fieldOf(shape, name), place);
    else {
      yield `${place}: field not declared in schema`;
      // The rest of the object is not looked at.
      return;
    }
  }
}

function* listProblems(list: readonly Json[], shape: FieldShape, path: string): Generator<string> {
  const seen = new Set<string>();
  for (const [at, item] of list.entries()) {
    let element: string;
    try {
      element = shape.keys === undefined ? `i:${String(at)}` : itemElement(item, shape);
    } catch (error) {
      if (!(error instanceof UnaddressableItemError)) throw error;
      yield `${path}: element ${String(at)}: ${error.message}`;
      return;
    }
    if (seen.has(element)) yield `${path}: duplicate entries for key ${showElement(element)}`;
    seen.add(element);
    yield* typeProblems(item, shape.items ?? {}, path + showElement(element));
  }
}

/** The error of a scalar of the wrong type; `null` counts as absent. */
function* scalarProblems(value: Json, { scalar }: FieldShape, path: string): Generator<string> {
  if (scalar === undefined || value === null) return;
  const expected = scalar === 'numeric' ? 'number' : scalar;
  if (typeof value !== expected) yield `${path}: expected ${expected}, got ${jsonType(value)}`;
}

/** The error of a value that is no map, or no list, where its type is one. */
function* structureProblems(value: Json, shape: FieldShape, path: string): Generator<string> {
  const { fields, values, items } = shape;
  // Where nothing is known of a value, it may hold more of the same.
  if (value === null || values === shape) return;
  if ((fields !== undefined || values !== undefined) && !isJsonObject(value)) yield `${path}: expected map, got ${jsonType(value)}`;
  if (items !== undefined && !isJsonArray(value)) yield `${path}: expected list, got ${jsonType(value)}`;
}

/** Why a value does not have the required type. */
export function* typeProblems(value: Json, shape: FieldShape, path = ''): Generator<string> {
  yield* scalarProblems(value, shape, path);
  const wrong = [...structureProblems(value, shape, path)];
  yield* wrong;
  if (wrong.length > 0 || shape.scalar !== undefined) return;
  if (isJsonObject(value)) yield* objectProblems(value, shape, path);
  else if (Array.isArray(value)) yield* listProblems(value as readonly Json[], shape, path);
}

function kindText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`;
}

/**
 * Checks an applied configuration: version and kind must match the path, and merged lists must not have duplicate items.
 *
 * @throws StatusError 400, or 500 for errors that the API server finds late.
 */
export function checkApplied({ groupVersion, kind: expected }: ServedResource, applied: JsonObject, shape: FieldShape): void {
  const apiVersion = asString(applied['apiVersion']);
  const kind = asString(applied['kind']);
  if (apiVersion !== groupVersion || kind !== expected) throw badRequest(`invalid object type: ${kindText(apiVersion, kind)}`);
  if ((valueAt(applied, 'metadata', 'managedFields') ?? null) !== null) throw badRequest('metadata.managedFields must be nil');
  const found = [...typeProblems(applied, shape)];
  if (found.length === 0) return;
  const name = `${asString(valueAt(applied, 'metadata', 'namespace'))}/${asString(valueAt(applied, 'metadata', 'name'))}`;
  const text = found.length === 1 ? (found[0] ?? '') : ['errors:', ...found.map((problem) => `  ${problem}`)].join('\n');
  throw bareError(`failed to create typed patch object (${name}; ${kindText(apiVersion, kind)}): ${text}`);
}
