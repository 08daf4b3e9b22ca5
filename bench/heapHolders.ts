import type { HeapSnapshot } from './heapSnapshot.js';
import { isPart } from './objectNodes.js';

/** In this order: what two rooms know belongs to the one that comes first. */
const rooms = ['cache', 'delta', 'informer', 'operators', 'source', 'client', 'api'];

const sourceFile = /\/src\/(\w+)\/(.+)\.js$/;

/** The function whose `new` has made an object. */
function constructorOf(snapshot: HeapSnapshot, object: number): number | undefined {
  let map = snapshot.target(object, 'map');
  for (let older = map; older !== undefined; older = snapshot.target(older, 'back_pointer')) map = older;
  return map === undefined ? undefined : snapshot.target(map, 'constructor');
}

/** The file of this package that a function, or the class of an object, stands in; as `room/file`. */
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
 * Finds out which file of the package holds what: an object belongs to the class that made it, and what it refers to as well, unless that has a holder
 * of its own.
 *
 * @param isCounted - whether a node is in question.
 * @returns the holders by node; nothing for what the package does not hold.
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
