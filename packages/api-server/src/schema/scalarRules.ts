import { asString, isJsonArray, isEqualJson, type Json } from '../json.js';
import { hasFormat, isFormat, numberFormats } from './formats.js';
import { matchesPattern } from './patterns.js';
import { badFactor, broken, notInEnum, outOfRange, tooLong, wrongType, type Finding } from './schemaErrors.js';
import { isUnwantedNull, type StructuralSchema } from 'rx-informer/internal';

function isWhole(value: number): boolean {
  return Number.isInteger(value) && value < 2 ** 63 && value >= -(2 ** 63);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return isWhole(value) ? 'integer' : 'number';
  return typeof value;
}

/** The type names that a value may have. */
function allowedTypes(schema: StructuralSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  const type = asString(schema['type']);
  return type === '' ? [] : [type];
}

/** The format that a schema enforces; empty for one that does not apply to its type. */
function formatOf(schema: StructuralSchema): string {
  const format = asString(schema['format']);
  return isFormat(format, asString(schema['type'])) ? format : '';
}

/** The formats of numbers in messages. */
const ownFormats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };

/** The error of a value of the wrong type. If the schema has a format, the message names the format. */
export function* typeFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  const allowed = allowedTypes(schema);
  const found = typeOf(value);
  if (allowed.length === 0 || (value === null && !isUnwantedNull(value, schema))) return;
  if (allowed.includes(found) || (found === 'integer' && allowed.includes('number'))) return;
  const format = value === null ? '' : formatOf(schema);
  const isOfNumbers = Object.hasOwn(numberFormats, asString(schema['type']));
  // Lists are accepted for strings with a format.
  if (format !== '' && !isOfNumbers && isJsonArray(value)) return;
  const saysFormat = format !== '' && found !== 'string' && found !== 'array';
  if (saysFormat) yield wrongType(path, format, ownFormats[found] ?? '');
  else yield wrongType(path, allowed.join(','), found);
}

/** The error of a value that is not in the enum. */
export function* enumFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  const allowed = schema['enum'];
  // Null is found in no enum, even in one that lists it.
  if (isJsonArray(allowed) && (value === null || !allowed.some((item) => isEqualJson(item, value)))) yield notInEnum(path, value, allowed);
}

const largestFloat = 3.4028234663852886e38;

/** The number that a schema has under a name. */
export function numberAt(schema: StructuralSchema, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' ? value : undefined;
}

/** The error of a number that exceeds the range of its type and format. */
function* rangeFindings(value: number, schema: StructuralSchema, path: string): Generator<Finding> {
  const [type, format] = [asString(schema['type']), formatOf(schema)];
  if (type === 'integer') {
    const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
    if (!Number.isInteger(value) || value >= limit || value < -limit) yield outOfRange(path, type, format);
  } else if (type === 'number' && format === 'float' && Math.abs(value) > largestFloat) yield outOfRange(path, type, format);
}

/** Validation errors of a number. */
function* numberFindings(value: number, schema: StructuralSchema, path: string): Generator<Finding> {
  yield* rangeFindings(value, schema, path);
  const [multipleOf, maximum, minimum] = [numberAt(schema, 'multipleOf'), numberAt(schema, 'maximum'), numberAt(schema, 'minimum')];
  // For an integer value, the factor is truncated to an integer.
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

/** Validation errors of a string. */
function* stringFindings(value: string, schema: StructuralSchema, path: string): Generator<Finding> {
  const [longest, shortest, pattern] = [numberAt(schema, 'maxLength'), numberAt(schema, 'minLength'), asString(schema['pattern'])];
  const length = Array.from(value).length;
  // Only the first of these errors is reported.
  if (longest !== undefined && length > longest) yield tooLong(path, longest);
  else if (shortest !== undefined && length < shortest) yield broken(path, value, `be at least ${String(shortest)} chars long`);
  else if (pattern !== '' && !matchesPattern(pattern, value)) yield broken(path, value, `match '${pattern}'`);
  const format = asString(schema['format']);
  if (format !== '' && hasFormat(value, format) === false) yield wrongType(path, format, value);
}

/** Validation errors of a number or a string by its limits. */
export function* limitFindings(value: Json, schema: StructuralSchema, path: string): Generator<Finding> {
  if (typeof value === 'number') yield* numberFindings(value, schema, path);
  if (typeof value === 'string') yield* stringFindings(value, schema, path);
}
