import { isJsonObject } from 'rx-informer/internal';

/**
 * An object with placeholders for values: `0` for the next value of the row, `1` for the name in the key, `2` for its namespace and `3` for the next uid. A string stands for itself.
 */
export type Shape = 0 | 1 | 2 | 3 | string | { readonly [field: string]: Shape };

/** Many objects of one shape: their keys, and a column for each value. A column of uids is one string. */
export type Table = readonly [shape: Shape, keys: readonly string[], ...columns: (readonly unknown[] | string)[]];

/** An object in the form of shape and row. */
export interface Shaped {
  readonly shape: string;
  /** The key, and the values of the placeholders in order. */
  readonly row: readonly unknown[];
  /** The length of the row as JSON. */
  readonly length: number;
}

const isParent = (value: unknown): value is Readonly<Record<string, unknown>> => isJsonObject(value) && Object.keys(value).length > 0;

const partOfKey = (key: string, part: 1 | 2): string => {
  const at = key.indexOf('/');
  return part === 1 ? key.slice(at + 1) : key.slice(0, Math.max(at, 0));
};

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const packedLength = 22;

/** A uid packed into 6 bits per character, since random digits do not compress: 22 characters instead of 36. Two characters hold three hex digits. */
function packed(uid: string): string {
  const triples = `${uid.replaceAll('-', '')}0`.match(/.{3}/g) ?? [];
  return triples
    .map((triple) => Number(`0x${triple}`))
    .map((bits) => `${digits[bits >> 6] ?? ''}${digits[bits & 63] ?? ''}`)
    .join('');
}

/** The characters are those of base64 in URLs. */
function unpacked(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Splits an object into shape and row: objects of one shape are sent as a table, with the names of their fields once. */
export function shapeOf(key: string, value: unknown): Shaped {
  const row: unknown[] = [key];
  const walk = (part: unknown, path: string): string => {
    if (isParent(part)) {
      const fields = Object.entries(part).filter(([, inner]) => inner !== undefined);
      return `{${fields.map(([name, inner]) => `${JSON.stringify(name)}:${walk(inner, `${path}.${name}`)}`).join(',')}}`;
    }
    if (path === '.metadata.name' && part === partOfKey(key, 1)) return '1';
    if (path === '.metadata.namespace' && part === partOfKey(key, 2)) return '2';
    if ((path === '.apiVersion' || path === '.kind') && typeof part === 'string') return JSON.stringify(part);
    const isUid = typeof part === 'string' && uuid.test(part);
    row.push(isUid ? packed(part) : part);
    return isUid ? '3' : '0';
  };
  const shape = walk(value, '');
  return { shape, row, length: JSON.stringify(row).length };
}

/** Whether the values in an object have more than `length` characters, roughly as JSON. Stops as soon as that is certain. */
export function isLongerThan(length: number, value: unknown): boolean {
  return lengthLeft(length, value) < 0;
}

/** The length that remains after the values of an object. */
export function lengthLeft(length: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return length - String(value).length - 1;
  let left = length;
  for (const inner of Object.values(value)) {
    left = lengthLeft(left, inner);
    if (left < 0) break;
  }
  return left;
}

/** The placeholders of a shape that take values from the row, in order. */
function leavesOf(shape: Shape): readonly (0 | 3)[] {
  if (shape === 0 || shape === 3) return [shape];
  return typeof shape === 'object' ? Object.values(shape).flatMap(leavesOf) : [];
}

/** The text of a table. By columns, similar values are adjacent, which compresses well. */
export function tableText(shape: string, rows: readonly Shaped['row'][]): string {
  const leaves = leavesOf(JSON.parse(shape) as Shape);
  const columns = ([0, ...leaves] as const).map((leaf, at) => {
    const column = rows.map((row) => row[at]);
    return JSON.stringify(leaf === 3 ? column.join('') : column);
  });
  return `[${[shape, ...columns].join(',')}]`;
}

/** The objects of a table, each with its key. */
export function* objectsOf([shape, keys, ...columns]: Table): IterableIterator<readonly [key: string, value: unknown]> {
  for (const [row, key] of keys.entries()) {
    let at = 0;
    const build = (part: Shape): unknown => {
      if (part === 0) return columns[at++]?.[row];
      if (part === 3) return unpacked(String(columns[at++]).slice(row * packedLength, (row + 1) * packedLength));
      if (part === 1 || part === 2) return partOfKey(key, part);
      if (typeof part === 'string') return part;
      // Defines a field, `__proto__` included.
      return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, build(inner)]));
    };
    yield [key, build(shape)];
  }
}
