import { ApiError } from '../../api/errors/apiError.js';

const depth = 20;

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value === undefined) return 'nothing';
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) as string | undefined;
  if (text === undefined) return typeof value;
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

function sortedEntries(map: ReadonlyMap<unknown, unknown>): unknown[] {
  return [...map].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
}

/** The compared content of a value: containers as lists, errors by message. */
function contentOf(value: object): object {
  // Also for a `ReadonlyMap` that is not a Map, like those of toMap, whose order is not guaranteed.
  if (Object.prototype.toString.call(value) === '[object Map]') return { map: sortedEntries(value as ReadonlyMap<unknown, unknown>) };
  if (value instanceof Set) return { set: [...(value as ReadonlySet<unknown>)] };
  if (value instanceof Date) return { date: value.getTime() };
  if (value instanceof ApiError) return { name: value.name, message: value.message, code: value.code };
  if (value instanceof Error) return Object.assign(Object.fromEntries(Object.entries(value)), { name: value.name, message: value.message });
  return value;
}

function fieldsOf(value: object): string[] {
  return Object.keys(value).filter((field) => (value as Record<string, unknown>)[field] !== undefined);
}

function compare(actual: unknown, expected: unknown, path: string, partial: boolean, found: string[]): void {
  if (Object.is(actual, expected)) return;
  const bothObjects = typeof actual === 'object' && typeof expected === 'object' && actual !== null && expected !== null;
  if (!bothObjects || Array.isArray(actual) !== Array.isArray(expected) || path.split('.').length > depth) {
    found.push(`${path === '' ? 'it' : path}: expected ${shown(expected)}, got ${shown(actual)}`);
    return;
  }
  const [was, wanted] = [contentOf(actual) as Record<string, unknown>, contentOf(expected) as Record<string, unknown>];
  const exact = !partial || Array.isArray(expected);
  for (const field of new Set([...fieldsOf(wanted), ...(exact ? fieldsOf(was) : [])])) {
    compare(was[field], wanted[field], path === '' ? field : `${path}.${field}`, partial, found);
  }
}

/**
 * The differences between two values, one line per field. A field that is `undefined` counts as absent, as in JSON.
 *
 * @param partial - ignores fields that are not in `expected`.
 */
export function differencesOf(actual: unknown, expected: unknown, partial = false): string[] {
  const found: string[] = [];
  compare(actual, expected, '', partial, found);
  return found;
}
