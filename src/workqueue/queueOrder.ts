import type { Clock } from '../api/clock.js';
import { KeyedHeap } from './keyedHeap.js';

/**
 * The order in which a work queue hands out its items: client-go's `Queue`.
 *
 * The work queue calls `push` only for items that are not queued, `touch` only for queued ones, and never `pop` when
 * `len()` is 0.
 */
export interface QueueOrder<T> {
  /** Adds an item. */
  push(item: T, priority: number): void;
  /** A queued item was added again. `priority` is the highest since it was queued. */
  touch(item: T, priority: number): void;
  /** Removes the next item and returns it. */
  pop(): T;
  /** How many items are in it. */
  len(): number;
}

/** How often an older item of a lower priority may be passed over before the oldest of all is taken. */
const maxPassedOver = 100;

/** A node in the ring of a level; a new one is a ring of its own. */
class Node<T> {
  readonly item: T;
  readonly level: Level<T>;
  readonly sequence: number;
  previous: Node<T> = this;
  next: Node<T> = this;

  constructor(item: T, level: Level<T>, sequence: number) {
    this.item = item;
    this.level = level;
    this.sequence = sequence;
  }
}

interface Level<T> {
  readonly priority: number;
  first: Node<T> | undefined;
}

class PriorityOrder<T> implements QueueOrder<T> {
  private readonly nodes = new Map<T, Node<T>>();
  /** The levels that are not empty, highest first. */
  private readonly levels: Level<T>[] = [];
  private sequence = 0;
  private passedOver = 0;

  push(item: T, priority: number): void {
    const level = this.level(priority);
    this.sequence += 1;
    const node = new Node(item, level, this.sequence);
    const { first } = level;
    if (first === undefined) {
      level.first = node;
    } else {
      node.previous = first.previous;
      node.next = first;
      first.previous.next = node;
      first.previous = node;
    }
    this.nodes.set(item, node);
  }

  touch(item: T, priority: number): void {
    const node = this.nodes.get(item);
    if (node === undefined || node.level.priority >= priority) return;
    this.remove(node);
    this.push(item, priority);
  }

  pop(): T {
    const top = this.levels[0]?.first;
    if (top === undefined) throw new Error('Expected an item to pop, got an empty order');
    const node = this.levels.length === 1 ? top : this.fairChoice(top);
    this.remove(node);
    return node.item;
  }

  len(): number {
    return this.nodes.size;
  }

  private fairChoice(top: Node<T>): Node<T> {
    let oldest = top;
    for (const { first } of this.levels) if (first !== undefined && first.sequence < oldest.sequence) oldest = first;
    if (oldest === top) return top;
    this.passedOver += 1;
    if (this.passedOver < maxPassedOver) return top;
    this.passedOver = 0;
    return oldest;
  }

  private level(priority: number): Level<T> {
    let at = 0;
    for (; at < this.levels.length; at += 1) {
      const level = this.levels[at] as Level<T>;
      if (level.priority === priority) return level;
      if (level.priority < priority) break;
    }
    const level: Level<T> = { priority, first: undefined };
    this.levels.splice(at, 0, level);
    return level;
  }

  private remove(node: Node<T>): void {
    const { item, level, previous, next } = node;
    this.nodes.delete(item);
    if (next === node) {
      this.levels.splice(this.levels.indexOf(level), 1);
      return;
    }
    previous.next = next;
    next.previous = previous;
    if (level.first === node) level.first = next;
  }
}

/**
 * The default order of a work queue: by priority, then first in, first out.
 *
 * A queued item whose priority is raised goes to the end of its new level. To prevent starvation, the oldest
 * item is taken, whatever its priority, after every 99 takes that passed over an older item.
 *
 * @see client-go's `DefaultQueue`, which has no priorities.
 */
export function createPriorityOrder<T>(): QueueOrder<T> {
  return new PriorityOrder<T>();
}

/**
 * An order for a work queue in which priorities age: a queued item rises by one level every `agingMs`, so that no item starves, and older ones go
 * first within one priority.
 *
 * ```text
 * agingMs 10   add(a, 0) at 0   add(b, 5) at 20   add(c, 1) at 20   pops: b (level 5 and 0 ms), a (0 and 20 ms), c (1 and 0 ms)
 * ```
 */
export function createAgingOrder<T>({ agingMs, clock }: { readonly agingMs: number; readonly clock: Clock }): QueueOrder<T> {
  // All rise at the same rate, so the relative order of two items never changes.
  const heap = new KeyedHeap<T>();
  const since = new Map<T, number>();
  return {
    push: (item, priority) => {
      const now = clock.now();
      since.set(item, now);
      heap.push(item, now - priority * agingMs);
    },
    touch: (item, priority) => void heap.push(item, (since.get(item) ?? clock.now()) - priority * agingMs),
    pop: () => {
      const top = heap.popUntil(Infinity);
      if (top === undefined) throw new Error('Expected an item to pop, got an empty order');
      since.delete(top.key);
      return top.key;
    },
    len: () => heap.size,
  };
}
