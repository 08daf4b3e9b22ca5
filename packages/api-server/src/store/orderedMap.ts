/**
 * A persistent map in the order of its keys: a weight-balanced tree. Every change returns a new root that shares all nodes except one path
 * with the old root. So every root is a permanent snapshot.
 */
export interface MapNode<V> {
  readonly key: string;
  readonly value: V;
  readonly left: OrderedMap<V>;
  readonly right: OrderedMap<V>;
  readonly size: number;
}

/** The root of a map; undefined is the empty one. */
export type OrderedMap<V> = MapNode<V> | undefined;

/** The number of entries of a map. */
export function sizeOf<V>(map: OrderedMap<V>): number {
  return map?.size ?? 0;
}

function node<V>(key: string, value: V, left: OrderedMap<V>, right: OrderedMap<V>): MapNode<V> {
  return { key, value, left, right, size: sizeOf(left) + sizeOf(right) + 1 };
}

// A side may weigh at most three times as much as the other; a double rotation is needed when its inner part weighs twice the outer one.
function balance<V>(key: string, value: V, left: OrderedMap<V>, right: OrderedMap<V>): MapNode<V> {
  const leftSize = sizeOf(left);
  const rightSize = sizeOf(right);
  if (leftSize + rightSize < 2) return node(key, value, left, right);
  if (right !== undefined && rightSize > 3 * leftSize) {
    const inner = right.left;
    if (inner === undefined || inner.size < 2 * sizeOf(right.right))
      return node(right.key, right.value, node(key, value, left, inner), right.right);
    return node(inner.key, inner.value, node(key, value, left, inner.left), node(right.key, right.value, inner.right, right.right));
  }
  if (left !== undefined && leftSize > 3 * rightSize) {
    const inner = left.right;
    if (inner === undefined || inner.size < 2 * sizeOf(left.left))
      return node(left.key, left.value, left.left, node(key, value, inner, right));
    return node(inner.key, inner.value, node(left.key, left.value, left.left, inner.left), node(key, value, inner.right, right));
  }
  return node(key, value, left, right);
}

/** The map with an entry added or replaced. */
export function withEntry<V>(map: OrderedMap<V>, key: string, value: V): MapNode<V> {
  if (map === undefined) return node(key, value, undefined, undefined);
  if (key < map.key) return balance(map.key, map.value, withEntry(map.left, key, value), map.right);
  if (key > map.key) return balance(map.key, map.value, map.left, withEntry(map.right, key, value));
  return node(key, value, map.left, map.right);
}

function first<V>(map: MapNode<V>): MapNode<V> {
  return map.left === undefined ? map : first(map.left);
}

function withoutFirst<V>(map: MapNode<V>): OrderedMap<V> {
  return map.left === undefined ? map.right : balance(map.key, map.value, withoutFirst(map.left), map.right);
}

/** The map without an entry. */
export function withoutEntry<V>(map: OrderedMap<V>, key: string): OrderedMap<V> {
  if (map === undefined) return undefined;
  if (key < map.key) return balance(map.key, map.value, withoutEntry(map.left, key), map.right);
  if (key > map.key) return balance(map.key, map.value, map.left, withoutEntry(map.right, key));
  if (map.left === undefined) return map.right;
  if (map.right === undefined) return map.left;
  const next = first(map.right);
  return balance(next.key, next.value, map.left, withoutFirst(map.right));
}

/** The value of a key. */
export function valueOf<V>(map: OrderedMap<V>, key: string): V | undefined {
  let at = map;
  while (at !== undefined && at.key !== key) at = key < at.key ? at.left : at.right;
  return at?.value;
}

/** The number of keys that are smaller than the given one. */
export function rankOf<V>(map: OrderedMap<V>, key: string): number {
  let rank = 0;
  let at = map;
  while (at !== undefined) {
    if (key <= at.key) {
      at = at.left;
    } else {
      rank += sizeOf(at.left) + 1;
      at = at.right;
    }
  }
  return rank;
}

/** The values of all keys in [from, to), in order. */
export function* valuesBetween<V>(map: OrderedMap<V>, from = '', to?: string): Generator<V, void, undefined> {
  const open: MapNode<V>[] = [];
  for (let at = map; at !== undefined;) {
    if (at.key < from) {
      at = at.right;
    } else {
      open.push(at);
      at = at.left;
    }
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (to !== undefined && next.key >= to) return;
    yield next.value;
    for (let at = next.right; at !== undefined; at = at.left) open.push(at);
  }
}
