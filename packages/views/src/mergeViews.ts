import { isObservable, type Observable, type Subscription } from 'rxjs';
import { rules } from 'rx-informer/internal';
import type { Collection, IndexReader, ResourceChange } from 'rx-informer';
import { checkViewOptions, expectCollections } from './kernel/checks.js';
import type { View, ViewInput, ViewOptions } from './view.js';
import type { InputLink } from './kernel/reads/inputLink.js';
import { untyped } from './kernel/viewPort.js';
import { noChange } from './kernel/computations.js';
import { ViewNode } from './kernel/viewNode.js';

/**
 * Options of `mergeViews`.
 */
export interface MergeViewsOptions<T> extends ViewOptions<T> {
  /** Resolves objects with the same key, passed in the order of the collections; `undefined` for none of them. @defaultValue the first one */
  readonly resolve?: ((objects: readonly [T, T, ...T[]], key: string) => T | null | undefined) | undefined;
}

/**
 * The type of a collection's objects.
 */
export type ObjectIn<C> = C extends Collection<infer T> ? T : never;

/**
 * Makes a view of the union of several collections. Objects with the same key become one.
 *
 * ```text
 * first    {+a}                              {-a}
 * second              {+a' +b}
 * result              {+a +b}                {~a'}
 * ```
 *
 * An object that is removed from one collection, but exists in another, is updated, not deleted.
 *
 * For collections that are added and removed, pass an Observable of lists; each list replaces the one before.
 *
 * ```text
 * lists     [first]        [first second]       [second]
 * result    {+a +b}        {+c}                 {-a -b}
 * ```
 *
 * - An added collection is connected at once. Its objects appear when it is complete; until then `synced` is false, and everything else stays.
 * - When a collection is removed, its objects are deleted in one change. A stopped collection keeps its last content until it is removed.
 * - Nothing is emitted before everything in the first list is complete. When the Observable fails, the view fails; when it completes, the view continues.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { mergeViews } from '@rx-informer/views';
 * import { BehaviorSubject } from 'rxjs';
 *
 * const client = createClient();
 * const mine = createInformer(client, resources.core.v1.configmaps, { namespace: 'mine' });
 * const defaults = createInformer(client, resources.core.v1.configmaps, { namespace: 'defaults' });
 * const settings = mergeViews([mine, defaults]);
 *
 * const lists = new BehaviorSubject([mine]);
 * const changing = mergeViews(lists);
 * changing.change$.subscribe(({ events }) => console.log(events.length));
 * lists.next([mine, defaults]);
 * ```
 *
 * @throws TypeError when an argument is wrong. Streams fail with a TypeError when a list is wrong.
 *
 * @see istio krt: `JoinCollection`, `JoinWithMergeCollection` and `NestedJoinCollection`
 */
export function mergeViews<T, C extends Collection<T> = Collection<T>>(
  collections: readonly C[] | Observable<readonly C[]>,
  options: MergeViewsOptions<ObjectIn<C>> = {},
): View<ObjectIn<C>> {
  type O = ObjectIn<C>;
  const given = collections as readonly Collection<O>[] | Observable<readonly Collection<O>[]>;
  if (!isObservable(given)) {
    expectCollections('mergeViews', given);
    if (given.length === 0) throw new TypeError('Expected `mergeViews` to be given at least one informer or view');
  }
  checkViewOptions('mergeViews', options, { resolve: rules.function });
  const { resolve = ([first]: readonly [O, O, ...O[]]): O => first, ...others } = options;
  return new Merging<O>(isObservable(given) ? given : [...new Set(given)], resolve, others).asView();
}

type List<T> = readonly Collection<T>[];
type Resolve<T> = (objects: readonly [T, T, ...T[]], key: string) => T | null | undefined;

/** The length of the common start of two lists. A small function of its own, since V8 optimizes it sooner. */
function sharedStart(a: readonly unknown[], b: readonly unknown[]): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

/**
 * A view of the union of several collections: fixed ones, or those of the last list of an Observable.
 */
class Merging<T> extends ViewNode<T> {
  private readonly lists$: Observable<List<T>> | undefined;
  private readonly resolve: Resolve<T>;
  /** The complete collections that have an object with the key. */
  private readonly holders = new Map<string, InputLink<never> | Set<InputLink<never>>>();
  /** The collections in order, without duplicates. */
  private list: Collection<never>[] = [];
  /** The position of each collection in the list; computed when needed. */
  private positions: Map<Collection<never>, number> | undefined;
  /** Whether a list has arrived, and whether another one may follow. */
  private known: boolean;
  private open = false;

  constructor(collections: List<T> | Observable<List<T>>, resolve: Resolve<T>, options: ViewOptions<T>) {
    const isStream = isObservable(collections);
    super('mergeViews', isStream ? [] : collections.map(untyped), options, isStream ? collections : undefined);
    this.lists$ = isStream ? collections : undefined;
    if (isStream) this.inputs = new Set();
    else this.list = [...this.inputs];
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
    const complete = (): void => {
      this.open = false;
      this.completed();
    };
    this.follow(session, lists$, { next: (list) => this.exchange(list), error: (error: unknown) => this.failed(error), complete });
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
      const value = objects.length < 2 ? objects[0] : (this.resolve(objects as [T, T, ...T[]], key) ?? undefined);
      this.use(key, (needs) => {
        for (const { collection } of this.holdersOf(key)) needs.key(collection, key);
      });
      if (value === undefined) this.needs?.unuse(key);
      this.made(key, value);
      this.succeed(key);
    } catch (error) {
      this.fail(key, error);
      this.stay(key);
    }
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return this.holdersOf(key).map(({ collection }) => ({ collection: collection.name, read: `key ${key}`, keys: [key] }));
  }

  protected reset(): void {
    this.holders.clear();
    if (this.lists$ === undefined) return;
    this.inputs = new Set();
    this.list = [];
    this.positions = undefined;
    this.known = false;
  }

  /** The collections that have an object with the key, in the order of the list. */
  private holdersOf(key: string): readonly InputLink<never>[] {
    const holders = this.holders.get(key);
    if (holders === undefined) return [];
    if (!(holders instanceof Set)) return [holders];
    const positions = (this.positions ??= new Map(this.list.map((input, at) => [input, at])));
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

  /** Replaces the list of collections. */
  private exchange(list: List<T>): void {
    try {
      if (!Array.isArray(list)) expectCollections('mergeViews', list);
      this.known = true;
      this.replace(list as readonly unknown[] as readonly Collection<never>[]);
    } catch (error) {
      this.failed(error);
    }
    this.schedule();
  }

  /** Replaces the list. The common start and end of both lists are skipped, so that a growing list costs only its new entries. */
  private replace(list: readonly Collection<never>[]): void {
    const before = this.list;
    const shorter = Math.min(before.length, list.length);
    const from = sharedStart(before, list);
    let same = 0;
    while (same < shorter - from && before[before.length - 1 - same] === list[list.length - 1 - same]) same += 1;
    const left = new Set(before.slice(from, before.length - same));
    const came = list.slice(from, list.length - same);
    expectCollections('mergeViews', came);
    const fresh = new Set(came);
    if (fresh.size < came.length || came.some((input) => this.inputs.has(input) && !left.has(input))) {
      this.replace([...new Set(list)]);
      return;
    }
    const kept = came.filter((input) => left.has(input));
    const isReordered = [...left].filter((input) => fresh.has(input)).some((input, at) => input !== kept[at]);
    const inputs = this.inputs as Set<Collection<never>>;
    for (const input of left) {
      const isKept = fresh.has(input);
      if (!isKept) inputs.delete(input);
      if (isKept && !isReordered) continue;
      const link = this.links.get(input);
      if (link?.ready === true) for (const key of link.reader.listKeys()) this.exchangeKey(key, link, isKept);
      if (link !== undefined && !isKept) this.unlink(link);
    }
    if (from === before.length) for (const input of came) this.positions?.set(input, this.positions.size);
    else this.positions = undefined;
    before.splice(from, before.length - same - from, ...came);
    for (const input of came) inputs.add(input);
    // Connecting one may emit the next list synchronously.
    for (const input of came) if (inputs.has(input)) this.link(input);
  }

  private exchangeKey(key: string, link: InputLink<never>, isKept: boolean): void {
    if (!isKept) this.leave(key, link);
    this.mark(key, link, noChange);
  }
}
