import { asString, isJsonArray, isJsonObject, jsonEqual, type Json } from '../json.js';
import { matchesPattern } from './patterns.js';
import { badFactor, broken, notWhole, notInEnum, tooLong, wrongType, type Finding } from './schemaErrors.js';
import { isUnwantedNull, type StructuralSchema } from './structuralSchema.js';

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** The type names that a value may have. */
function allowedTypes(schema: StructuralSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  const type = asString(schema['type']);
  return type === '' ? [] : [type];
}

/** The finding of a value whose type the schema does not allow. */
function* typeFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  const allowed = allowedTypes(schema);
  const found = typeOf(value);
  if (allowed.length === 0 || (value === null && !isUnwantedNull(value, schema))) return;
  if (allowed.includes(found) || (found === 'integer' && allowed.includes('number'))) return;
  yield wrongType(path, allowed.join(','), found);
  if (found === 'number' && allowed.length === 1 && allowed[0] === 'integer') yield notWhole(path);
}

/** The finding of a value that is not one of those listed. */
export function* enumFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  const allowed = schema['enum'];
  if (isJsonArray(allowed) && !allowed.some((item) => jsonEqual(item, value))) yield notInEnum(path, value, allowed);
}

function numberAt(schema: StructuralSchema, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}

/** Validation errors of a number. */
function* numberFindings(value: number, schema: StructuralSchema, path: string): Generator<Finding> {
  const [multipleOf, maximum, minimum] = [numberAt(schema, 'multipleOf'), numberAt(schema, 'maximum'), numberAt(schema, 'minimum')];
  // Of a whole number the factor is taken as a whole number, too.
  if (multipleOf !== undefined && Number.isInteger(value) && Math.trunc(multipleOf) <= 0)
    yield badFactor(path, value, Math.trunc(multipleOf));
  else if (multipleOf !== undefined && !Number.isInteger(value / multipleOf))
    yield broken(path, value, `be a multiple of ${String(multipleOf)}`);
  if (maximum !== undefined) {
    const exclusive = schema['exclusiveMaximum'] === true;
    if (value > maximum || (exclusive && value === maximum))
      yield broken(path, value, `be less than ${exclusive ? '' : 'or equal to '}${String(maximum)}`);
  }
  if (minimum !== undefined) {
    const exclusive = schema['exclusiveMinimum'] === true;
    if (value < minimum || (exclusive && value === minimum))
      yield broken(path, value, `be greater than ${exclusive ? '' : 'or equal to '}${String(minimum)}`);
  }
}

const formats: Readonly<Record<string, RegExp>> = {
  byte: /^(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  email: /^[^\s@<>]+@[^\s@<>]+$|^[^<>]*<[^\s@<>]+@[^\s@<>]+>$/,
  hostname: /^(?=.{1,255}$)[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?(\.[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?)*\.?$/i,
  mac: /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$|^([0-9a-f]{4}\.){2}[0-9a-f]{4}$/i,
  date: /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])$/,
  'date-time': /^\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])[Tt ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/,
  duration:
    /^\s*(\d+\s*(ns|us|µs|ms|s|m|h|d|w|nanos?|nanoseconds?|micros?|microseconds?|millis?|milliseconds?|secs?|seconds?|mins?|minutes?|hr|hours?|days?|wk|weeks?)\s*)+$|^[-+]?((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))+$|^[-+]?0$/i,
  ipv4: /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
};

/** Validation errors of a text. */
function* stringFindings(value: string, schema: StructuralSchema, path: string): Generator<Finding> {
  const [longest, shortest, pattern] = [numberAt(schema, 'maxLength'), numberAt(schema, 'minLength'), asString(schema['pattern'])];
  const length = Array.from(value).length;
  // The first of these is all that is said.
  if (longest !== undefined && length > longest) yield tooLong(path, longest);
  else if (shortest !== undefined && length < shortest) yield broken(path, value, `be at least ${String(shortest)} chars long`);
  else if (pattern !== '' && !matchesPattern(pattern, value)) yield broken(path, value, `match '${pattern}'`);
  const format = asString(schema['format']);
  if (Object.hasOwn(formats, format) && formats[format]?.test(value) === false) yield wrongType(path, format, value);
}

/** Validation errors of a value on its own: its type, and the limits of numbers and texts. */
export function* scalarFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  yield* typeFindings(value, schema, path);
  if (typeof value === 'number') yield* numberFindings(value, schema, path);
  if (typeof value === 'string') yield* stringFindings(value, schema, path);
  if (!isJsonObject(value)) yield* enumFindings(value, schema, path);
}
