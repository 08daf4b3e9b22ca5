import { ValueIndex } from '../../../cache/store/valueIndex.js';
import { deepFreeze } from '../../../api/deepFreeze.js';
import type { Collection } from '../../../informer/collection.js';
import type { ViewInput } from '../../view.js';
import type { ViewOptions } from '../../viewOptions.js';
import { untyped } from '../viewPort.js';
import { groupsIn } from './grouping.js';
import { ViewNode } from '../viewNode.js';

/** How totals are made. */
interface Totals<I, R> {
  readonly initial: R;
  readonly add: (total: R, object: I) => R;
  readonly remove?: ((total: R, object: I) => R) | undefined;
  readonly groupBy?: ((object: I) => string | readonly string[] | null | undefined) | undefined;
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
  private members = new ValueIndex();
  /** What each object was when it was added. */
  private readonly added = new Map<string, I>();
  private readonly touched = new Set<string>();

  constructor(input: Collection<I>, options: Totals<I, R> & ViewOptions<R>) {
    const { add, remove, initial, groupBy, ...others } = options;
    super('reduceObjects', [untyped(input)], others);
    this.input = input;
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
    const groupsBefore = this.members.valuesOf(key);
    const totals = new Map<string, R>();
    try {
      const groups = object === undefined ? [] : this.groupsOf(object);
      for (const group of groupsBefore) totals.set(group, this.without(group, key, before as I));
      for (const group of groups) totals.set(group, this.options.add(this.totalOf(group, totals), object as I));
      this.members.file(key, groups);
    } catch (error) {
      this.fail(key, error);
      return;
    }
    this.succeed(key);
    if (object === undefined) this.added.delete(key);
    else this.added.set(key, object);
    for (const [group, total] of totals) {
      this.totals.set(group, total);
      this.touched.add(group);
      this.computations.made(group);
    }
  }

  protected override collect(): void {
    const isWhole = this.options.groupBy === undefined;
    if (isWhole && this.filling) this.touched.add(everything);
    for (const group of this.touched) {
      const isEmpty = this.members.count(group) === 0;
      // A sum of nothing is what it was at first, whatever rounding has left.
      if (isEmpty) this.totals.delete(group);
      this.results.set(group, isEmpty && !isWhole ? undefined : (this.totals.get(group) ?? this.options.initial));
    }
    this.touched.clear();
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [
      {
        collection: this.input.name,
        read: this.options.groupBy === undefined ? 'everything' : `group ${key}`,
        keys: [...this.members.keys(key)].sort(),
      },
    ];
  }

  protected reset(): void {
    this.totals.clear();
    this.members = new ValueIndex();
    this.added.clear();
    this.touched.clear();
  }

  private totalling(name: string, work: (total: R, object: I) => R): (total: R, object: I) => R {
    const guarded = this.guarded(work);
    return (total, object) => {
      const after = guarded(total, object);
      if ((after as unknown) === undefined || after === null)
        throw new TypeError(`Expected \`${name}\` to return the total, got ${String(after)}`);
      return after;
    };
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
    const { add, remove, initial } = this.options;
    if (remove !== undefined) {
      try {
        return remove(this.totalOf(group, this.totals), object);
      } catch {
        // The others add up to it.
      }
    }
    const others = this.members
      .keys(group)
      .filter((member) => member !== key)
      .sort();
    return others.reduce((total, member) => add(total, this.added.get(member) as I), initial);
  }
}
