import type { QueryParameters } from '../http/queryParameters.js';
import { invalidOptions, notSupported, type FieldError } from '../status/statusErrors.js';

/** The options that all writes share. */
export interface WriteOptions {
  readonly dryRun: boolean;
}

/** What is wrong with values of `dryRun`. */
export function dryRunErrors(values: readonly unknown[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const shown = `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  return [notSupported('dryRun', shown, ['All'])];
}

/**
 * Reads the options of a create, replace or patch.
 *
 * @throws StatusError 422
 */
export function writeOptionsOf(kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions', query: QueryParameters): WriteOptions {
  const values = query.all('dryRun').filter((value) => value !== '');
  const errors = [...dryRunErrors(values)];
  const validation = query.text('fieldValidation');
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(notSupported('fieldValidation', JSON.stringify(validation), ['Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(kind, ...errors);
  return { dryRun: values.length > 0 };
}
