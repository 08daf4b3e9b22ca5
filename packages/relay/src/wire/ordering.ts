import { isJsonObject } from 'rx-informer/internal';
import type { RelayWindow } from './frames.js';

/** Splits a path. Dots inside brackets belong to a name: `metadata.labels[app.kubernetes.io/name]`. */
export function partsOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, plain]) => bracketed ?? plain ?? '');
}

/** The value at a path; for a list, the values of its items. */
function valueAt(value: unknown, parts: readonly string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, parts, from));
  return isJsonObject(value) && Object.hasOwn(value, part) ? valueAt(value[part], parts, from + 1) : undefined;
}

/** A value as JSON has it, which is what a page orders. */
function inJson(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null || !('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  return (value as { toJSON(): unknown }).toJSON();
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;
const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** Lists by their items, other values of one type by themselves, but objects, which are all equal. What is missing comes last. */
function compared(one: unknown, other: unknown, sign: 1 | -1): number {
  const [a, b] = [inJson(one), inJson(other)];
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
  if (Array.isArray(a) && Array.isArray(b)) {
    const at = a.findIndex((item, index) => index >= b.length || compared(item, b[index], sign) !== 0);
    return at >= 0 && at < b.length ? compared(a[at], b[at], sign) : sign * (a.length - b.length);
  }
  const [left, right] = (typeOf(a) === typeOf(b) ? [a, b] : [typeOf(a), typeOf(b)]) as [string, string];
  if (left === right || typeof left === 'object') return 0;
  return left < right ? -sign : sign;
}

/** Compares two objects by the order of a window. Equal ones are ordered by key. */
export function ordering({ orderBy, descending = false }: Pick<RelayWindow, 'orderBy' | 'descending'>): (a: unknown, b: unknown) => number {
  const parts = partsOfPath(orderBy);
  return (a, b) => compared(valueAt(a, parts), valueAt(b, parts), descending ? -1 : 1);
}
