import type { RelayFields } from '../wire/frames.js';

type Json = Readonly<Record<string, unknown>>;

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The metadata that a page may have: without the copy of the whole object that kubectl leaves there, and without the owners of fields. */
function shownMetadata(metadata: Json): Json {
  const { managedFields: _fields, annotations, ...others } = metadata;
  if (!isObject(annotations)) return annotations === undefined ? others : { ...others, annotations };
  const { [lastApplied]: _copy, ...kept } = annotations;
  return Object.keys(kept).length === 0 ? others : { ...others, annotations: kept };
}

/** The parts of a path. Dots inside of brackets belong to a name: `metadata.labels[app.kubernetes.io/name]`. */
export function partsOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, plain]) => bracketed ?? plain ?? '');
}

/** The value at a path; of lists, that of each item. */
export function valueAt(value: unknown, parts: readonly string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, parts, from));
  return isObject(value) && Object.hasOwn(value, part) ? valueAt(value[part], parts, from + 1) : undefined;
}

/** What a path has of `value`, put into what other paths have brought already. */
function copied(into: unknown, value: unknown, parts: readonly string[], from: number): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    const before: readonly unknown[] = Array.isArray(into) ? into : [];
    return value.map((item, at) => copied(before[at], item, parts, from));
  }
  if (!isObject(value) || !Object.hasOwn(value, part) || value[part] === undefined) return into;
  const fields = isObject(into) ? into : {};
  return { ...fields, [part]: copied(fields[part], value[part], parts, from + 1) };
}

/** What every object keeps, so that it can be told from another. */
const identity: readonly (readonly string[])[] = ['apiVersion', 'kind', 'metadata.namespace', 'metadata.name', 'metadata.uid'].map(
  partsOfPath,
);

/**
 * Makes the function that leaves of an object what a page has asked for. It depends on the object alone, so that all replicas send the same.
 *
 * A list of paths brings no `resourceVersion` unless it is one of them: then a change of anything else is no change for the page.
 */
export function projectionOf(fields: RelayFields = 'metadata'): (object: unknown) => unknown {
  const paths = typeof fields === 'string' ? undefined : [...identity, ...[...fields].sort().map(partsOfPath)];
  return (object) => {
    if (!isObject(object)) return object;
    const shown = isObject(object['metadata']) ? { ...object, metadata: shownMetadata(object['metadata']) } : object;
    if (fields === 'all') return shown;
    if (paths === undefined) {
      // The value of a view need not be an object of Kubernetes: then there is no metadata to be content with.
      if (!isObject(object['metadata'])) return shown;
      const { apiVersion, kind, metadata } = shown;
      return { ...(apiVersion !== undefined && { apiVersion }), ...(kind !== undefined && { kind }), metadata };
    }
    return paths.reduce<unknown>((result, parts) => copied(result, shown, parts, 0), {});
  };
}
