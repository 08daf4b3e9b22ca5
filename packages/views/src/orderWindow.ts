import { map, type Observable } from 'rxjs';
import type { Collection, ResourceChange } from 'rx-informer';
import type { Cause } from './kernel/computations.js';
import type { InputLink } from './kernel/reads/inputLink.js';
import { ViewNode } from './kernel/viewNode.js';
import { untyped } from './kernel/viewPort.js';
import type { ViewInput, ViewOptions } from './view.js';

/** The order that windows are parts of. */
export interface Order<T> {
  readonly collection: Collection<T>;
  /** The keys of a part, in order. */
  readonly keysFrom: (offset: number, limit: number) => Iterable<string>;
  readonly total: () => number;
}

/** A view of a part of an order: it looks at that part alone, once per change of the order. */
export class OrderWindow<T> extends ViewNode<T> {
  readonly ordered$: Observable<readonly T[]>;
  protected override readonly byObject: boolean = false;
  private readonly order: Order<T>;
  private readonly offset: number;
  private readonly limit: number;
  private shown: ReadonlySet<string> = new Set<string>();
  private cause: Cause | undefined;
  private isWhole = false;

  constructor(order: Order<T>, offset: number, limit: number, options: ViewOptions<T>) {
    super('window', [untyped(order.collection)], options);
    this.order = order;
    this.offset = offset;
    this.limit = limit;
    this.ordered$ = this.change$.pipe(map(() => this.ordered()));
  }

  /** The objects in their order. */
  ordered(): readonly T[] {
    return [...this.shown].map((key) => this.store.getByKey(key)).filter((object) => object !== undefined);
  }

  /** How many objects the order has. */
  total(): number {
    return this.order.total();
  }

  override changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void {
    super.changed(link, change, whole);
    if (!whole && change.cause === 'resync') return;
    // The events of a whole order are not read: they would be made for each window.
    if (whole) this.isWhole = true;
    else
      for (const event of change.events) {
        this.noteLeft(event.key, event);
        this.touched.add(event.key);
      }
    this.cause = this.computations.causeOf(link, change);
    this.schedule();
  }

  override renewed(input: Collection<never>, change: ResourceChange<never>, isWhole: boolean): void {
    super.renewed(input, change, isWhole);
    if (isWhole) this.isWhole = true;
  }

  protected compute(): void {
    // Nothing is computed for one object alone.
  }

  protected override collect(): void {
    const { indexer } = this.order.collection;
    const shown = new Set(this.order.keysFrom(this.offset, this.limit));
    this.computations.begin(this.cause, this.scheduler.now());
    for (const key of this.shown) {
      if (shown.has(key)) continue;
      this.needs?.unuse(key);
      this.made(key, undefined);
    }
    for (const key of shown) {
      if (!this.filling && !this.isWhole && this.shown.has(key) && !this.touched.has(key)) continue;
      // That an object is in this part tells of those before it.
      this.use(key, (needs) => needs.whole(untyped(this.order.collection)));
      this.made(key, indexer.getByKey(key));
    }
    this.computations.end(this.scheduler.now());
    this.shown = shown;
    this.isWhole = false;
    this.touched.clear();
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.order.collection.name, read: `key ${key}`, keys: [key] }];
  }

  protected reset(): void {
    this.shown = new Set<string>();
    this.isWhole = false;
  }
}
