import { isJsonObject } from 'rx-informer/internal';
import type { RelayFields } from '../wire/frames.js';
import { isSecret, jsonOf, lastApplied } from '../wire/jsonOf.js';
import { partsOfPath } from '../wire/ordering.js';
import type { RelaySources } from './relaySources.js';

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

/** The parts of a value that the tree selects; undefined if there are none. What is secret is left out here, where the kind of an object is still known. */
function picked(value: unknown, tree: PathTree, hidesSecrets: boolean): unknown {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) return value.map((item) => picked(item, tree, hidesSecrets));
  if (!isJsonObject(value)) return undefined;
  let result: Record<string, unknown> | undefined;
  for (const [name, deeper] of tree) {
    const isShown = Object.hasOwn(value, name) && !(hidesSecrets && isSecret(name, value));
    const part = isShown ? picked(value[name], deeper, hidesSecrets) : undefined;
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

/** What a source shows. */
interface Shown {
  readonly allowed: RelaySources[string]['fields'];
  /** The kind of its objects, where that says what is secret. */
  readonly kind?: string | undefined;
}

/** Whether one path is another one, or leads to it. */
const leadsTo = (parts: readonly string[], deeper: readonly string[]): boolean => parts.every((part, at) => deeper[at] === part);

/** Whether objects may not be ordered by a field: the order tells of what is in it. The values of a view may have Secrets at any depth. */
export function isSecretOrder(orderBy: string, allowed: RelaySources[string]['fields'], isView: boolean): boolean {
  const parts = partsOfPath(orderBy);
  if (parts.includes(lastApplied)) return true;
  if (allowed !== undefined) return refusedField([orderBy], allowed) !== undefined;
  const isData = parts.slice(0, isView ? undefined : 1).some((part) => part === 'data' || part === 'stringData');
  return isData || (parts.includes('env') && parts.includes('value'));
}

/** The first of the requested fields that may not be asked for; undefined if all may. */
export function refusedField(fields: RelayFields | undefined, allowed: RelaySources[string]['fields']): string | undefined {
  if (allowed === undefined || allowed === 'all' || fields === undefined || typeof fields === 'string') return undefined;
  const known = [...identity, ...allowed.map(partsOfPath)];
  return fields.find((path) => !known.some((parts) => leadsTo(parts, partsOfPath(path))));
}

/**
 * Makes the function that reduces an object to the requested fields, as JSON. It is a pure function of the object, so that all replicas send the same.
 *
 * With a list of paths, `resourceVersion` is included only if it is one of them: otherwise changes of other fields are not sent. `'all'` are those that may be asked
 * for: `allowed`, and by default everything but what is secret as a rule.
 */
export function projectionOf(
  fields: RelayFields | undefined = 'metadata',
  shown: Shown = { allowed: 'all' },
  orderBy?: string,
): (object: unknown) => unknown {
  const { allowed, kind } = shown;
  const json = (value: unknown): unknown => jsonOf(value, allowed === undefined);
  // Lists of Secrets may leave their kind out.
  const typed = (object: unknown): unknown =>
    kind !== undefined && isJsonObject(object) && object['kind'] === undefined ? { ...object, kind } : object;
  const all =
    allowed === undefined || allowed === 'all' ? (object: unknown) => json(typed(object)) : projectionOf(allowed, { allowed: 'all' });
  if (fields === 'all') return all;
  const inMetadata = typeof allowed === 'object' ? allowed.filter((path) => partsOfPath(path)[0] === 'metadata') : ['metadata'];
  // The page orders the objects of a window as the relay does.
  const order = orderBy === undefined ? [] : [orderBy];
  const paths = [...identity, ...[...(fields === 'metadata' ? inMetadata : fields), ...order].map(partsOfPath)];
  const tree = treeOf(paths);
  return (object) => {
    // The value of a view may have no metadata: then send all of it.
    if (!isJsonObject(object) || (fields === 'metadata' && !isJsonObject(object['metadata']))) return all(object);
    return json(picked(typed(object), tree, allowed === undefined) ?? {});
  };
}
