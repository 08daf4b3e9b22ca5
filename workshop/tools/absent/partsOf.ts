/** A value of JSON. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** A part of an object, and the object without it. */
export interface PartAway {
  /** For example `spec.containers[0].name`. */
  readonly path: string;
  /** Whether the part is removed, or emptied. */
  readonly how: 'absent' | 'empty';
  readonly object: Value;
}

function emptyOf(value: Value): Value | undefined {
  if (typeof value === 'string') return value === '' ? undefined : '';
  if (typeof value === 'number') return value === 0 ? undefined : 0;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : [];
  return Object.keys(value).length === 0 ? undefined : {};
}

/** The parts of a value; `rebuilt` makes the whole object with another value at this place. */
function* partsAt(value: Value, path: string, rebuilt: (value: Value) => Value): Generator<PartAway, void, undefined> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const list = value as readonly Value[];
    for (const [at, item] of list.entries()) {
      const place = `${path}[${String(at)}]`;
      const withItem = (changed: Value): Value => rebuilt(list.with(at, changed));
      const empty = emptyOf(item);
      if (empty !== undefined) yield { path: place, how: 'empty', object: withItem(empty) };
      yield* partsAt(item, place, withItem);
    }
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const place = path === '' ? name : `${path}.${name}`;
    if (['apiVersion', 'kind', 'metadata.name'].includes(place)) continue;
    const { [name]: _, ...rest } = value as { readonly [name: string]: Value };
    yield { path: place, how: 'absent', object: rebuilt(rest) };
    const withField = (changed: Value): Value => rebuilt({ ...(value as object), [name]: changed });
    const empty = emptyOf(inner);
    if (empty !== undefined) yield { path: place, how: 'empty', object: withField(empty) };
    yield* partsAt(inner, place, withField);
  }
}

/** An object without one of its parts, for each of its parts. */
export function partsAway(object: Value): Generator<PartAway, void, undefined> {
  return partsAt(object, '', (value) => value);
}
