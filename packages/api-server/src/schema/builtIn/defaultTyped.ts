import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json.js';
import { defaultsOf } from './structDefaults.js';
import type { TypeNode } from './typeNode.js';
import { noZeros, zeroValues } from './zeroValues.js';

const zeros = new Map<TypeNode, JsonObject>();

/** An empty struct, as Go writes it. */
export function zeroOf(type: TypeNode): JsonObject {
  const known = zeros.get(type);
  if (known !== undefined) return known;
  const entries = Object.entries(zeroValues(type)).map(([name, zero]) => {
    const field = type.fields.get(name);
    return [name, field?.form === 'struct' && isJsonObject(zero) ? zeroOf(field) : zero] as const;
  });
  const zero = Object.fromEntries(entries);
  zeros.set(type, zero);
  return zero;
}

/** The defaulting steps of a struct. */
interface StructPlan {
  readonly defaults: ((object: JsonObject) => JsonObject) | undefined;
  readonly zeros: readonly (readonly [name: string, zero: Json])[];
  /** The fields that contain something to default. */
  readonly deep: readonly (readonly [name: string, type: TypeNode])[];
}

const plans = new Map<TypeNode, StructPlan>();

function planOf(type: TypeNode): StructPlan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  // The metadata of a whole object is handled elsewhere.
  const whole = type.fields.has('apiVersion') && type.fields.has('kind');
  const zeros = Object.entries(zeroValues(type)).flatMap(([name, zero]) =>
    zero === undefined || !type.fields.has(name) || (whole && name === 'metadata') ? [] : [[name, zero] as const],
  );
  const plan = { defaults: defaultsOf(type), zeros, deep: [...type.fields].filter(([, field]) => reaches(field)) };
  plans.set(type, plan);
  return plan;
}

function withZeros(object: JsonObject, zeros: StructPlan['zeros']): JsonObject {
  let result: Record<string, Json | undefined> | undefined;
  for (const [name, zero] of zeros) {
    if (object[name] !== undefined) continue;
    result ??= { ...object };
    result[name] = zero;
  }
  return result ?? object;
}

const reaching = new Map<TypeNode, boolean>();

/** Whether a type, or anything below it, has defaults. */
function reaches(type: TypeNode): boolean {
  const known = reaching.get(type);
  if (known !== undefined) return known;
  // Ends the recursion for a type that refers to itself.
  reaching.set(type, false);
  const inner = type.form === 'struct' ? [...type.fields.values()] : type.form === 'list' || type.form === 'map' ? [type.values] : [];
  const found = defaultsOf(type) !== undefined || zeroValues(type) !== noZeros || inner.some(reaches);
  reaching.set(type, found);
  return found;
}

function completeStruct(object: JsonObject, type: TypeNode): JsonObject {
  const { defaults, zeros, deep } = planOf(type);
  let result = withZeros(defaults?.(object) ?? object, zeros);
  let own = result !== object;
  for (const [name, field] of deep) {
    const value = result[name];
    if (typeof value !== 'object' || value === null) continue;
    const filled = completed(value, field);
    if (filled === value) continue;
    // The first change copies the object; later ones modify the copy.
    if (!own) result = { ...result };
    own = true;
    (result as Record<string, Json | undefined>)[name] = filled;
  }
  return result;
}

function completeItems(list: readonly Json[], type: TypeNode): readonly Json[] {
  const filled = list.map((item) => completed(item, type));
  return filled.some((item, at) => item !== list[at]) ? filled : list;
}

function completed(value: Json, type: TypeNode): Json {
  if (!reaches(type)) return value;
  if (type.form === 'struct') return isJsonObject(value) ? completeStruct(value, type) : value;
  if (type.form === 'list') return isJsonArray(value) ? completeItems(value, type.values) : value;
  if (type.form !== 'map' || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, inner === undefined ? inner : completed(inner, type.values)]),
  );
}

/** Sets the defaults of the API server, by the type of each part of an object. Values of wrong types are unchanged. */
export function defaultTyped(object: JsonObject, type: TypeNode): JsonObject {
  return completed(object, type) as JsonObject;
}
