import { rules } from '../api/options.js';
import type { Collection } from '../informer/collection.js';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import type { View, ViewInput, ViewOptions } from './view.js';
import { deepFreeze } from '../api/deepFreeze.js';
import type { OrderedList } from './kernel/orderedList.js';
import { untyped } from './kernel/viewPort.js';
import { groupsIn, join } from './groupObjects.js';
import { ViewNode } from './kernel/viewNode.js';

/**
 * The functions of `reduceObjects`.
 */
export interface TotalFunctions<T, R> {
  /** Adds an object to a total. Must return a new total, and not change the given one. */
  readonly add: (total: R, object: T) => R;
  /** Removes an object, as it was when it was added, from a total. Without it, the total is computed again from the remaining objects. */
  readonly remove?: ((total: R, object: T) => R) | undefined;
  /** The name of an object's group, or of all its groups; `undefined` for none. Without it, there is one total, under the key `total`. */
  readonly groupBy?: ((object: T) => string | readonly string[] | null | undefined) | undefined;
}

/**
 * Options of `reduceObjects`.
 */
export interface ReduceObjectsOptions<T, R> extends ViewOptions<R>, TotalFunctions<T, R> {
  /** The total without objects. */
  readonly initial: R;
}

/**
 * Makes a view of running totals: of all objects, or of each group. A change of an object costs one call of `add`, of `remove`, or of both.
 *
 * ```text
 * pods     {+a(1) +b(2)}        {~b(5)}        {-a}
 * result   {+total: 3}          {~total: 6}    {~total: 5}
 * ```
 *
 * If `initial` is an empty array, the type of its elements comes from the first parameter of `add`, else it is `unknown`. If it contains an
 * empty array (`initial: { names: [] }`), that parameter must have a type: `add: (total: Names, pod) => ...`.
 * The total of an empty group is deleted; the total of all objects always exists. When a function throws for an object, the totals stay
 * unchanged, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reduceObjects } from 'rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const podsPerPhase = reduceObjects(pods, {
 *   initial: 0,
 *   add: (count) => count + 1,
 *   remove: (count) => count - 1,
 *   groupBy: ({ status }) => status?.phase,
 * });
 * podsPerPhase.index$.subscribe((counts) => console.log(Object.fromEntries(counts)));
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see istio krt: `NewSingleton`
 */
export function reduceObjects<T, E>(
  collection: Collection<T>,
  options: TotalFunctions<T, readonly E[]> & ViewOptions<readonly E[]> & { readonly initial: readonly [] },
): View<readonly E[]>;
export function reduceObjects<T, R>(collection: Collection<T>, options: ReduceObjectsOptions<T, R>): View<R>;
export function reduceObjects<T, R>(collection: Collection<T>, options: ReduceObjectsOptions<T, R>): View<R> {
  expectCollection('reduceObjects', collection);
  checkViewOptions('reduceObjects', options, { initial: rules.any, add: rules.function, remove: rules.function, groupBy: rules.function });
  expectFunction('reduceObjects', 'a function `add`', options.add);
  if (options.initial === undefined || options.initial === null) throw new TypeError('Expected `initial` of `reduceObjects` to be a value');
  return new Reduction(collection, options).asView();
}

function expectTotal<R>(name: string, total: R): R {
  if ((total as unknown) === undefined || total === null)
    throw new TypeError(`Expected \`${name}\` to return the total, got ${String(total)}`);
  return total;
}

/** The key of the total of all objects. */
const everything = 'total';

/**
 * A view of running totals. An object that `add` or `remove` fails for leaves the totals unchanged.
 */
class Reduction<I, R> extends ViewNode<R> {
  private readonly input: Collection<I>;
  private readonly options: TotalFunctions<I, R> & Pick<ReduceObjectsOptions<I, R>, 'initial'>;
  private readonly totals = new Map<string, R>();
  /** The objects of each total as they were added, in order of their keys: without `remove`, the total is computed from these. */
  private readonly members = new Map<string, OrderedList<I>>();
  /** Each object as it was added, and its totals. */
  private readonly added = new Map<string, { readonly object: I; readonly groups: readonly string[] }>();
  /** Deleted objects for which `remove` failed. They are removed again when one of their totals changes. */
  private readonly owed = new Set<string>();
  /** Adds up a group without one of its objects. */
  private readonly walk: (group: string, without: string) => R;

  constructor(input: Collection<I>, options: ReduceObjectsOptions<I, R>) {
    const { add, remove, initial, groupBy, ...others } = options;
    super('reduceObjects', [untyped(input)], others);
    this.input = input;
    // One guard for the loop: 20,000 guards would cost more than the additions.
    this.walk = this.guarded((group: string, without: string) => {
      let total = initial;
      this.members.get(group)?.each((member, key) => {
        if (key !== without) total = expectTotal('add', add(total, member));
      });
      return total;
    });
    this.options = {
      // Shared by all groups, so `add` must not change it.
      initial: options.freeze === false ? initial : deepFreeze(initial),
      add: this.totalling('add', add),
      remove: remove === undefined ? undefined : this.totalling('remove', remove),
      groupBy: groupBy === undefined ? undefined : this.guarded(groupBy),
    };
  }

  protected compute(key: string): void {
    this.owed.delete(key);
    const changed = this.exchange(key);
    if (changed === undefined) return;
    for (const gone of [...this.owed]) {
      if (this.added.get(gone)?.groups.some((group) => changed.has(group)) !== true) continue;
      this.owed.delete(gone);
      this.exchange(gone);
    }
  }

  protected override collect(): void {
    if (this.options.groupBy === undefined && this.filling) this.touched.add(everything);
    super.collect();
  }

  protected override collected(group: string): R | undefined {
    const isEmpty = (this.members.get(group)?.size ?? 0) === 0;
    // An empty total is reset to `initial`, to drop rounding errors.
    if (isEmpty) for (const known of [this.totals, this.members]) known.delete(group);
    return isEmpty && this.options.groupBy !== undefined ? undefined : (this.totals.get(group) ?? this.options.initial);
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [
      {
        collection: this.input.name,
        read: this.options.groupBy === undefined ? 'everything' : `group ${key}`,
        keys: this.members.get(key)?.keys() ?? [],
      },
    ];
  }

  protected override membersOf(key: string): Iterable<string> {
    return this.members.get(key)?.keys() ?? [];
  }

  protected reset(): void {
    for (const known of [this.totals, this.members, this.added, this.owed]) known.clear();
  }

  /** Removes the old version of an object from its totals, and adds the new one. Returns the changed totals; undefined when that failed. */
  private exchange(key: string): ReadonlyMap<string, R> | undefined {
    const object = this.input.indexer.getByKey(key);
    const before = this.added.get(key);
    const useNow = (same: readonly string[] = []): void => this.use(key, (needs) => needs.key(untyped(this.input), key), same);
    if (before !== undefined && before.object === object) {
      this.succeed(key);
      useNow(before.groups);
      return undefined;
    }
    const totals = new Map<string, R>();
    let groups: readonly string[];
    try {
      groups = object === undefined ? [] : this.groupsOf(object);
      for (const group of before?.groups ?? []) totals.set(group, this.without(group, key, before?.object as I));
      for (const group of groups) totals.set(group, this.options.add(this.totalOf(group, totals), object as I));
    } catch (error) {
      this.fail(key, error);
      if (object === undefined && before !== undefined) this.owed.add(key);
      return undefined;
    }
    this.succeed(key);
    for (const group of before?.groups ?? []) if (!groups.includes(group)) this.members.get(group)?.delete(key);
    for (const group of groups) join(this.members, group, key, object as I, this.filling && before === undefined, before?.object);
    if (object === undefined) {
      this.added.delete(key);
      this.needs?.unuse(key);
    } else {
      this.added.set(key, { object, groups });
      useNow();
    }
    for (const [group, total] of totals) {
      this.totals.set(group, total);
      this.touch(group);
    }
    return totals;
  }

  private totalling(name: string, work: (total: R, object: I) => R): (total: R, object: I) => R {
    const guarded = this.guarded(work);
    return (total, object) => expectTotal(name, guarded(total, object));
  }

  private groupsOf(object: I): readonly string[] {
    const { groupBy } = this.options;
    return groupBy === undefined ? [everything] : groupsIn(groupBy(object));
  }

  private totalOf(group: string, totals: ReadonlyMap<string, R>): R {
    const total = totals.get(group) ?? this.totals.get(group);
    return total ?? this.options.initial;
  }

  /** The total of a group without one object; without `remove`, or when that throws, computed from all others. */
  private without(group: string, key: string, object: I): R {
    const { remove } = this.options;
    if (remove !== undefined) {
      try {
        return remove(this.totalOf(group, this.totals), object);
      } catch {
        // Fall back to the loop.
      }
    }
    return this.walk(group, key);
  }
}
