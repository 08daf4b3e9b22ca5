import type { Collection, ObjectEvent, ResourceChange } from 'rx-informer';
import { type LabelSelector, parseLabelSelector } from 'rx-informer/pipeline';
import { none, type ReadSelection } from '../../view.js';
import { type Bucket, type InputIndex, type InputIndexes, inputIndexesOf } from './inputIndex.js';
import { type NeedsBuilder, numberOf } from '../needs.js';
import { ordered } from '../orderedList.js';
import { untyped, viewPortOf } from '../viewPort.js';

/**
 * A read of one input by functions of a view.
 */
export interface Dependency {
  /** The collection that was read. */
  readonly collection: string;
  /** A description of the selection. */
  readonly read: string;
  /** The keys whose values were computed from it. */
  readonly readers: Set<string>;
  /** Whether `read` was called with exactly these arguments: then they need not be checked again. */
  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean;
  /** The objects that it selects now, in ascending order of their keys. */
  objects(): readonly unknown[];
  /** Their keys. */
  keys(): readonly string[];
  /** Adds what a user must be able to read to know what it found. */
  addNeeds(needs: NeedsBuilder): void;
  /** Called when it has no readers left. */
  release(): void;
}

/** The buckets with the objects that a read may select; no index for none. */
export interface Candidates<T> {
  readonly index?: InputIndex<T>;
  readonly buckets: readonly Bucket<T>[];
}

/** Where a read looks: in one namespace, and with a filter, which examines objects that it rejects. */
interface Where {
  readonly namespace?: string | undefined;
  readonly isFiltered?: boolean;
}

/** Whether an object is selected. */
export type Condition<T> = (object: T) => boolean;

const nothing: ReadonlySet<string> = new Set<string>();

/**
 * A read by namespace, selector, index or filter.
 */
export class SelectionRead<T> implements Dependency {
  readonly readers: Set<string> = new Set<string>();
  /** The key by which equal reads are shared. */
  id: string | undefined;
  /** A copy of the arguments, if they are only a namespace and labels. */
  private asked: ReadSelection<T> | undefined;
  readonly candidates: Candidates<T>;
  private readonly of: LinkReads<T>;
  private readonly text: () => string;
  private readonly where: Where;
  /** The condition on candidates; undefined to select all. */
  private readonly matches: Condition<T> | undefined;
  /** The keys selected at the last read, if that may be fewer than the candidates. */
  private selected = nothing;

  constructor(of: LinkReads<T>, text: () => string, candidates: Candidates<T>, matches?: Condition<T>, where: Where = {}) {
    this.of = of;
    this.where = where;
    this.text = text;
    this.candidates = candidates;
    this.matches = matches;
  }

  get collection(): string {
    return this.of.collection.name;
  }

  get read(): string {
    return this.text();
  }

  release(): void {
    this.of.forget(this);
  }

  /** Stores the arguments. */
  wasAsked({ namespace, labelSelector, filter }: ReadSelection<T>): void {
    const isPlain = typeof labelSelector !== 'object' || Object.values(labelSelector).every((value) => typeof value === 'string');
    if (!isPlain || filter !== undefined) return;
    this.asked = { namespace, labelSelector: typeof labelSelector === 'object' ? { ...labelSelector } : labelSelector };
  }

  isOf(collection: Collection<never>, selection: ReadSelection<never>): boolean {
    const { asked, of } = this;
    if (asked === undefined || (of.collection as unknown) !== collection || asked.namespace !== selection.namespace) return false;
    if (!isSameSelector(asked.labelSelector, selection.labelSelector)) return false;
    // Other fields must be absent.
    for (const name in selection) if (asked[name as keyof typeof asked] === undefined) return false;
    return true;
  }

  keys(): readonly string[] {
    return this.found().keys;
  }

  addNeeds(needs: NeedsBuilder): void {
    const { namespace, isFiltered = false } = this.where;
    const collection = untyped(this.of.collection);
    // A selector that matches nothing examines nothing.
    if (this.candidates.buckets.length === 0) return;
    if (namespace !== undefined && viewPortOf(collection) === undefined) needs.add(collection, namespace);
    else if (isFiltered) needs.whole(collection);
    else needs.keys(collection, this.found().keys);
  }

  /** The object of a key, if it is a candidate. */
  get(key: string): T | undefined {
    for (const bucket of this.candidates.buckets) {
      const object = bucket.get(key);
      if (object !== undefined) return object;
    }
    return undefined;
  }

  objects(): readonly T[] {
    const { buckets } = this.candidates;
    return this.matches === undefined && buckets.length === 1 ? (buckets[0] as Bucket<T>).array() : this.found().objects;
  }

  /** Handles an event of a candidate. */
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void {
    if (this.concerns(event)) this.of.mark(this, change);
  }

  /** Whether an event affects the read. If the condition throws, compute again: it then throws there. */
  private concerns(event: ObjectEvent<T>): boolean {
    const { matches } = this;
    if (matches === undefined || this.selected.has(event.key)) return true;
    // The needs of an object that a filter has examined have changed.
    if (this.where.isFiltered === true && event.type === 'updated' && event.object === event.oldObject) return true;
    try {
      return event.type !== 'deleted' && (matches(event.object) || (event.type === 'updated' && matches(event.oldObject)));
    } catch {
      return true;
    }
  }

  private found(): { readonly keys: string[]; readonly objects: T[] } {
    const { matches, candidates } = this;
    const keys: string[] = [];
    const objects: T[] = [];
    for (const bucket of candidates.buckets) {
      bucket.each((object, key) => {
        if (matches?.(object) === false) return;
        keys.push(key);
        objects.push(object);
      });
    }
    if (matches !== undefined) this.selected = new Set(keys);
    return ordered(keys, objects);
  }
}

function isSameSelector(asked: unknown, given: unknown): boolean {
  if (typeof asked !== 'object' || typeof given !== 'object') return asked === given;
  if (given === null) return false;
  const labels = asked as Readonly<Record<string, unknown>>;
  const others = given as Readonly<Record<string, unknown>>;
  for (const name in labels) if (labels[name] !== others[name]) return false;
  for (const name in others) if (others[name] === undefined || labels[name] !== others[name]) return false;
  return true;
}

/** JSON leaves undefined values out: a selector with one, which is an error, would pass for one without. */
const orNull = (_: string, value: unknown): unknown => (value === undefined ? null : value);

type Given = Exclude<ReadSelection<never>['labelSelector'], symbol | undefined>;

/** A read of the object with one key. */
class KeyRead<T> implements Dependency {
  readonly readers: Set<string> = new Set<string>();
  readonly release: () => void;
  private readonly key: string;
  private readonly of: Collection<T>;

  constructor(of: Collection<T>, key: string, release: () => void) {
    this.of = of;
    this.key = key;
    this.release = release;
  }

  get collection(): string {
    return this.of.name;
  }

  get read(): string {
    return `key ${this.key}`;
  }

  isOf(): boolean {
    return false;
  }

  keys(): readonly string[] {
    return this.objects().length === 0 ? [] : [this.key];
  }

  objects(): readonly T[] {
    const object = this.of.indexer.getByKey(this.key);
    return object === undefined ? [] : [object];
  }

  addNeeds(needs: NeedsBuilder): void {
    needs.key(untyped(this.of), this.key);
  }
}

/** The link that the reads belong to. */
interface Reader<T> {
  readonly collection: Collection<T>;
  /** Whether the input has ever been complete. */
  readonly ready: boolean;
  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R;
  mark(dependency: Dependency, change: ResourceChange<T>): void;
}

/**
 * What the functions of one view have read of one of its inputs.
 */
export class LinkReads<T> {
  readonly collection: Collection<T>;
  private readonly of: Reader<T>;
  private readonly indexes: InputIndexes<T>;
  private readonly byKey = new Map<string, KeyRead<T>>();
  /** Reads that are shared by all functions with the same selection. */
  private readonly selections = new Map<string, SelectionRead<T>>();
  private readonly reads = new Set<SelectionRead<T>>();
  /** All reads before the input is complete: they find nothing, and are repeated when it is. */
  private readonly early: SelectionRead<T>;

  constructor(of: Reader<T>) {
    this.of = of;
    this.collection = of.collection;
    this.indexes = inputIndexesOf(of.collection);
    this.early = new SelectionRead(this, () => 'nothing yet', { buckets: [] });
  }

  /** Whether any function has read it. */
  isRead(): boolean {
    return this.byKey.size > 0 || this.reads.size > 0 || this.early.readers.size > 0;
  }

  /** Marks the readers that a change affects; with `isFirst`, also those that read before the input was complete. */
  take(change: ResourceChange<T>, isFirst: boolean): void {
    if (isFirst) {
      this.mark(this.early, change);
      return;
    }
    this.indexes.apply(change);
    if (this.byKey.size === 0) return;
    for (const event of change.events) {
      const read = this.byKey.get(event.key);
      if (read !== undefined) this.mark(read, change);
    }
  }

  /** Removes all reads. */
  clear(): void {
    for (const read of this.reads) this.forget(read);
    this.indexes.forget();
  }

  get(key: string): Dependency {
    if (!this.of.ready) return this.early;
    let read = this.byKey.get(key);
    if (read === undefined) this.byKey.set(key, (read = new KeyRead(this.collection, key, () => this.byKey.delete(key))));
    return read;
  }

  /** @throws TypeError when the collection has no such index. */
  byIndex(indexName: string, value: string): SelectionRead<T> {
    if (!this.of.ready) return this.early;
    const func = this.indexes.functionOf(indexName);
    return this.interned(`index ${numberOf(func)} ${indexName}=${value}`, () => {
      const index = this.indexes.byFunction(func);
      return new SelectionRead(this, () => `index ${indexName}=${value}`, { index, buckets: [index.bucket('', value)] });
    });
  }

  /** @throws TypeError when a selector is wrong. */
  select(selection: ReadSelection<T>): Dependency {
    const { namespace, labelSelector, filter } = selection;
    if (labelSelector === none) return this.interned('nothing', () => new SelectionRead(this, () => 'nothing', { buckets: [] }));
    const guarded = filter === undefined ? undefined : this.of.guarded(filter);
    const make = (): SelectionRead<T> => this.selectionOf(namespace, labelSelector, guarded);
    if (filter !== undefined) return this.of.ready ? this.register(make()) : this.early;
    const where = namespace === undefined ? '' : `${namespace}/`;
    return this.interned(`select ${where} ${labelSelector === undefined ? '' : JSON.stringify(labelSelector, orNull)}`, make, selection);
  }

  /** Removes a read without readers. */
  forget(read: SelectionRead<T>): void {
    if (!this.reads.delete(read)) return;
    if (read.id !== undefined) this.selections.delete(read.id);
    const { index, buckets } = read.candidates;
    if (index === undefined) return;
    for (const bucket of buckets) {
      bucket.reads.delete(read);
      index.vacate(bucket);
    }
    this.indexes.release(index);
  }

  /** Marks the values of all readers to be computed again. */
  mark(dependency: Dependency, change: ResourceChange<T>): void {
    this.of.mark(dependency, change);
  }

  /** Marks the values of all readers of the input. */
  markAll(change: ResourceChange<T>): void {
    for (const read of [...this.byKey.values(), ...this.reads]) this.mark(read, change);
  }

  private selectionOf(namespace: string | undefined, given: Given | undefined, filter: ReadSelection<T>['filter']): SelectionRead<T> {
    const selector = given === undefined ? undefined : parseLabelSelector(given);
    const requirements = selector?.requirements ?? [];
    const byLabel = this.rarest(namespace, requirements);
    // The index already ensures one of the requirements.
    const isCovered = requirements.length === (byLabel === undefined ? 0 : 1);
    const matches = this.condition(isCovered ? undefined : selector, filter);
    const text = (): string => {
      const where = namespace === undefined ? [] : [`namespace ${namespace}`];
      const which = selector === undefined ? [] : [`labels ${selector.toString()}`];
      return `${[...where, ...which].join(' ') || 'everything'}${filter === undefined ? '' : ' filtered'}`;
    };
    return new SelectionRead(this, text, byLabel ?? this.inNamespace(namespace), matches, { namespace, isFiltered: filter !== undefined });
  }

  private condition(selector: LabelSelector | undefined, filter: ReadSelection<T>['filter']): Condition<T> | undefined {
    if (selector === undefined) return filter;
    const { labelsOf } = this.indexes;
    return (object) => selector.matches(labelsOf(object)) && (filter === undefined || filter(object));
  }

  private inNamespace(namespace: string | undefined): Candidates<T> {
    const index = namespace === undefined ? this.indexes.ofEverything() : this.indexes.byNamespace();
    return { index, buckets: [index.bucket('', namespace ?? '')] };
  }

  /** The index bucket of the equality requirement with the fewest objects. */
  private rarest(namespace: string | undefined, requirements: LabelSelector['requirements']): Candidates<T> | undefined {
    const scope = namespace ?? '';
    let rarest: { readonly index: InputIndex<T>; readonly values: readonly string[]; readonly count: number } | undefined;
    for (const { key, operator, values } of requirements) {
      if (operator !== 'In') continue;
      const index = this.indexes.byLabel(key, namespace !== undefined);
      const count = values.reduce((sum, value) => sum + index.count(scope, value), 0);
      const isRarer = rarest === undefined || count < rarest.count;
      const other = isRarer ? rarest?.index : index;
      if (isRarer) rarest = { index, values, count };
      if (other !== undefined) this.indexes.release(other);
    }
    if (rarest === undefined) return undefined;
    const { index, values } = rarest;
    return { index, buckets: values.map((value) => index.bucket(scope, value)) };
  }

  private interned(id: string, make: () => SelectionRead<T>, selection?: ReadSelection<T>): SelectionRead<T> {
    if (!this.of.ready) return this.early;
    let read = this.selections.get(id);
    if (read === undefined) {
      read = make();
      read.id = id;
      if (selection !== undefined) read.wasAsked(selection);
      this.selections.set(id, this.register(read));
    }
    return read;
  }

  private register(read: SelectionRead<T>): SelectionRead<T> {
    this.reads.add(read);
    for (const { reads } of read.candidates.buckets) reads.add(read);
    return read;
  }
}
