import type { Json } from '../json.js';
import { invalidValue, notSupported, required, type FieldError } from '../status/statusErrors.js';

/** An error at a path such as `spec.size`. */
export type Finding = FieldError;

/** A value as messages show it. */
function shown(value: Json): string {
  return JSON.stringify(value);
}

/** The path without its leading dot. */
function fieldOf(path: string): string {
  return path.replace(/^\./, '');
}

export function wrongType(path: string, wanted: string, found: string): Finding {
  return {
    ...invalidValue(fieldOf(path), shown(found), `${path} in body must be of type ${wanted}: ${shown(found)}`),
    reason: 'FieldValueTypeInvalid',
  };
}

/** A number that exceeds the range of its type. The error names no field. */
export function outOfRange(path: string, type: string, format: string): Finding {
  const named = format === '' ? `${type} (default format)` : `${type} with format ${format}`;
  return invalidValue('<nil>', '""', `Checked value must be of type ${named} in ${fieldOf(path)}`);
}

/** A value that violates a rule: `rule` is the requirement, for example `be greater than 1`. */
export function broken(path: string, value: Json, rule: string): Finding {
  return invalidValue(fieldOf(path), shown(value), `${path} in body should ${rule}`);
}

export function badFactor(path: string, value: Json, factor: number): Finding {
  return invalidValue(fieldOf(path), shown(value), `factor MultipleOf declared for ${path} must be positive: ${String(factor)}`);
}

export function tooLong(path: string, most: number): Finding {
  return {
    reason: 'FieldValueTooLong',
    field: fieldOf(path),
    message: `Too long: may not be more than ${String(most)} ${most === 1 ? 'byte' : 'bytes'}`,
  };
}

export function tooMany(path: string, count: number, most: number): Finding {
  const detail = `must have at most ${String(most)} ${most === 1 ? 'item' : 'items'}`;
  return { reason: 'FieldValueTooMany', field: fieldOf(path), message: `Too many: ${String(count)}: ${detail}` };
}

export function missingField(path: string): Finding {
  return required(fieldOf(path));
}

export function notInEnum(path: string, value: Json, allowed: readonly Json[]): Finding {
  return notSupported(
    fieldOf(path),
    shown(value),
    allowed.map((item) => (typeof item === 'string' ? item : shown(item))),
  );
}

export function duplicate(path: string, value: Json): Finding {
  return { reason: 'FieldValueDuplicate', field: fieldOf(path), message: `Duplicate value: ${shown(value)}` };
}

/** A violated combination of schemas. The error names no field. */
export function unmatched(path: string, problem: string): Finding {
  return invalidValue('<nil>', '""', `${shown(path)} ${problem}`);
}
