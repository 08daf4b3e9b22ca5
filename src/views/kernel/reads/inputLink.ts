import type { Subscription } from 'rxjs';
import type { ResourceChange } from '../../../api/events/resourceChange.js';
import type { LabelSelector } from '../../../api/selectors/labelSelector.js';
import { parseLabelSelector } from '../../../api/selectors/parseLabelSelector.js';
import type { IndexReader } from '../../../cache/store/indexReader.js';
import { type Collection, collectionPort } from '../../../informer/collection.js';
import { none, type ReadSelection } from '../../read.js';
import type { InputIndex } from './inputIndex.js';
import { type InputIndexes, inputIndexesOf } from './inputIndexes.js';
import { type Candidates, type Condition, type Dependency, SelectionRead } from './selectionRead.js';

type Given = Exclude<ReadSelection<never>['labelSelector'], symbol | undefined>;

function isParsed(given: Given): given is LabelSelector {
  return typeof given === 'object' && 'requirements' in given && typeof given.requirements === 'object';
}

/** The view at the end of a link. */
export interface LinkOwner {
  /** Calls a function of the user's, which must not read caches by itself. */
  guarded<A extends unknown[], R>(work: (...args: A) => R): (...args: A) => R;
  /** The value under a key has to be computed again. */
  mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void;
  /** A change of the input; with `whole`, everything in it is new, since it has become complete. */
  changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void;
  failed(error: unknown): void;
  completed(): void;
}

/** The object under one key, which functions of a view have read. */
class KeyRead<T> implements Dependency {
  readonly collection: string;
  readonly readers: Set<string> = new Set<string>();
  readonly release: () => void;
  private readonly key: string;
  private readonly reader: IndexReader<T>;

  constructor(collection: string, reader: IndexReader<T>, key: string, release: () => void) {
    this.collection = collection;
    this.reader = reader;
    this.key = key;
    this.release = release;
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
    const object = this.reader.getByKey(this.key);
    return object === undefined ? [] : [object];
  }
}

/** What waits to be connected or disconnected, when that is caused by a connection or disconnection under way: graphs may be deeper than the stack. */
const steps: (() => void)[] = [];
let stepping = false;

/** Runs a step now, or behind the one under way. */
export function inSteps(step: () => void): void {
  steps.push(step);
  if (stepping) return;
  stepping = true;
  const failures: unknown[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    try {
      (steps[at] as () => void)();
    } catch (error) {
      failures.push(error);
    }
  }
  steps.length = 0;
  stepping = false;
  if (failures.length > 0) throw failures[0];
}

/**
 * The connection of one view to one of its inputs: what the view has read of it, and whom a change of the input concerns.
 */
export class InputLink<T> {
  readonly collection: Collection<T>;
  readonly reader: IndexReader<T>;
  /** Whether the input has been complete. */
  ready = false;
  /** Whether it was complete after its last change. */
  synced = false;
  /** Whether the input has ended, with its last content. */
  ended = false;
  private readonly owner: LinkOwner;
  private readonly indexes: InputIndexes<T>;
  private readonly byKey = new Map<string, KeyRead<T>>();
  /** Those that are the same for everybody who reads them, by what they select. */
  private readonly selections = new Map<string, SelectionRead<T>>();
  private readonly reads = new Set<SelectionRead<T>>();
  /** What is read before the input is complete: nothing now, and all of it again then. */
  private readonly early: SelectionRead<T>;
  private subscription: Subscription | undefined;
  private closed = false;

  constructor(collection: Collection<T>, owner: LinkOwner) {
    this.collection = collection;
    this.reader = collection.indexer;
    this.owner = owner;
    this.indexes = inputIndexesOf(collection);
    this.early = this.readOf(() => 'nothing yet', { buckets: [] }, undefined);
  }

  /** Subscribes to the input, which may have a change at once. */
  connect(): void {
    if (this.closed) return;
    const subscription = this.collection[collectionPort].settled$.subscribe({
      next: (change) => this.take(change),
      error: (error: unknown) => this.owner.failed(error),
      complete: () => {
        this.ended = true;
        this.owner.completed();
      },
    });
    // It may be disconnected by what it has caused.
    if (this.isClosed()) inSteps(() => subscription.unsubscribe());
    else this.subscription = subscription;
  }

  disconnect(): void {
    this.closed = true;
    const { subscription } = this;
    if (subscription !== undefined) inSteps(() => subscription.unsubscribe());
    for (const read of this.reads) this.forget(read);
    this.indexes.forget();
  }

  /** Whether any function has read it. */
  isRead(): boolean {
    return this.byKey.size > 0 || this.reads.size > 0 || this.early.readers.size > 0;
  }

  get(key: string): Dependency {
    if (!this.ready) return this.early;
    let read = this.byKey.get(key);
    if (read === undefined) this.byKey.set(key, (read = new KeyRead(this.collection.name, this.reader, key, () => this.byKey.delete(key))));
    return read;
  }

  /** @throws TypeError when the collection has no such index. */
  byIndex(indexName: string, value: string): SelectionRead<T> {
    return this.interned(`index ${indexName}=${value}`, () => {
      const index = this.indexes.byFunction(indexName);
      return this.readOf(() => `index ${indexName}=${value}`, { index, buckets: [index.bucket('', value)] }, undefined);
    });
  }

  /** @throws TypeError when a selector is wrong. */
  select(selection: ReadSelection<T>): Dependency {
    const { namespace, labelSelector, filter } = selection;
    if (labelSelector === none) return this.interned('nothing', () => this.readOf(() => 'nothing', { buckets: [] }, undefined));
    const guarded = filter === undefined ? undefined : this.owner.guarded(filter);
    const make = (): SelectionRead<T> => this.selectionOf(namespace, labelSelector, guarded);
    if (filter !== undefined) return this.ready ? this.register(make()) : this.early;
    const where = namespace === undefined ? '' : `${namespace}/`;
    let labels = '';
    if (labelSelector !== undefined)
      labels = isParsed(labelSelector) ? `parsed ${labelSelector.toString()}` : JSON.stringify(labelSelector);
    return this.interned(`select ${where} ${labels}`, make, selection);
  }

  /** Nobody reads it any more. */
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

  /** Whoever has read it is computed again. */
  mark({ readers }: Dependency, change: ResourceChange<T>): void {
    for (const key of readers) this.owner.mark(key, this as unknown as InputLink<never>, change);
  }

  private selectionOf(namespace: string | undefined, given: Given | undefined, filter: ReadSelection<T>['filter']): SelectionRead<T> {
    let selector: LabelSelector | undefined;
    if (given !== undefined) selector = isParsed(given) ? given : parseLabelSelector(given);
    const requirements = selector?.requirements ?? [];
    const byLabel = this.rarest(namespace, requirements);
    // The index covers one of the requirements.
    const isCovered = requirements.length === (byLabel === undefined ? 0 : 1);
    const matches = this.condition(isCovered ? undefined : selector, filter);
    const text = (): string => {
      const where = namespace === undefined ? [] : [`namespace ${namespace}`];
      const which = selector === undefined ? [] : [`labels ${selector.toString()}`];
      return `${[...where, ...which].join(' ') || 'everything'}${filter === undefined ? '' : ' filtered'}`;
    };
    return this.readOf(text, byLabel ?? this.inNamespace(namespace), matches);
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

  /** Where the objects are that fulfil the equality that the fewest fulfil. */
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

  private readOf(text: () => string, candidates: Candidates<T>, matches: Condition<T> | undefined): SelectionRead<T> {
    return new SelectionRead(this, text, candidates, matches);
  }

  private interned(id: string, make: () => SelectionRead<T>, selection?: ReadSelection<T>): SelectionRead<T> {
    if (!this.ready) return this.early;
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

  private isClosed(): boolean {
    return this.closed;
  }

  private take(change: ResourceChange<T>): void {
    this.synced = change.synced;
    const isFirst = !this.ready;
    if (isFirst && !change.synced) return;
    this.ready = true;
    if (isFirst) this.mark(this.early, change);
    else if (change.cause !== 'resync') this.markReaders(change);
    this.owner.changed(this as unknown as InputLink<never>, change, isFirst);
  }

  private markReaders(change: ResourceChange<T>): void {
    this.indexes.apply(change);
    if (this.byKey.size === 0) return;
    for (const event of change.events) {
      const read = this.byKey.get(event.key);
      if (read !== undefined) this.mark(read, change);
    }
  }
}
