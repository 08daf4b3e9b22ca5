/** A difference between two versions: its path, and the old and the new value; `undefined` for a missing value. */
export interface Difference {
  readonly path: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/** With more differences than this, the object counts as different as a whole. */
const mostDifferences = 200;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function collect(before: unknown, after: unknown, path: readonly string[], into: Difference[]): void {
  if (before === after || into.length > mostDifferences) return;
  if (isRecord(before) && isRecord(after)) {
    for (const name of Object.keys(before)) collect(before[name], after[name], [...path, name], into);
    for (const name of Object.keys(after)) if (!(name in before)) into.push({ path: [...path, name], after: after[name] });
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    before.forEach((each: unknown, at) => collect(each, after[at], [...path, String(at)], into));
    return;
  }
  if (!isSameJson(before, after)) into.push({ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
}

/** The differences between two versions of an object. */
export function differencesOf(before: unknown, after: unknown): readonly Difference[] {
  const found: Difference[] = [];
  collect(before, after, [], found);
  return found.length > mostDifferences ? [{ path: [], before, after }] : found;
}

function withValue(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(object)) return object.map((each: unknown, at) => (String(at) === name ? withValue(each, rest, value) : each));
  const record = isRecord(object) ? object : {};
  if (rest.length === 0 && value === undefined) return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
  return { ...record, [name]: withValue(record[name], rest, value) };
}

/** Computes the version before a change from the one after it. */
export function undone(after: unknown, differences: readonly Difference[]): unknown {
  return differences.reduceRight<unknown>((object, { path, before }) => withValue(object, path, before), after);
}
