import { deepFreeze } from '../../../api/deepFreeze.js';
import type { Collection } from '../../../informer/collection.js';
import type { ViewInput, ViewOptions } from '../../view.js';
import type { OrderedList } from '../orderedList.js';
import { untyped } from '../viewPort.js';
import { groupsIn, join } from './grouping.js';
import { ViewNode } from '../viewNode.js';

/** How totals are made. */
interface Totals<I, R> {
  readonly initial: R;
  readonly add: (total: R, object: I) => R;
  readonly remove?: ((total: R, object: I) => R) | undefined;
  readonly groupBy?: ((object: I) => string | readonly string[] | null | undefined) | undefined;
}

function expectTotal<R>(name: string, total: R): R {
  if ((total as unknown) === undefined || total === null)
    throw new TypeError(`Expected \`${name}\` to return the total, got ${String(total)}`);
  return total;
}

/** The key of a total over everything. */
const everything = 'total';

/**
 * A view of running totals. What cannot be added or taken away leaves the totals as they were.
 */
export class Reduction<I, R> extends ViewNode<R> {
  private readonly input: Collection<I>;
  private readonly options: Totals<I, R>;
  private readonly totals = new Map<string, R>();
  /** The objects of each total as they were added, in the order of their keys: who cannot take one away walks over the others. */
  private readonly members = new Map<string, OrderedList<I>>();
  /** What each object was when it was added, and to which totals. */
  private readonly added = new Map<string, { readonly object: I; readonly groups: readonly string[] }>();
  /** Adds up a group without one of its objects. */
  private readonly walk: (group: string, without: string) => R;

  constructor(input: Collection<I>, options: Totals<I, R> & ViewOptions<R>) {
    const { add, remove, initial, groupBy, ...others } = options;
    super('reduceObjects', [untyped(input)], others);
    this.input = input;
    // Guarded as a whole: 20,000 guards cost more than the additions.
    this.walk = this.guarded((group: string, without: string) => {
      let total = initial;
      this.members.get(group)?.each((member, key) => {
        if (key !== without) total = expectTotal('add', add(total, member));
      });
      return total;
    });
    this.options = {
      // All groups begin with it: `add` must not change it.
      initial: options.freeze === false ? initial : deepFreeze(initial),
      add: this.totalling('add', add),
      remove: remove === undefined ? undefined : this.totalling('remove', remove),
      groupBy: groupBy === undefined ? undefined : this.guarded(groupBy),
    };
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.added.get(key);
    const totals = new Map<string, R>();
    let groups: readonly string[];
    try {
      groups = object === undefined ? [] : this.groupsOf(object);
      for (const group of before?.groups ?? []) totals.set(group, this.without(group, key, before?.object as I));
      for (const group of groups) totals.set(group, this.options.add(this.totalOf(group, totals), object as I));
    } catch (error) {
      this.fail(key, error);
      return;
    }
    this.succeed(key);
    for (const group of before?.groups ?? []) if (!groups.includes(group)) this.members.get(group)?.delete(key);
    for (const group of groups) join(this.members, group, key, object as I, this.filling && before === undefined, before?.object);
    if (object === undefined) this.added.delete(key);
    else this.added.set(key, { object, groups });
    for (const [group, total] of totals) {
      this.totals.set(group, total);
      this.touch(group);
    }
  }

  protected override collect(): void {
    if (this.options.groupBy === undefined && this.filling) this.touched.add(everything);
    super.collect();
  }

  protected override collected(group: string): R | undefined {
    const isEmpty = (this.members.get(group)?.size ?? 0) === 0;
    // A sum of nothing is what it was at first, whatever rounding has left.
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

  protected reset(): void {
    this.totals.clear();
    this.members.clear();
    this.added.clear();
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

  /** The total of a group without one object; without `remove`, or when it fails, from all others. */
  private without(group: string, key: string, object: I): R {
    const { remove } = this.options;
    if (remove !== undefined) {
      try {
        return remove(this.totalOf(group, this.totals), object);
      } catch {
        // The others add up to it.
      }
    }
    return this.walk(group, key);
  }
}
