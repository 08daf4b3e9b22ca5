/** One field with another value than before. */
export interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

type Json = Readonly<Record<string, unknown>>;
const isParent = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const shown = (value: unknown): string => (value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value));

/** The fields in which two versions of an object differ. Equal parts are the same object in both versions, and are skipped. */
export function differencesOf(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (before === after) return [];
  if (!isParent(before) || !isParent(after)) return [{ path, before: shown(before), after: shown(after) }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => differencesOf(before[name], after[name], path === '' ? name : `${path}.${name}`));
}
