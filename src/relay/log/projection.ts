import type { RelayFields } from '../wire/frames.js';
import { jsonOf } from '../wire/jsonOf.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Splits a path. Dots inside brackets belong to a name: `metadata.labels[app.kubernetes.io/name]`. */
export function partsOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, bracketed, plain]) => bracketed ?? plain ?? '');
}

/** The value at a path; for a list, the values of its items. */
export function valueAt(value: unknown, parts: readonly string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, parts, from));
  return isObject(value) && Object.hasOwn(value, part) ? valueAt(value[part], parts, from + 1) : undefined;
}

/** Paths as a tree: an empty one selects everything. */
type PathTree = Map<string, PathTree>;

function treeOf(paths: readonly (readonly string[])[]): PathTree {
  const tree: PathTree = new Map();
  for (const path of [...paths].sort((a, b) => b.length - a.length)) {
    let [at, parent] = [tree, tree];
    for (const part of path) {
      parent = at;
      at = at.get(part) ?? new Map<string, PathTree>();
      parent.set(part, at);
    }
    // A shorter path includes all longer ones.
    parent.set(path.at(-1) ?? '', new Map());
  }
  return tree;
}

/** The parts of a value that the tree selects; undefined if there are none. */
function picked(value: unknown, tree: PathTree): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => picked(item, tree));
  if (!isObject(value)) return undefined;
  let result: Record<string, unknown> | undefined;
  for (const [name, deeper] of tree) {
    const part = Object.hasOwn(value, name) ? picked(value[name], deeper) : undefined;
    if (part === undefined) continue;
    result ??= {};
    if (name === '__proto__') Object.defineProperty(result, name, { value: part, enumerable: true });
    else result[name] = part;
  }
  return result;
}

/** The fields that every object keeps for identification. */
const identity: readonly (readonly string[])[] = ['apiVersion', 'kind', 'metadata.namespace', 'metadata.name', 'metadata.uid'].map(
  partsOfPath,
);

/**
 * Makes the function that reduces an object to the requested fields, as JSON. It is a pure function of the object, so that all replicas send the same.
 *
 * With a list of paths, `resourceVersion` is included only if it is one of them: otherwise changes of other fields are not sent.
 */
export function projectionOf(fields: RelayFields = 'metadata'): (object: unknown) => unknown {
  if (fields === 'all') return (object) => jsonOf(object);
  const paths = fields === 'metadata' ? ['apiVersion', 'kind', 'metadata'].map(partsOfPath) : [...identity, ...fields.map(partsOfPath)];
  const tree = treeOf(paths);
  return (object) => {
    if (!isObject(object)) return jsonOf(object);
    // The value of a view may have no metadata: then send all of it.
    if (fields === 'metadata' && !isObject(object['metadata'])) return jsonOf(object);
    return jsonOf(picked(object, tree) ?? {});
  };
}
