import type { QueueOrder } from './queueOrder.js';

/** So many takes may pass over an older item of a lower level before the oldest of all gets its turn. */
const maxPassedOver = 100;

/** The items of one priority, by the numbers of their arrivals. */
class Level<T> {
  readonly priority: number;
  readonly items = new Map<T, number>();
  /** One iterator for all that ever arrives: a new one would walk over all that has been taken before. */
  private readonly arrivals = this.items.entries();
  private head: [item: T, sequence: number] | undefined;

  constructor(priority: number) {
    this.priority = priority;
  }

  /** The first of those that are still there; there must be one. */
  first(): [item: T, sequence: number] {
    while (this.head === undefined || this.items.get(this.head[0]) !== this.head[1]) this.head = this.arrivals.next().value;
    return this.head;
  }
}

class PriorityOrder<T> implements QueueOrder<T> {
  private readonly levelOf = new Map<T, Level<T>>();
  /** The levels that hold something, highest first. */
  private readonly levels: Level<T>[] = [];
  private sequence = 0;
  private passedOver = 0;

  push(item: T, priority: number): void {
    const level = this.level(priority);
    this.sequence += 1;
    level.items.set(item, this.sequence);
    this.levelOf.set(item, level);
  }

  touch(item: T, priority: number): void {
    const level = this.levelOf.get(item);
    if (level === undefined || level.priority >= priority) return;
    this.remove(item, level);
    this.push(item, priority);
  }

  pop(): T {
    const [top] = this.levels;
    if (top === undefined) throw new Error('Expected an item to pop, got an empty order');
    const level = this.levels.length === 1 ? top : this.fairChoice(top);
    const [item] = level.first();
    this.remove(item, level);
    return item;
  }

  len(): number {
    return this.levelOf.size;
  }

  private fairChoice(top: Level<T>): Level<T> {
    let oldest = top;
    for (const level of this.levels) if (level.first()[1] < oldest.first()[1]) oldest = level;
    if (oldest === top) return top;
    this.passedOver += 1;
    if (this.passedOver < maxPassedOver) return top;
    this.passedOver = 0;
    return oldest;
  }

  private level(priority: number): Level<T> {
    const after = this.levels.findIndex((level) => level.priority <= priority);
    const at = after === -1 ? this.levels.length : after;
    const known = this.levels[at];
    if (known?.priority === priority) return known;
    const level = new Level<T>(priority);
    this.levels.splice(at, 0, level);
    return level;
  }

  private remove(item: T, level: Level<T>): void {
    this.levelOf.delete(item);
    level.items.delete(item);
    if (level.items.size === 0) this.levels.splice(this.levels.indexOf(level), 1);
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
