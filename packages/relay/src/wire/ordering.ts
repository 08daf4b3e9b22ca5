import { isJsonObject } from 'rx-informer/internal';
import type { RelayWindow } from './frames.js';

/** Splits a path. Dots inside brackets belong to a name: `metadata.labels[app.kubernetes.io/name]`. */
export function partsOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, plain]) => bracketed ?? plain ?? '');
}

/** The value at a path; for a list, the values of its items. */
export function valueAt(value: unknown, parts: readonly string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, parts, from));
  return isJsonObject(value) && Object.hasOwn(value, part) ? valueAt(value[part], parts, from + 1) : undefined;
}

/** Compares two objects by the order of a window. Equal ones are ordered by key. */
export function ordering({ orderBy, descending = false }: Pick<RelayWindow, 'orderBy' | 'descending'>): (a: unknown, b: unknown) => number {
  const parts = partsOfPath(orderBy);
  return (a, b) => {
    const [left, right] = [valueAt(a, parts), valueAt(b, parts)] as [string | number | undefined, string | number | undefined];
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right === descending ? 1 : -1;
  };
}
