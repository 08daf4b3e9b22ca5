import type { HeapSnapshot } from './heapSnapshot.js';

/** The nodes that some objects consist of. */
export interface ObjectNodes {
  /** By node: the number of objects that reach it. */
  readonly sharers: Uint32Array;
  /** By node: the field in which it was found first, for example `spec.containers[].image`. */
  readonly fields: ReadonlyMap<number, string>;
}

/** Whether an edge leads to a part of an object rather than to its class. */
export function isPart(type: string, name: string | number): boolean {
  return type !== 'weak' && type !== 'shortcut' && name !== 'map' && name !== '__proto__';
}

/** Whether an edge leads from the key of a WeakMap to the value. */
function isRemark(name: string | number): boolean {
  return typeof name === 'string' && name.includes(' pair in WeakMap');
}

function fieldOf(around: string, type: string, name: string | number): string {
  if (type === 'element') return `${around}[]`;
  if (type !== 'property') return around;
  return around === '' ? String(name) : `${around}.${name}`;
}

/** Walks the graph from the given objects, through nodes for which `isCounted` is true. */
export function objectNodes(snapshot: HeapSnapshot, objects: readonly number[], isCounted: (node: number) => boolean): ObjectNodes {
  const sharers = new Uint32Array(snapshot.count);
  /** By node: the last object that reached it. */
  const seen = new Int32Array(snapshot.count).fill(-1);
  const fields = new Map<number, string>();
  for (const [at, object] of objects.entries()) {
    // Breadth first: a property is visited before the backing store that contains it.
    const queue = [object];
    seen[object] = at;
    if (!fields.has(object)) fields.set(object, '');
    for (const node of queue) {
      sharers[node] = (sharers[node] ?? 0) + 1;
      const around = fields.get(node) ?? '';
      snapshot.edges(node, (type, name, to) => {
        if (seen[to] === at || !isPart(type, name) || isRemark(name) || !isCounted(to)) return;
        seen[to] = at;
        queue.push(to);
        if (!fields.has(to)) fields.set(to, fieldOf(around, type, name));
      });
    }
  }
  return { sharers, fields };
}
