import { isObservable, type Observable, type Subscription } from 'rxjs';
import type { ResourceChange } from '../../../api/events/resourceChange.js';
import type { IndexReader } from '../../../cache/store/indexReader.js';
import type { Collection } from '../../../informer/collection.js';
import type { ViewInput } from '../../view.js';
import type { ViewOptions } from '../../viewOptions.js';
import { expectCollections } from '../checks.js';
import type { InputLink } from '../reads/inputLink.js';
import { untyped } from '../viewPort.js';
import { ViewNode } from '../viewNode.js';

type List<T> = readonly Collection<T>[];
type Resolve<T> = (objects: readonly [T, T, ...T[]], key: string) => T | null | undefined;

/** What the keys of a collection that has gone are computed again for. */
const otherCollections: ResourceChange<unknown> = { cause: 'view', events: [], synced: true };

/** Whether what is in both comes in another order. */
function isOtherOrder<V>(before: ReadonlySet<V>, after: ReadonlySet<V>): boolean {
  const others = after.values();
  for (const value of before) {
    if (!after.has(value)) continue;
    let other = others.next();
    while (other.done !== true && !before.has(other.value)) other = others.next();
    if (other.value !== value) return true;
  }
  return false;
}

/**
 * A view of everything in several collections: always the same ones, or those of the last list of a stream.
 */
export class Merging<T> extends ViewNode<T> {
  private readonly lists$: Observable<List<T>> | undefined;
  private readonly resolve: Resolve<T>;
  /** Which complete collections have an object under a key. */
  private readonly holders = new Map<string, InputLink<never> | Set<InputLink<never>>>();
  /** The order of the collections; undefined before somebody asks. */
  private positions: ReadonlyMap<Collection<never>, number> | undefined;
  /** Whether there is a list of collections, and whether there may be another one. */
  private known: boolean;
  private open = false;

  constructor(collections: List<T> | Observable<List<T>>, resolve: Resolve<T>, options: ViewOptions<T>) {
    const isStream = isObservable(collections);
    super('mergeViews', isStream ? [] : collections.map(untyped), options);
    this.lists$ = isStream ? collections : undefined;
    this.known = !isStream;
    this.resolve = this.guarded(resolve);
  }

  override completed(): void {
    if (!this.open) super.completed();
  }

  override changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void {
    if (whole) for (const key of link.reader.listKeys()) this.enter(key, link);
    else {
      for (const { type, key } of change.events) {
        if (type === 'deleted') this.leave(key, link);
        else if (type === 'added') this.enter(key, link);
      }
    }
    super.changed(link, change, whole);
  }

  protected override connectInputs(session: Subscription): void {
    const { lists$ } = this;
    if (lists$ === undefined) {
      super.connectInputs(session);
      return;
    }
    this.open = true;
    let connecting = true;
    // A list that comes later begins a turn: in the middle of one, some would be told before and some after it.
    const inTurn = (action: () => void): void => {
      if (connecting) action();
      else this.turns.run(() => session.closed || action());
    };
    session.add(
      lists$.subscribe({
        next: (list) => inTurn(() => this.exchange(list)),
        error: (error: unknown) => inTurn(() => this.failed(error)),
        complete: () =>
          inTurn(() => {
            this.open = false;
            this.completed();
          }),
      }),
    );
    connecting = false;
  }

  protected override isReady(): boolean {
    return this.known && super.isReady();
  }

  protected compute(key: string): void {
    const objects: T[] = [];
    for (const { reader } of this.holdersOf(key)) {
      const object = (reader as IndexReader<T>).getByKey(key);
      if (object !== undefined) objects.push(object);
    }
    this.computations.made(key);
    try {
      this.results.set(key, objects.length < 2 ? objects[0] : (this.resolve(objects as [T, T, ...T[]], key) ?? undefined));
      this.succeed(key);
    } catch (error) {
      this.fail(key, error);
    }
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return this.holdersOf(key).map(({ collection }) => ({ collection: collection.name, read: `key ${key}`, keys: [key] }));
  }

  protected reset(): void {
    this.holders.clear();
    if (this.lists$ === undefined) return;
    this.inputs = new Set();
    this.known = false;
  }

  /** Those that have an object under a key, in the order of the list. */
  private holdersOf(key: string): readonly InputLink<never>[] {
    const holders = this.holders.get(key);
    if (holders === undefined) return [];
    if (!(holders instanceof Set)) return [holders];
    const positions = (this.positions ??= new Map([...this.inputs].map((input, at) => [input, at])));
    return [...holders].sort((a, b) => (positions.get(a.collection) ?? 0) - (positions.get(b.collection) ?? 0));
  }

  private enter(key: string, link: InputLink<never>): void {
    const holders = this.holders.get(key);
    if (holders === undefined || holders === link) this.holders.set(key, link);
    else if (holders instanceof Set) holders.add(link);
    else this.holders.set(key, new Set([holders, link]));
  }

  private leave(key: string, link: InputLink<never>): void {
    const holders = this.holders.get(key);
    if (holders === link) this.holders.delete(key);
    else if (holders instanceof Set) {
      holders.delete(link);
      const [first, second] = holders;
      if (first !== undefined && second === undefined) this.holders.set(key, first);
    }
  }

  /** From now on it is made of these collections. */
  private exchange(list: List<T>): void {
    try {
      expectCollections('mergeViews', list);
      const before = this.inputs;
      const after = new Set(list as readonly unknown[] as readonly Collection<never>[]);
      const isReordered = isOtherOrder(before, after);
      this.known = true;
      this.inputs = after;
      this.positions = undefined;
      for (const input of before) {
        const isKept = after.has(input);
        if (isKept && !isReordered) continue;
        const link = this.links.get(input);
        if (link?.ready === true) for (const key of link.reader.listKeys()) this.exchangeKey(key, link, isKept);
        if (link !== undefined && !isKept) this.unlink(link);
      }
      for (const input of after) if (!before.has(input)) this.link(input);
    } catch (error) {
      this.failed(error);
    }
    this.schedule();
  }

  private exchangeKey(key: string, link: InputLink<never>, isKept: boolean): void {
    if (!isKept) this.leave(key, link);
    this.mark(key, link, otherCollections);
  }
}
