import { deepFreeze } from '../../api/deepFreeze.js';
import type { ObjectEvent } from '../../api/events/resourceChange.js';
import { inProduction } from '../../api/inProduction.js';
import type { KeyedWrites, Store } from '../../cache/store/store.js';
import { isOtherObject } from '../../delta/index/identity.js';
import { isEqualJson } from '../../operators/folds/isEqualJson.js';
import type { ViewOptions } from '../viewOptions.js';
import type { Computations } from './computations.js';

/**
 * Writes the values of a view, and says in which of them they differ from what there was.
 */
export class ViewContent<T> {
  private readonly store: Store<T>;
  private readonly writes: KeyedWrites<T>;
  private readonly computations: Computations;
  private readonly equals: (before: T, after: T) => boolean;
  private readonly freeze: boolean;
  private readonly onError: (key: string, error: unknown) => void;

  constructor(
    { store, writes }: { readonly store: Store<T>; readonly writes: KeyedWrites<T> },
    computations: Computations,
    { equals = isEqualJson, freeze = !inProduction() }: Pick<ViewOptions<T>, 'equals' | 'freeze'>,
    onError: (key: string, error: unknown) => void,
  ) {
    this.store = store;
    this.writes = writes;
    this.computations = computations;
    this.equals = equals;
    this.freeze = freeze;
    this.onError = onError;
  }

  /** Puts the values under their keys, and takes away what is none. `initial` is said of those that are added. */
  write(results: ReadonlyMap<string, T | undefined>, initial: boolean): readonly ObjectEvent<T>[] {
    const deleted: ObjectEvent<T>[] = [];
    const others: ObjectEvent<T>[] = [];
    for (const [key, value] of results) this.put(key, value, initial, deleted, others);
    return deleted.length === 0 ? others : deleted.concat(others);
  }

  private put(key: string, value: T | undefined, initial: boolean, deleted: ObjectEvent<T>[], others: ObjectEvent<T>[]): void {
    const { store, writes, computations } = this;
    const before = store.getByKey(key);
    const isGone = value === undefined || value === null;
    if (isGone) computations.forget(key);
    if (isGone && before === undefined) return;
    if (!isGone && before !== undefined && (before === value || this.isEqual(key, before, value))) {
      computations.counted.unchanged += 1;
      return;
    }
    if (isGone) writes.delete(key);
    else writes.update(key, this.freeze ? deepFreeze(value) : value);
    const isReplaced = !isGone && before !== undefined && isOtherObject(before, value);
    if (before !== undefined && (isGone || isReplaced))
      deleted.push({ type: 'deleted', key, object: before, finalStateUnknown: false, inferred: false });
    if (isGone) return;
    if (before === undefined || isReplaced) others.push({ type: 'added', key, object: value, initial, inferred: false });
    else others.push({ type: 'updated', key, object: value, oldObject: before, resync: false, inferred: false });
  }

  private isEqual(key: string, before: T, after: T): boolean {
    try {
      return this.equals(before, after);
    } catch (error) {
      this.onError(key, error);
      return false;
    }
  }
}
