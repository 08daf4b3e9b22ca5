import type { HeapSnapshot } from './heapSnapshot.js';
import { isPart } from './objectNodes.js';

/** In this order: a node that is reachable from objects of two folders belongs to the first folder. */
const rooms = ['cache', 'delta', 'informer', 'operators', 'source', 'client', 'api'];

const sourceFile = /\/src\/(\w+)\/(.+)\.js$/;

/** The constructor function of an object. */
function constructorOf(snapshot: HeapSnapshot, object: number): number | undefined {
  let map = snapshot.target(object, 'map');
  for (let older = map; older !== undefined; older = snapshot.target(older, 'back_pointer')) map = older;
  return map === undefined ? undefined : snapshot.target(map, 'constructor');
}

/** The file of this package that contains a function or the class of an object, as `room/file`. */
function ownHolder(snapshot: HeapSnapshot, node: number): string | undefined {
  const type = snapshot.type(node);
  const isObject = type === 'object' && !['Object', 'Array', 'Map', 'Set', 'WeakMap', 'system / Context'].includes(snapshot.name(node));
  const closure = type === 'closure' ? node : isObject ? constructorOf(snapshot, node) : undefined;
  const shared = closure === undefined ? undefined : snapshot.target(closure, 'shared');
  const script = shared === undefined ? undefined : snapshot.target(shared, 'script_or_debug_info');
  const [, room, file] = sourceFile.exec(script === undefined ? '' : snapshot.name(script)) ?? [];
  return room === undefined || file === undefined || !rooms.includes(room) ? undefined : `${room}/${file}`;
}

/**
 * Attributes nodes to files of the package: an object belongs to the file of its class, and so do the objects that it refers to, unless
 * they have a class of the package themselves.
 *
 * @param isCounted - whether a node is included.
 *
 * @returns the files by node; without nodes that no object of the package holds.
 */
export function heapHolders(snapshot: HeapSnapshot, isCounted: (node: number) => boolean): ReadonlyMap<number, string> {
  const own = new Map<number, string>();
  for (let node = 0; node < snapshot.count; node += 1) {
    const holder = ownHolder(snapshot, node);
    if (holder !== undefined) own.set(node, holder);
  }
  const holders = new Map<number, string>();
  for (const room of rooms) {
    const queue = [...own].filter(([, holder]) => holder.startsWith(`${room}/`)).map(([node]) => node);
    for (const node of queue) {
      const holder = own.get(node) ?? holders.get(node) ?? '';
      if (isCounted(node)) holders.set(node, holder);
      snapshot.edges(node, (type, name, to) => {
        if (own.has(to) || holders.has(to) || !isCounted(to) || !isPart(type, name)) return;
        holders.set(to, holder);
        queue.push(to);
      });
    }
  }
  return holders;
}
