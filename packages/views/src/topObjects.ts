import { map, type Observable } from 'rxjs';
import { describeValue, firstWhere, rules } from 'rx-informer/internal';
import type { Collection, ResourceChange } from 'rx-informer';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import type { View, ViewInput, ViewOptions } from './view.js';
import { untyped } from './kernel/viewPort.js';
import { noChange } from './kernel/computations.js';
import type { InputLink } from './kernel/reads/inputLink.js';
import { ViewNode } from './kernel/viewNode.js';
import { type Order, OrderWindow } from './orderWindow.js';

/**
 * Options of `topObjects`.
 */
export interface TopObjectsOptions<T> extends ViewOptions<T> {
  /** The maximum number of objects in the view. @defaultValue 50 */
  readonly limit?: number | undefined;
}

/**
 * A view whose objects have an order.
 */
export interface OrderedView<T> extends View<T> {
  /** The objects in their order, after each change. */
  readonly ordered$: Observable<readonly T[]>;
  /** The objects in their order; empty while the view has no subscribers. */
  ordered(): readonly T[];
  /** How many objects the view has; of a window, how many its order has. */
  total(): number;
  /**
   * A part of the order, as a view: the rows of a long table that can be seen. All windows share the order, which is kept once.
   *
   * @example
   * ```ts
   * import { createClient, createInformer, resources } from 'rx-informer';
   * import { topObjects } from '@rx-informer/views';
   *
   * const pods = createInformer(createClient(), resources.core.v1.pods);
   * const byName = topObjects(pods, (a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1), { limit: Infinity });
   * byName.window({ offset: 4000, limit: 50 }).ordered$.subscribe((rows) => console.log(rows.length));
   * ```
   */
  window(options: OrderWindowOptions<T>): Omit<OrderedView<T>, 'window'>;
}

/** Options of a window of an ordered view. */
export interface OrderWindowOptions<T> extends ViewOptions<T> {
  /** How many objects of the order precede it. @defaultValue 0 */
  readonly offset?: number | undefined;
  /** The maximum number of objects. */
  readonly limit: number;
}

/**
 * Makes a view of the first objects of a collection, by an order: the rows of a table.
 *
 * ```text
 * pods              {+a(3) +b(1) +c(2)}      {~a(0)}             {-b}
 * limit: 2          {+b +c}                  {-c +a}             {-b +c}
 * ```
 *
 * Equal objects are ordered by key. Like every collection, the view is keyed; `ordered$` and `ordered()` return its objects in their order.
 * When `compare` throws for an object, its position stays, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`. It is compared
 * again when it, or the object that it was compared with, has changed.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { topObjects } from '@rx-informer/views';
 *
 * const events = createInformer(createClient(), resources.core.v1.events);
 * const newest = topObjects(events, (a, b) => (b.lastTimestamp ?? '').localeCompare(a.lastTimestamp ?? ''), { limit: 20 });
 * newest.ordered$.subscribe((rows) => console.log(rows.map(({ reason }) => reason)));
 * ```
 *
 * @param compare - negative if `a` precedes `b`. Must depend on the two objects alone.
 * @throws TypeError when an argument is wrong.
 */
export function topObjects<T>(
  collection: Collection<T>,
  compare: (a: T, b: T) => number,
  options: TopObjectsOptions<T> = {},
): OrderedView<T> {
  expectCollection('topObjects', collection);
  expectFunction('topObjects', 'a function that compares two objects', compare);
  checkViewOptions('topObjects', options, { limit: rules.number({ min: 1, integer: true, infinite: true }) });
  const { limit = 50, ...others } = options;
  return new Ranking(collection, compare, limit, others) as unknown as OrderedView<T>;
}

/** The maximum number of keys in a chunk: an insertion or removal moves at most these. */
const pieceSize = 512;

/** A position in the order. */
interface Place {
  readonly piece: number;
  readonly at: number;
}

/**
 * A view of the first objects of an order. All objects are kept in order, so that the next one is known when one of the first is removed.
 */
class Ranking<T> extends ViewNode<T> {
  /** The objects in their order, after each change. */
  readonly ordered$: Observable<readonly T[]>;
  private readonly input: Collection<T>;
  private readonly compare: (a: T, b: T) => number;
  private readonly limit: number;
  /** The keys in order, in non-empty chunks, and each object at the time of its insertion. */
  private pieces: string[][] = [];
  private readonly placed = new Map<string, T>();
  /** For each object that could not be placed: the key of the object that it could not be compared with. It is placed again when that object changes. */
  private readonly blockedBy = new Map<string, string>();
  /** The object of the current comparison. */
  private other = '';
  private top: ReadonlySet<string> = new Set<string>();

  constructor(input: Collection<T>, compare: (a: T, b: T) => number, limit: number, options: ViewOptions<T>) {
    super('topObjects', [untyped(input)], options);
    this.input = input;
    const guarded = this.guarded(compare);
    this.compare = (a, b) => {
      const order: unknown = guarded(a, b);
      if (typeof order === 'number' && !Number.isNaN(order)) return order;
      throw new TypeError(`Expected the comparison to return a number, got ${describeValue(order)}`);
    };
    this.limit = limit;
    this.ordered$ = this.change$.pipe(map(() => this.ordered()));
  }

  /** The objects in their order. */
  ordered(): readonly T[] {
    return [...this.keysFrom(0, Infinity)].map((key) => this.store.getByKey(key)).filter((object) => object !== undefined);
  }

  total(): number {
    const placed = this.pieces.reduce((sum, { length }) => sum + length, 0);
    return Math.min(this.limit, placed);
  }

  window(options: OrderWindowOptions<T>): OrderWindow<T> {
    checkViewOptions('window', options, {
      offset: rules.number({ min: 0, integer: true }),
      limit: rules.required(rules.number({ min: 1, integer: true, infinite: true })),
    });
    const { offset = 0, limit, ...others } = options;
    const order: Order<T> = {
      collection: this as unknown as Collection<T>,
      keysFrom: (from, most) => this.keysFrom(from, most),
      total: () => this.total(),
    };
    return new OrderWindow(order, offset, limit, others);
  }

  override renewed(input: Collection<never>, change: ResourceChange<never>, isWhole: boolean): void {
    super.renewed(input, change, isWhole);
    const link = this.links.get(input);
    if (isWhole && link?.ready === true) for (const key of this.placed.keys()) this.mark(key, link, noChange);
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.placed.get(key);
    const place = before === undefined ? undefined : this.find(key, before);
    if (place !== undefined) this.remove(place);
    this.blockedBy.delete(key);
    try {
      if (object === undefined) {
        this.placed.delete(key);
        this.needs?.unuse(key);
      } else {
        // That an object is among the first tells of all others.
        this.use(key, (needs) => (this.limit === Infinity ? needs.key(untyped(this.input), key) : needs.whole(untyped(this.input))));
        this.insert(this.placeOf(key, object), key);
        this.placed.set(key, object);
      }
      this.succeed(key);
      const link = this.links.get(untyped(this.input)) as InputLink<never>;
      for (const [blocked, by] of this.blockedBy) if (by === key) this.mark(blocked, link, noChange);
    } catch (error) {
      if (place !== undefined) this.insert(place, key);
      this.blockedBy.set(key, this.other);
      this.fail(key, error);
      this.stay(key);
    }
    this.touch(key);
  }

  /** The last session's content stands until this one has one. */
  protected override stay(key: string): void {
    const last = this.filling && !this.placed.has(key) ? this.store.getByKey(key) : undefined;
    if (last === undefined) return;
    try {
      this.insert(this.placeOf(key, last), key);
      this.placed.set(key, last);
    } catch {
      // It is placed when the object that it was compared with has changed.
    }
  }

  protected override collect(): void {
    if (this.limit === Infinity) {
      for (const key of this.touched) this.results.set(key, this.placed.get(key));
      this.touched.clear();
      return;
    }
    const top = new Set(this.keysFrom(0, Infinity));
    for (const key of this.top) if (!top.has(key)) this.results.set(key, undefined);
    for (const key of top) {
      if (this.touched.has(key)) this.results.set(key, this.placed.get(key));
      else if (!this.top.has(key)) this.made(key, this.placed.get(key));
    }
    for (const key of this.touched) if (!top.has(key)) this.results.set(key, undefined);
    this.top = top;
    this.touched.clear();
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.input.name, read: `key ${key}`, keys: [key] }];
  }

  protected reset(): void {
    this.pieces = [];
    this.placed.clear();
    this.blockedBy.clear();
    this.top = new Set<string>();
  }

  /** The keys of a part of the view, in order. */
  private *keysFrom(offset: number, limit: number): Iterable<string> {
    const end = Math.min(this.limit, offset + limit);
    let from = 0;
    for (const piece of this.pieces) {
      if (from >= end) return;
      const to = from + piece.length;
      if (to > offset) yield* piece.slice(Math.max(0, offset - from), end - from);
      from = to;
    }
  }

  /** The position to insert an object at: after all that precede it; equal ones are ordered by key. */
  private placeOf(key: string, object: T): Place {
    const isBefore = (other: string): boolean => {
      this.other = other;
      const order = this.compare(object, this.placed.get(other) as T);
      return order < 0 || (order === 0 && key < other);
    };
    const { pieces } = this;
    const piece = firstWhere(pieces.length, (at) => isBefore(pieces[at]?.at(-1) as string));
    if (piece === pieces.length) return { piece: Math.max(0, piece - 1), at: pieces.at(-1)?.length ?? 0 };
    const keys = pieces[piece] as string[];
    return { piece, at: firstWhere(keys.length, (at) => isBefore(keys[at] as string)) };
  }

  /** The current position of an object, found by comparison if `compare` still returns the same results. */
  private find(key: string, object: T): Place {
    try {
      const { piece, at } = this.placeOf(key, object);
      const found = at > 0 ? { piece, at: at - 1 } : { piece: piece - 1, at: (this.pieces[piece - 1]?.length ?? 0) - 1 };
      if (this.pieces[found.piece]?.[found.at] === key) return found;
    } catch {
      // Search for it below.
    }
    const piece = this.pieces.findIndex((keys) => keys.includes(key));
    return { piece, at: this.pieces[piece]?.indexOf(key) ?? -1 };
  }

  private insert({ piece, at }: Place, key: string): void {
    const keys = this.pieces[piece];
    if (keys === undefined) {
      this.pieces.push([key]);
      return;
    }
    keys.splice(at, 0, key);
    if (keys.length > pieceSize) this.pieces.splice(piece + 1, 0, keys.splice(pieceSize / 2));
  }

  private remove({ piece, at }: Place): void {
    const keys = this.pieces[piece];
    keys?.splice(at, 1);
    if (keys?.length === 0) this.pieces.splice(piece, 1);
  }
}
