import { entryOf } from '../api/entryOf.js';
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

/** A queued item. One whose priority is raised leaves, and enters as another. */
interface Entry<T> {
  readonly item: T;
  readonly line: Line<T>;
  readonly priority: number;
  hasLeft: boolean;
}

/** Entries in the order in which they came. Those that have left are skipped, and removed when they outnumber the others. */
class Line<T> {
  private entries: Entry<T>[] = [];
  private head = 0;
  private size = 0;

  push(entry: Entry<T>): void {
    this.entries.push(entry);
    this.size += 1;
  }

  first(): Entry<T> | undefined {
    while (this.entries[this.head]?.hasLeft === true) this.head += 1;
    return this.entries[this.head];
  }

  /** An entry of this line has left. Returns whether the line is empty. */
  noteLeft(): boolean {
    this.size -= 1;
    if (this.size === 0) return true;
    if (this.entries.length <= 2 * this.size + 32) return false;
    this.entries = this.entries.slice(this.head).filter(({ hasLeft }) => !hasLeft);
    this.head = 0;
    return false;
  }
}

/**
 * The default order of a work queue: by priority, then first in, first out.
 *
 * A queued item whose priority is raised goes to the end of its new level. To prevent starvation, the oldest
 * item is taken, whatever its priority, after every 99 takes that passed over an older item.
 *
 * It has a line for each priority, a heap of these, and a line of all entries by age: each step costs the logarithm of the number of priorities.
 *
 * @see client-go's `DefaultQueue`, which has no priorities.
 */
export class PriorityOrder<T> implements QueueOrder<T> {
  private readonly entries = new Map<T, Entry<T>>();
  private readonly lines = new Map<number, Line<T>>();
  /** The priorities that have a line, by their negative. */
  private readonly heights = new KeyedHeap<number>();
  private ages = new Line<T>();
  private passedOver = 0;

  push(item: T, priority: number): void {
    const line = entryOf(this.lines, priority, () => {
      this.heights.push(priority, -priority);
      return new Line<T>();
    });
    const entry = { item, line, priority, hasLeft: false };
    line.push(entry);
    this.ages.push(entry);
    this.entries.set(item, entry);
  }

  touch(item: T, priority: number): void {
    const entry = this.entries.get(item);
    if (entry === undefined || entry.priority >= priority) return;
    this.remove(entry);
    this.push(item, priority);
  }

  pop(): T {
    const height = this.heights.earliest();
    const top = height === undefined ? undefined : this.lines.get(-height)?.first();
    if (top === undefined) throw new Error('Expected an item to pop, got an empty order');
    const entry = this.fairChoice(top);
    this.remove(entry);
    return entry.item;
  }

  len(): number {
    return this.entries.size;
  }

  private fairChoice(top: Entry<T>): Entry<T> {
    const oldest = this.ages.first() ?? top;
    if (oldest === top) return top;
    this.passedOver += 1;
    if (this.passedOver < maxPassedOver) return top;
    this.passedOver = 0;
    return oldest;
  }

  private remove(entry: Entry<T>): void {
    entry.hasLeft = true;
    this.entries.delete(entry.item);
    if (entry.line.noteLeft()) {
      this.lines.delete(entry.priority);
      this.heights.remove(entry.priority);
    }
    if (this.ages.noteLeft()) this.ages = new Line<T>();
  }
}
