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

/** Paths as a tree: an empty one stands for all that there is. */
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
    // A shorter path has all that longer ones pick from.
    parent.set(path.at(-1) ?? '', new Map());
  }
  return tree;
}

/** What the tree picks of a value; undefined where there is nothing of it. */
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
  const shown = (object: Json): Json =>
    isObject(object['metadata']) ? { ...object, metadata: shownMetadata(object['metadata']) } : object;
  if (fields === 'all') return (object) => (isObject(object) ? shown(object) : object);
  const paths = fields === 'metadata' ? ['apiVersion', 'kind', 'metadata'].map(partsOfPath) : [...identity, ...fields.map(partsOfPath)];
  const tree = treeOf(paths);
  const ofMetadata = tree.get('metadata') as PathTree;
  const hidesSome = ofMetadata.size === 0 || ofMetadata.has('annotations') || ofMetadata.has('managedFields');
  return (object) => {
    if (!isObject(object)) return object;
    // The value of a view need not be an object of Kubernetes: then there is no metadata to be content with.
    if (fields === 'metadata' && !isObject(object['metadata'])) return object;
    return picked(hidesSome ? shown(object) : object, tree) ?? {};
  };
}
