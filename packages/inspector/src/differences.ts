import { isJsonObject, messageOf } from 'rx-informer/internal';

/** A difference between two versions: its path, and the old and the new value; `undefined` for a missing value. */
export interface Difference {
  readonly path: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
}

/** With more differences than this, the object counts as different as a whole. */
const maxDifferences = 200;

/** The value of a property of its own: a ConfigMap may have a key `constructor`. */
function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** `path` is one array for the whole walk: a copy for each part took four fifths of what an open page allocates. */
function collect(before: unknown, after: unknown, path: string[], into: Difference[]): void {
  if (into.length > maxDifferences) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const name of Object.keys(before)) collectPart(before[name], own(after, name), name, path, into);
    for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) into.push({ path: [...path, name], after: after[name] });
    return;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (let at = 0; at < before.length; at += 1) collectPart(before[at], after[at], at, path, into);
    return;
  }
  if (!isSameJson(before, after))
    into.push({ path: [...path], ...(before !== undefined && { before }), ...(after !== undefined && { after }) });
}

function collectPart(before: unknown, after: unknown, name: string | number, path: string[], into: Difference[]): void {
  if (before === after) return;
  path.push(String(name));
  collect(before, after, path, into);
  path.pop();
}

/** The JSON of what `make` returns; of what stands in its place if that has no JSON, or is nested too deeply. */
export function jsonShown(make: () => unknown, instead = (reason: string): unknown => reason): string {
  try {
    // In a list, what has no JSON is null.
    return JSON.stringify([make()]).slice(1, -1);
  } catch (error) {
    return JSON.stringify(instead(`(cannot be shown: ${messageOf(error)})`));
  }
}

/** The differences between two versions of an object. */
export function differencesOf(before: unknown, after: unknown): readonly Difference[] {
  const found: Difference[] = [];
  collect(before, after, [], found);
  return found.length > maxDifferences ? [{ path: [], before, after }] : found;
}

function withValue(object: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (Array.isArray(object)) return object.map((each: unknown, at) => (String(at) === name ? withValue(each, rest, value) : each));
  const record = isJsonObject(object) ? object : {};
  if (rest.length === 0 && value === undefined) return Object.fromEntries(Object.entries(record).filter(([other]) => other !== name));
  return { ...record, [name]: withValue(own(record, name), rest, value) };
}

/** Computes the version before a change from the one after it. */
export function undone(after: unknown, differences: readonly Difference[]): unknown {
  return differences.reduceRight<unknown>((object, { path, before }) => withValue(object, path, before), after);
}
