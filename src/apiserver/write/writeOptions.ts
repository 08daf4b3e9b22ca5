import type { Exchange } from '../http/exchange.js';
import { invalidOptions, notSupported, type FieldError } from '../status/statusErrors.js';

/** The options that all writes share. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Who writes, as `metadata.managedFields` calls him. `unknown` when absent. */
  readonly manager?: string;
  /** The subresource that the write came through, where it changes the object itself. */
  readonly through?: string;
  /** The object's `metadata.managedFields` are those after the write. */
  readonly applied?: boolean;
}

/** What is wrong with values of `dryRun`. */
export function dryRunErrors(values: readonly unknown[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const shown = JSON.stringify(values);
  return [notSupported('dryRun', shown, ['All'])];
}

const longestManager = 128;

function managerErrors(manager: string): readonly FieldError[] {
  if (Buffer.byteLength(manager) <= longestManager) return [];
  return [
    { reason: 'FieldValueTooLong', field: 'fieldManager', message: `Too long: may not be more than ${String(longestManager)} bytes` },
  ];
}

/** Who writes: the field manager, or else the program by the first part of its User-Agent. */
function managerOf({ parameters, incoming }: Pick<Exchange, 'parameters' | 'incoming'>): string {
  const named = parameters.text('fieldManager');
  if (named !== '') return named;
  const [program = ''] = (incoming.headers['user-agent'] ?? '').split('/');
  return program.slice(0, longestManager) || 'unknown';
}

/**
 * Reads the options of a create, replace or patch.
 *
 * @throws StatusError 422
 */
export function writeOptionsOf(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  exchange: Pick<Exchange, 'parameters' | 'incoming'>,
): WriteOptions {
  const query = exchange.parameters;
  const values = query.all('dryRun').filter((value) => value !== '');
  const errors = [...dryRunErrors(values), ...managerErrors(query.text('fieldManager'))];
  const validation = query.text('fieldValidation');
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(notSupported('fieldValidation', JSON.stringify(validation), ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(kind, ...errors);
  return { dryRun: values.length > 0, manager: managerOf(exchange) };
}
