import type { QueueOrder } from './queueOrder.js';

/** How often an older item of a lower level may be passed over before the oldest of all gets its turn. */
const maxPassedOver = 100;

/** A place in the ring of a level; a new one is a ring of its own. */
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
  /** The levels that hold something, highest first. */
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
 * The order of a work queue that is given none: the highest priority first, and within one priority first in, first out.
 *
 * An item whose priority is raised while it waits goes to the end of its new level. So that nothing waits for ever, the item that has waited
 * longest is taken, whatever its priority, after every 99 takes that passed over an older item.
 *
 * @see client-go's `DefaultQueue`, which has no priorities.
 */
export function createPriorityOrder<T>(): QueueOrder<T> {
  return new PriorityOrder<T>();
}
