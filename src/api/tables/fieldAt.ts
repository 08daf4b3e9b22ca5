/**
 * The value at a path of field names, or undefined.
 */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string, unknown>)[name];
  }
  return current;
}

/**
 * The text at a path; `''` where there is none.
 */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const field = fieldAt(value, ...path);
  return typeof field === 'string' ? field : typeof field === 'number' || typeof field === 'boolean' ? String(field) : '';
}

/**
 * The number at a path; 0 where there is none.
 */
export function numberAt(value: unknown, ...path: readonly string[]): number {
  const field = fieldAt(value, ...path);
  return typeof field === 'number' ? field : 0;
}

/**
 * The list at a path; empty where there is none.
 */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const field = fieldAt(value, ...path);
  return Array.isArray(field) ? field : [];
}

/**
 * The entries of the map at a path; none where there is no map.
 */
export function entriesAt(value: unknown, ...path: readonly string[]): readonly (readonly [string, unknown])[] {
  const field = fieldAt(value, ...path);
  return typeof field === 'object' && field !== null && !Array.isArray(field) ? Object.entries(field) : [];
}

/**
 * The labels at a path as one text, `<none>` where there are none.
 */
export function labelText(value: unknown, ...path: readonly string[]): string {
  const labels = entriesAt(value, ...path).map(([name, label]) => `${name}=${String(label)}`);
  return labels.sort().join(',') || '<none>';
}
