import type { Collection } from 'rx-informer';
import { checkViewOptions, expectCollection, expectFunction } from './kernel/checks.js';
import type { View, ViewInput, ViewOptions } from './view.js';
import { deepFreeze, describeValue, entryOf, isEqualJson } from 'rx-informer/internal';
import { LazyArrays, OrderedList } from './kernel/orderedList.js';
import { untyped } from './kernel/viewPort.js';
import { ViewNode } from './kernel/viewNode.js';

/**
 * Makes a view of the groups of a collection's objects, each under its name.
 *
 * ```text
 * pods     {+a(n1) +b(n1) +c(n2)}        {~c(n1)}               {-b}
 * result   {+n1: a b  +n2: c}            {-n2 ~n1: a b c}       {~n1: a c}
 * ```
 *
 * `groupsOf` returns the name of an object's group, or of all its groups; `undefined` for none. An empty group is deleted. When `groupsOf` throws for an object, its
 * groups keep its last version, the error (`ERR_VIEW`) is emitted on `error$`, and its key is in `health().degraded`.
 *
 * @example
 * ```ts
 * import { createClient, createInformer, resources } from 'rx-informer';
 * import { derive, groupObjects } from '@rx-informer/views';
 *
 * const pods = createInformer(createClient(), resources.core.v1.pods);
 * const podsByNode = groupObjects(pods, ({ spec }) => spec?.nodeName);
 * const counts = derive(podsByNode, ({ key, objects }) => ({ node: key, pods: objects.length }));
 * ```
 *
 * @throws TypeError when an argument is wrong.
 *
 * @see istio krt: `Index.AsCollection`
 */
export function groupObjects<T>(
  collection: Collection<T>,
  groupsOf: (object: T) => string | readonly string[] | null | undefined,
  options: ViewOptions<ObjectGroup<T>> = {},
): View<ObjectGroup<T>> {
  expectCollection('groupObjects', collection);
  expectFunction('groupObjects', 'a function', groupsOf);
  checkViewOptions('groupObjects', options);
  return new Grouping(collection, groupsOf, options).asView();
}

/**
 * The objects of one group.
 */
export interface ObjectGroup<T> {
  /** The name of the group. */
  readonly key: string;
  /** The number of objects. Unlike `objects.length`, it does not build an array. */
  readonly size: number;
  /** The objects, at least one, in ascending order of their keys. */
  readonly objects: readonly T[];
}

/** An object, and its groups. */
interface Placed<I> {
  readonly object: I;
  readonly groups: readonly string[];
}

type GroupsOf<I> = (object: I) => string | readonly string[] | null | undefined;

/**
 * The groups that a function has returned, without duplicates.
 *
 * @throws TypeError when they are not strings.
 */
export function groupsIn(returned: string | readonly string[] | null | undefined): readonly string[] {
  if (returned === undefined || returned === null) return [];
  const groups: readonly unknown[] = Array.isArray(returned) ? (returned as readonly unknown[]) : [returned];
  for (const group of groups) {
    if (typeof group !== 'string' || group === '')
      throw new TypeError(`Expected a group to be a non-empty string, got ${describeValue(group)}`);
  }
  return groups.length < 2 ? (groups as readonly string[]) : [...new Set(groups as readonly string[])];
}

/** A group at this moment. Its array is built when it is first read. */
function groupOf<I>(key: string, members: OrderedList<I>, freezes: boolean): ObjectGroup<I> {
  const handOut = members.handOut();
  const { size } = members;
  let own: readonly I[] | undefined;
  return Object.freeze({
    key,
    size,
    get objects() {
      const objects = own ?? handOut();
      if (LazyArrays.current?.has(objects) !== true) own = freezes ? Object.freeze(objects) : objects;
      return objects;
    },
  });
}

/**
 * A view of the groups that objects belong to. When the function fails for an object, its last version stays in its last groups.
 */
class Grouping<I> extends ViewNode<ObjectGroup<I>> {
  private readonly input: Collection<I>;
  private readonly groupsOf: GroupsOf<I>;
  /** The object and its groups when they were last computed. */
  private placed = new Map<string, Placed<I>>();
  /** Those of the last session, for objects that the function fails for. */
  private last: ReadonlyMap<string, Placed<I>> = new Map<string, Placed<I>>();
  private readonly groups = new Map<string, OrderedList<I>>();

  constructor(input: Collection<I>, groupsOf: GroupsOf<I>, options: ViewOptions<ObjectGroup<I>>) {
    // A touched group has certainly changed.
    super('groupObjects', [untyped(input)], { ...options, equals: options.equals ?? Object.is });
    this.input = input;
    this.groupsOf = this.guarded(groupsOf);
  }

  protected compute(key: string): void {
    const object = this.input.indexer.getByKey(key);
    const before = this.placed.get(key);
    const useNow = (same: readonly string[] = []): void => this.use(key, (needs) => needs.key(untyped(this.input), key), same);
    if (before !== undefined && before.object === object) {
      this.succeed(key);
      useNow(before.groups);
      return;
    }
    let groups: readonly string[];
    try {
      groups = object === undefined ? [] : groupsIn(this.groupsOf(object));
      if (this.freezes) deepFreeze(object);
    } catch (error) {
      this.fail(key, error);
      this.stay(key);
      return;
    }
    this.succeed(key);
    const isSame = before !== undefined && object !== undefined && isEqual(before.object, object);
    for (const group of before?.groups ?? []) {
      if (groups.includes(group)) continue;
      this.touch(group);
      this.groups.get(group)?.delete(key);
    }
    if (object === undefined) {
      this.placed.delete(key);
      this.needs?.unuse(key);
      return;
    }
    this.placed.set(key, { object, groups });
    useNow(isSame ? groups : []);
    for (const group of groups) {
      if (isSame && before.groups.includes(group)) continue;
      this.touch(group);
      join(this.groups, group, key, object, this.filling && before === undefined, before?.object);
    }
  }

  protected override stay(key: string): void {
    const last = this.filling && !this.placed.has(key) ? this.last.get(key) : undefined;
    if (last === undefined) return;
    this.placed.set(key, last);
    for (const group of last.groups) {
      this.touch(group);
      join(this.groups, group, key, last.object, true);
    }
  }

  protected override collect(): void {
    super.collect();
    if (!this.filling && this.last.size > 0) this.last = new Map<string, Placed<I>>();
  }

  protected override collected(key: string): ObjectGroup<I> | undefined {
    const members = this.groups.get(key);
    if (members?.size === 0) this.groups.delete(key);
    return members === undefined || members.size === 0 ? undefined : groupOf(key, members, this.freezes);
  }

  protected madeOf(key: string): readonly ViewInput[] {
    return [{ collection: this.input.name, read: `group ${key}`, keys: this.groups.get(key)?.keys() ?? [] }];
  }

  protected override membersOf(key: string): Iterable<string> {
    return this.groups.get(key)?.keys() ?? [];
  }

  protected reset(): void {
    if (!this.filling) this.last = this.placed;
    this.placed = new Map<string, Placed<I>>();
    this.groups.clear();
  }
}

/** Adds an object to a group. During the first fill, members are sorted once, at the end. */
export function join<I>(groups: Map<string, OrderedList<I>>, group: string, key: string, object: I, isFirst: boolean, before?: I): void {
  const members = entryOf(groups, group, () => new OrderedList<I>());
  if (isFirst) members.add(key, object);
  else members.set(key, object, before);
}

function isEqual(before: unknown, after: unknown): boolean {
  try {
    return isEqualJson(before, after);
  } catch {
    // Nested deeper than the call stack.
    return false;
  }
}
