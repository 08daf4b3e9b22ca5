import type { User } from '../auth/user.js';
import type { Exchange } from '../http/exchange.js';
import { invalidOptions, invalidValue, notSupported, type FieldError } from '../status/statusErrors.js';

/** The options that all writes share. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The manager of the write in `metadata.managedFields`. @defaultValue `unknown` */
  readonly manager?: string | undefined;
  /** The user of the request; undefined for the server and for tests. */
  readonly user?: User | undefined;
  /** The subresource of a write that changes the object itself. */
  readonly through?: string | undefined;
  /** Whether the object's `metadata.managedFields` are already those after the write. */
  readonly applied?: boolean | undefined;
  /** Skips the type definitions of the kind: for initial objects, so that a server starts without unpacking them. */
  readonly untyped?: boolean | undefined;
}

/** Validation errors of values of `dryRun`. */
export function dryRunErrors(values: readonly unknown[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  const shown = JSON.stringify(values);
  return [notSupported('dryRun', shown, ['All'])];
}

const longestManager = 128;

/** The first character that is not printed: of all spaces, only the one of ASCII is. */
const unprintable = /(?! )[\p{C}\p{Z}]/u;

function* managerErrors(manager: string): Generator<FieldError, void, undefined> {
  if (unprintable.test(manager)) yield invalidValue('fieldManager', JSON.stringify(manager), 'must consist of printable characters');
  const message = `Too long: may not be more than ${String(longestManager)} bytes`;
  if (Buffer.byteLength(manager) > longestManager) yield { reason: 'FieldValueTooLong', field: 'fieldManager', message };
}

/** The field manager; by default the first part of the User-Agent. */
function managerOf({ parameters, incoming }: Pick<Exchange, 'parameters' | 'incoming'>): string {
  const named = parameters.text('fieldManager');
  if (named !== '') return named;
  const [program = ''] = (incoming.headers['user-agent'] ?? '').split('/');
  return program.slice(0, longestManager) || 'unknown';
}

/**
 * Parses the options of a create, replace or patch; `first` are errors found before.
 *
 * @throws StatusError 422
 */
export function writeOptionsOf(
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  exchange: Pick<Exchange, 'parameters' | 'incoming' | 'user'>,
  first: readonly FieldError[] = [],
): WriteOptions {
  const query = exchange.parameters;
  if (query.isEmpty && first.length === 0) return { dryRun: false, manager: managerOf(exchange), user: exchange.user };
  const values = query.all('dryRun');
  const errors = [...first, ...managerErrors(query.text('fieldManager')), ...dryRunErrors(values)];
  const validation = query.text('fieldValidation');
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(validation)) {
    errors.push(notSupported('fieldValidation', JSON.stringify(validation), ['', 'Ignore', 'Strict', 'Warn']));
  }
  if (errors.length > 0) throw invalidOptions(kind, ...errors);
  return { dryRun: values.length > 0, manager: managerOf(exchange), user: exchange.user };
}
