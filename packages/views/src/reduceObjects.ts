import { deepFreeze, entryOf, rules } from 'rx-informer/internal';
import type { Collection } from 'rx-informer';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import type { View, ViewInput, ViewOptions } from './view.js';
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
  /** Removes an object, as it was when it was added, from a total. Without it, or when it throws, the total is computed again from the remaining objects. */
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
 * Makes a view of running totals: of all objects, or of each group. With `remove`, a change of an object costs one call of `add`, of `remove`, or
 * of both, for each of its groups.
 *
 * ```text
 * pods     {+a(1) +b(2)}        {~b(5)}        {-a}
 * result   {+total: 3}          {~total: 6}    {~total: 5}
 * ```
 *
 * If `initial` is an empty array, the type of its elements comes from the first parameter of `add`, else it is `unknown`. If it contains an
 * empty array (`initial: { names: [] }`), that parameter must have a type: `add: (total: Names, pod) => ...`.
 * The total of an empty group is deleted; the total of all objects always exists. When `add` or `groupBy` throws for an object, the totals stay
 * unchanged, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { reduceObjects } from '@rx-informer/views';
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

/** An object as it was added, and its totals. */
interface Added<I> {
  readonly object: I;
  readonly groups: readonly string[];
}

/**
 * A view of running totals. An object that `add` or `remove` fails for leaves the totals unchanged.
 *
 * A total that nothing can be taken away from is added up again once per change, however many of its objects have changed.
 */
class Reduction<I, R> extends ViewNode<R> {
  private readonly input: Collection<I>;
  private readonly options: TotalFunctions<I, R> & Pick<ReduceObjectsOptions<I, R>, 'initial'>;
  private readonly totals = new Map<string, R>();
  /** The objects of each total as they were added, in order of their keys: without `remove`, the total is computed from these. */
  private readonly members = new Map<string, OrderedList<I>>();
  /** Each object as it was added, and its totals. */
  private added = new Map<string, Added<I>>();
  /** Those of the last session, for objects that a function fails for. */
  private last: ReadonlyMap<string, Added<I>> = new Map<string, Added<I>>();
  /** Deleted objects for which `remove` failed. They are removed again when one of their totals changes. */
  private readonly owed = new Set<string>();
  /** The totals to be added up again in this change: their changed objects, and each of these as it was before. */
  private readonly stale = new Map<string, Map<string, Added<I> | undefined>>();
  /** Totals that could not be added up: what is shown may not be the total of what is there, so the next change of one adds it up again. */
  private readonly unknown = new Set<string>();
  /** Adds up a group without some of its objects. */
  private readonly walk: (group: string, without: ReadonlyMap<string, unknown>) => R;

  constructor(input: Collection<I>, options: ReduceObjectsOptions<I, R>) {
    const { add, remove, initial, groupBy, ...others } = options;
    super('reduceObjects', [untyped(input)], others);
    this.input = input;
    // One guard for the loop: 20,000 guards would cost more than the additions.
    this.walk = this.guarded((group: string, without: ReadonlyMap<string, unknown>) => {
      let total = initial;
      // Most changes are of one object: to compare its key takes a quarter less time than to look for it among several.
      const only = without.size === 1 ? without.keys().next().value : undefined;
      this.members.get(group)?.each((member, key) => {
        if (only === undefined ? !without.has(key) : key !== only) total = expectTotal('add', add(total, member));
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
    for (const gone of [...this.owed]) if (this.added.get(gone)?.groups.some((group) => changed.has(group)) === true) this.repay(gone);
  }

  private repay(gone: string): void {
    this.owed.delete(gone);
    this.exchange(gone);
  }

  protected override collect(): void {
    if (this.options.groupBy === undefined && this.filling && this.touched.size === 0) {
      this.computations.begin(undefined, this.scheduler.now());
      this.touch(everything);
    }
    for (const gone of [...this.owed]) if (this.added.get(gone)?.groups.some((group) => this.stale.has(group)) === true) this.repay(gone);
    const reverted = new Set<string>();
    for (const [group, changed] of this.stale) {
      this.stale.delete(group);
      this.addUp(group, changed, reverted);
    }
    super.collect();
    if (!this.filling && this.last.size > 0) this.last = new Map<string, Added<I>>();
  }

  protected override collected(group: string): R | undefined {
    const isEmpty = (this.members.get(group)?.size ?? 0) === 0;
    // An empty total is reset to `initial`, to drop rounding errors.
    if (isEmpty) for (const known of [this.totals, this.members, this.unknown]) known.delete(group);
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
    if (!this.filling) this.last = this.added;
    this.added = new Map<string, Added<I>>();
    for (const known of [this.totals, this.members, this.owed, this.stale, this.unknown]) known.clear();
  }

  /** Exchanges an object in its totals for the current one. Returns the changed totals; undefined when that failed. */
  private exchange(key: string): ReadonlyMap<string, R> | undefined {
    const object = this.input.indexer.getByKey(key);
    const before = this.added.get(key);
    const useNow = (same: readonly string[] = []): void => this.use(key, (needs) => needs.key(untyped(this.input), key), same);
    if (before !== undefined && before.object === object) {
      this.succeed(key);
      useNow(before.groups);
      return undefined;
    }
    try {
      const changed = this.move(key, before, object === undefined ? undefined : { object, groups: this.groupsOf(object) });
      this.succeed(key);
      if (object === undefined) this.needs?.unuse(key);
      else useNow();
      return changed;
    } catch (error) {
      this.fail(key, error);
      if (object === undefined && before !== undefined) this.owed.add(key);
      if (before === undefined) this.stay(key);
      return undefined;
    }
  }

  /** Adds the object of the last session until this one has one. */
  protected override stay(key: string): void {
    const last = this.filling ? this.last.get(key) : undefined;
    try {
      if (last !== undefined) this.move(key, undefined, last);
    } catch {
      // Nor can that be added now.
    }
  }

  /** Removes an object from its totals, and adds another version; totals that it cannot be removed from become stale. Returns the changed totals. */
  private move(key: string, before: Added<I> | undefined, now: Added<I> | undefined): ReadonlyMap<string, R> {
    const totals = new Map<string, R>();
    const stale = new Set<string>();
    for (const group of before?.groups ?? []) {
      const total = this.without(group, before?.object as I);
      if (total === undefined) stale.add(group);
      else totals.set(group, total);
    }
    for (const group of now?.groups ?? []) {
      if (this.isStale(group)) stale.add(group);
      else if (!stale.has(group)) totals.set(group, this.options.add(this.totalOf(group, totals), now?.object as I));
    }
    this.place(key, now);
    for (const [group, total] of totals) {
      this.totals.set(group, total);
      this.touch(group);
    }
    for (const group of stale) {
      const changed = entryOf(this.stale, group, () => new Map<string, Added<I> | undefined>());
      if (!changed.has(key)) changed.set(key, before);
      this.touch(group);
    }
    return totals;
  }

  /** Puts an object into the lists of its totals, and takes it out of those that it has left. */
  private place(key: string, now: Added<I> | undefined): void {
    const before = this.added.get(key);
    for (const group of before?.groups ?? []) if (now?.groups.includes(group) !== true) this.members.get(group)?.delete(key);
    for (const group of now?.groups ?? [])
      join(this.members, group, key, now?.object as I, this.filling && before === undefined, before?.object);
    if (now === undefined) this.added.delete(key);
    else this.added.set(key, now);
  }

  /** Adds up a stale total: first what has not changed, then each changed object; one that cannot be added is put back as it was before. */
  private addUp(group: string, changed: ReadonlyMap<string, Added<I> | undefined>, reverted: Set<string>): void {
    try {
      let total = this.walk(group, changed);
      for (const [key, before] of changed) {
        const addNow = (): R => {
          const now = this.added.get(key);
          return now?.groups.includes(group) === true ? this.options.add(total, now.object) : total;
        };
        try {
          total = addNow();
        } catch (error) {
          if (reverted.has(key)) throw error;
          this.revert(key, before, error, group, reverted);
          total = addNow();
        }
      }
      this.totals.set(group, total);
      this.unknown.delete(group);
    } catch (error) {
      this.unknown.add(group);
      for (const [key, before] of changed) if (!reverted.has(key)) this.revert(key, before, error, group, reverted);
    }
  }

  private isStale(group: string): boolean {
    return this.stale.has(group) || this.unknown.has(group);
  }

  /** Puts an object back as it was before the change. Its other totals are added up again. */
  private revert(key: string, before: Added<I> | undefined, error: unknown, group: string, reverted: Set<string>): void {
    const now = this.added.get(key);
    reverted.add(key);
    this.fail(key, error);
    if (now === undefined) this.owed.add(key);
    this.place(key, before);
    for (const other of new Set([...(now?.groups ?? []), ...(before?.groups ?? [])])) {
      if (other === group) continue;
      entryOf(this.stale, other, () => new Map<string, Added<I> | undefined>()).set(key, before);
      this.touch(other);
    }
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

  /** The total of a group without one object; undefined if it has to be added up again: without `remove`, or when that throws. */
  private without(group: string, object: I): R | undefined {
    const { remove } = this.options;
    if (remove === undefined || this.isStale(group)) return undefined;
    try {
      return remove(this.totalOf(group, this.totals), object);
    } catch {
      return undefined;
    }
  }
}
