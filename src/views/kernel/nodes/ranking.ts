import type { Collection } from '../../../informer/collection.js';
import type { ViewInput } from '../../viewExplanation.js';
import type { ViewOptions } from '../../viewOptions.js';
import { untyped } from '../untyped.js';
import { ViewNode } from '../viewNode.js';

/**
 * A view of the first objects of an order. All are kept in order, so that the next one is known when one of the first goes.
 */
export class Ranking<T> extends ViewNode<T> {
  private readonly input: Collection<T>;
  private readonly compare: (a: T, b: T) => number;
  private readonly limit: number;
  /** The keys in order, and what each object was when it was given its place. */
  private order: string[] = [];
  private readonly placed = new Map<string, T>();
  private top: ReadonlySet<string> = new Set<string>();
  private readonly touched = new Set<string>();

  constructor(input: Collection<T>, compare: (a: T, b: T) => number, limit: number, options: ViewOptions<T>) {
    super('topObjects', [untyped(input)], options);
    this.input = input;
    this.compare = compare;
    this.limit = limit;
  }

  protected inputKeys(): Iterable<string> {
    return this.placed.keys();
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.placed.get(key);
    if (before !== undefined) this.order.splice(this.find(key, before), 1);
    try {
      if (object === undefined) this.placed.delete(key);
      else {
        const at = this.placeOf(key, object);
        this.order.splice(at, 0, key);
        this.placed.set(key, object);
      }
      this.succeed(key);
    } catch (error) {
      if (before !== undefined) this.putBack(key, before);
      this.fail(key, error);
    }
    this.touched.add(key);
    this.computations.made(key);
  }

  protected override collect(): void {
    const top = new Set(this.order.slice(0, this.limit));
    for (const key of this.top) if (!top.has(key)) this.results.set(key, undefined);
    for (const key of top) if (!this.top.has(key) || this.touched.has(key)) this.results.set(key, this.placed.get(key));
    for (const key of this.touched) if (!this.results.has(key)) this.results.set(key, undefined);
    this.top = top;
    this.touched.clear();
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.input.name, read: `key ${key}`, keys: [key] }];
  }

  protected reset(): void {
    this.order = [];
    this.placed.clear();
    this.top = new Set<string>();
    this.touched.clear();
  }

  /** Where an object belongs: behind those that come before it, and of equals by its key. */
  private placeOf(key: string, object: T): number {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.order[middle] as string;
      const order = this.compare(object, this.placed.get(other) as T);
      if (Number.isNaN(order)) throw new TypeError('Expected the comparison to return a number');
      if (order < 0 || (order === 0 && key < other)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Where an object stands: right before its place, as long as the comparison says what it said. */
  private find(key: string, object: T): number {
    try {
      const at = this.placeOf(key, object) - 1;
      if (this.order[at] === key) return at;
    } catch {
      // It has to be looked for.
    }
    return this.order.indexOf(key);
  }

  private putBack(key: string, before: T): void {
    let at = this.order.length;
    try {
      at = this.placeOf(key, before);
    } catch {
      // It cannot be compared at all any more: behind all others.
    }
    this.order.splice(at, 0, key);
  }
}
