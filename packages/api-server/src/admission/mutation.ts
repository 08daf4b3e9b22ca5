import { typeProblems } from '../apply/checkApplied.js';
import { entriesOf } from '../apply/fieldWalk.js';
import { mergeApplied } from '../apply/mergeApplied.js';
import { asJsonObject, asString, isJsonArray, isJsonObject, listAt, type Json, type JsonObject } from '../json.js';
import { fieldOf, type FieldShape } from '../kinds/fieldShape.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { shapeOf } from '../kinds/shapeOf.js';
import { decodeTyped, TypeMismatchError } from '../schema/builtIn/decodeTyped.js';
import { typeOf } from '../schema/builtIn/typeNode.js';
import { literalType } from '../schema/rules/literalType.js';
import { plainValue } from '../schema/rules/ruleEngine.js';
import { internalError } from '../status/statusErrors.js';
import { applyOne, PatchOperationError } from './webhookPatch.js';

/** A mutation that does not fit its object. */
export class MutationError extends Error {}

/** An object of another type than its field requires. */
function typeMismatch(value: unknown, expected: string): string | undefined {
  const items = Array.isArray(value) ? value.map((item: unknown) => [item, expected] as const) : [];
  const type = literalType(value);
  if (type?.startsWith('Object') === true) {
    if (type !== expected)
      return `unexpected type name "${type}", expected "${expected}", which matches field name path from root Object type`;
    items.push(...Object.entries(value as object).map(([name, inner]) => [inner as unknown, `${expected}.${name}`] as const));
  }
  for (const [item, path] of items) {
    const problem = typeMismatch(item, path);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What a value is that a configuration cannot have: null, bytes, a time, a duration, a number without a sign. */
function strange(value: unknown): string | undefined {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return 'bytes';
  if (typeof value !== 'object') return undefined;
  if (value instanceof Date) return 'a time';
  if ('nanos' in value && 'seconds' in value && !Object.hasOwn(value, 'nanos')) return 'a duration';
  return typeof value.valueOf() === 'bigint' ? 'an unsigned number' : undefined;
}

/** Why the value of an expression is not valid in an apply configuration: maps inside lists and other maps are not converted. */
function* conversionProblems(value: unknown, shape: FieldShape, path: string, isInner = false): Generator<string> {
  const { scalar, fields, values, items, keys } = shape;
  const type = literalType(value);
  const isMap = (isInner && type === 'map') || type === 'JSONPatch';
  const odd = isMap ? 'a map' : strange(value);
  if (odd !== undefined) {
    const expected = scalar ?? (items === undefined ? (values !== shape && (fields ?? values) !== undefined ? 'map' : undefined) : 'list');
    if (expected !== undefined) yield `${path}: expected ${expected}, got ${odd}`;
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      if (keys !== undefined && keys.length > 0 && literalType(item) === 'map')
        yield `${path}: element ${String(at)}: associative list with keys may not have non-map elements`;
      else yield* conversionProblems(item, items ?? {}, path, true);
  } else if (type !== undefined)
    for (const [name, inner] of Object.entries(value as object))
      yield* conversionProblems(inner, fieldOf(shape, name), `${path}.${name}`, type === 'map');
}

/** The paths of the values in a configuration that can only be replaced as a whole. */
function* atomicPaths(value: Json, shape: FieldShape, path: string): Generator<string> {
  const { atomic, items, keys } = shape;
  if ((isJsonObject(value) && atomic === true) || (isJsonArray(value) && items !== undefined && keys === undefined)) yield path;
  else if (isJsonObject(value))
    for (const [name, inner] of entriesOf(value)) yield* atomicPaths(inner, fieldOf(shape, name), `${path}.${name}`);
  else if (isJsonArray(value)) for (const [at, item] of value.entries()) yield* atomicPaths(item, items ?? {}, `${path}[${String(at)}]`);
}

function withPatches(patches: Json, object: JsonObject): JsonObject {
  let result = object;
  for (const patch of listAt(patches))
    try {
      result = applyOne(result, patch);
    } catch (error) {
      if (!(error instanceof PatchOperationError)) throw error;
      // A failed test is no error: the object stays as it is.
      if (asString(asJsonObject(patch)['op']) === 'test') return object;
      throw new MutationError(`JSON Patch: ${error.message}`);
    }
  return result;
}

/** Refuses fields that the kind does not have: patches of policies are decoded strictly. */
function acceptPatched(object: JsonObject, resource: ServedResource): void {
  const type = typeOf(resource);
  if (type === undefined) return;
  try {
    const { unknown } = decodeTyped(object, type);
    const problems = unknown.map((path) => `unknown field "${path}"`);
    if (problems.length > 0) throw internalError(`strict decoding error: ${problems.join(', ')}`);
  } catch (error) {
    throw error instanceof TypeMismatchError ? internalError(error.message) : error;
  }
}

/**
 * The object with the value of a mutation's expression: a configuration to apply, or patches.
 *
 * @throws MutationError, and StatusError 500, when `strict`, for patched objects that are not valid objects of their kind.
 */
export function mutatedBy(
  value: unknown,
  patchType: Json | undefined,
  object: JsonObject,
  { resource, strict }: { readonly resource: ServedResource; readonly strict: boolean },
): JsonObject {
  const plain = plainValue(value);
  if (patchType === 'JSONPatch') {
    const patched = withPatches(plain, object);
    if (strict) acceptPatched(patched, resource);
    return patched;
  }
  const mismatch = typeMismatch(value, 'Object');
  if (mismatch !== undefined) throw new MutationError(`type mismatch: ${mismatch}`);
  const shape = shapeOf(resource);
  const [problem] = [...conversionProblems(value, shape, ''), ...typeProblems(plain, shape)];
  if (problem !== undefined) throw new MutationError(`error applying patch: failed to convert patch object to typed object: ${problem}`);
  const atomic = [...atomicPaths(plain, shape, '')];
  if (atomic.length > 0)
    throw new MutationError(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    );
  return asJsonObject(mergeApplied(object, plain, shape));
}
