import { isJsonObject } from 'rx-informer/internal';

/** One edit of a JSON value: the path of a part and its new value; without a value, the part is removed. A path that ends in `length` shortens a list. */
export type Edit = readonly [path: readonly (string | number)[], value?: unknown];

/** The value of a property of its own: a ConfigMap may have a key `constructor`. */
function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function collect(before: unknown, after: unknown, path: readonly (string | number)[], edits: Edit[]): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is]: [readonly unknown[], readonly unknown[]] = [before, after];
    if (is.length < was.length) edits.push([[...path, 'length'], is.length]);
    is.forEach((item, at) => (at < was.length ? collect(was[at], item, [...path, at], edits) : edits.push([[...path, at], item])));
  } else if (isJsonObject(before) && isJsonObject(after)) {
    for (const [name, was] of Object.entries(before))
      if (was !== undefined && own(after, name) === undefined) edits.push([[...path, name]]);
    for (const [name, value] of Object.entries(after)) {
      if (value === undefined) continue;
      const was = own(before, name);
      if (was === undefined) edits.push([[...path, name], value]);
      else collect(was, value, [...path, name], edits);
    }
  } else {
    edits.push([path, after]);
  }
}

/** The edits from `before` to `after`; none if they are equal. */
export function differenceOf(before: unknown, after: unknown): readonly Edit[] {
  const edits: Edit[] = [];
  collect(before, after, [], edits);
  return edits;
}

function edited(value: unknown, path: readonly (string | number)[], at: number, edit: Edit): unknown {
  const name = path[at];
  if (name === undefined) return edit[1];
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    if (name === 'length') return items.slice(0, Number(edit[1]));
    const copy = [...items];
    copy[Number(name)] = edited(items[Number(name)], path, at + 1, edit);
    return copy;
  }
  const fields = isJsonObject(value) ? value : {};
  if (at === path.length - 1 && edit.length === 1) {
    return Object.fromEntries(Object.entries(fields).filter(([field]) => field !== name));
  }
  // A spread with a computed name defines a field, `__proto__` included, and never runs a setter.
  return { ...fields, [name]: edited(own(fields, String(name)), path, at + 1, edit) };
}

/** The value after the edits. Unchanged parts keep their identity. */
export function applyEdits(value: unknown, edits: readonly Edit[]): unknown {
  return edits.reduce((result, edit) => edited(result, edit[0], 0, edit), value);
}
