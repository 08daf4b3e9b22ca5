import type { Subscription } from 'rxjs';
import { describeValue } from '../../api/options/describeValue.js';
import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { IndexReader } from '../../cache/store/indexReader.js';
import { type Collection, collectionPort } from '../../informer/collection.js';
import type { ReadSelection } from '../read.js';
import { none } from '../none.js';
import { ascending } from './ascending.js';
import type { Dependency } from './dependency.js';
import { type InputIndex, type InputIndexes, inputIndexesOf } from './inputIndexes.js';
import { type ParsedSelector, parseSelection } from './selectors.js';

/**
 * The view at the end of a link.
 */
export interface LinkOwner {
  /** The value under a key has to be computed again. */
  mark(key: string, link: InputLink<never>, change: ResourceChange<unknown>): void;
  /** A change of the input; with `whole`, everything in it is new, since it has become complete. */
  changed(link: InputLink<never>, change: ResourceChange<unknown>, whole: boolean): void;
  failed(error: unknown): void;
  completed(): void;
}

/** What a read by `none` is called. */
const nothing = 'nothing';

/** What has been read by namespace, selector, index and filter. */
class SelectionRead<T> implements Dependency {
  readonly collection: string;
  readonly read: string;
  readonly readers: Set<string> = new Set<string>();
  index: InputIndex<T> | undefined;
  /** The values of the index that cover all it selects; without an index, it looks at everything. */
  values: readonly string[] = [];
  /** Whether an object under one of these values is selected; undefined when each of them is. */
  matches: ((key: string, object: T) => boolean) | undefined;
  /** What it selected when it was read last, where that is less than what the index has. */
  private selected: ReadonlySet<string> = new Set<string>();
  private readonly link: InputLink<T>;
  private readonly forget: (dependency: SelectionRead<T>) => void;

  constructor(link: InputLink<T>, read: string, forget: (dependency: SelectionRead<T>) => void) {
    this.link = link;
    this.collection = link.collection.name;
    this.read = read;
    this.forget = forget;
  }

  keys(): string[] {
    const { reader } = this.link;
    const { index, values, matches } = this;
    const all = index === undefined ? reader.listKeys() : values.length === 1 ? index.entries.keys(values[0] as string) : this.union(index);
    const isMatch = (key: string): boolean => {
      const object = reader.getByKey(key);
      return object !== undefined && (matches === undefined || matches(key, object));
    };
    if (matches === undefined) return ascending([...all]);
    const keys = ascending(all.filter(isMatch));
    this.selected = new Set(keys);
    return keys;
  }

  /** Whether it matters that an object has come, changed or gone. A condition that fails is computed again, and fails there. */
  concerns(key: string, objects: readonly T[]): boolean {
    const { matches } = this;
    if (matches === undefined || this.selected.has(key)) return true;
    try {
      return objects.some((object) => matches(key, object));
    } catch {
      return true;
    }
  }

  release(): void {
    this.forget(this);
  }

  private union(index: InputIndex<T>): string[] {
    return [...new Set(this.values.flatMap((value) => index.entries.keys(value)))];
  }
}

class KeyRead<T> implements Dependency {
  readonly collection: string;
  readonly readers: Set<string> = new Set<string>();
  readonly key: string;
  private readonly link: InputLink<T>;
  private readonly forget: () => void;

  constructor(link: InputLink<T>, key: string, forget: () => void) {
    this.link = link;
    this.collection = link.collection.name;
    this.key = key;
    this.forget = forget;
  }

  get read(): string {
    return `key ${this.key}`;
  }

  keys(): readonly string[] {
    return this.link.reader.getByKey(this.key) === undefined ? [] : [this.key];
  }

  release(): void {
    this.forget();
  }
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
  /** By namespace, and then by selector or index. */
  private readonly selections = new Map<string, SelectionRead<T>>();
  private readonly byValue = new Map<InputIndex<T>, Map<string, Set<SelectionRead<T>>>>();
  /** Those without an index. */
  private readonly whole = new Set<SelectionRead<T>>();
  private subscription: Subscription | undefined;
  private closed = false;

  constructor(collection: Collection<T>, owner: LinkOwner) {
    this.collection = collection;
    this.reader = collection.indexer;
    this.owner = owner;
    this.indexes = inputIndexesOf(collection);
  }

  connect(): void {
    const subscription = this.collection[collectionPort].settled$.subscribe({
      next: (change) => this.take(change),
      error: (error: unknown) => this.owner.failed(error),
      complete: () => {
        this.ended = true;
        this.owner.completed();
      },
    });
    if (this.closed) subscription.unsubscribe();
    this.subscription = subscription;
  }

  disconnect(): void {
    this.closed = true;
    this.subscription?.unsubscribe();
    this.forgetReads();
    this.indexes.forget();
  }

  /** Whether any function has read it. */
  isRead(): boolean {
    return this.byKey.size > 0 || this.selections.size > 0 || this.whole.size > 0 || this.byValue.size > 0;
  }

  get(key: string): Dependency {
    let read = this.byKey.get(key);
    if (read === undefined) {
      read = new KeyRead(this, key, () => {
        if (this.byKey.get(key) === read) this.byKey.delete(key);
      });
      this.byKey.set(key, read);
    }
    return read;
  }

  byIndex(indexName: string, value: string): Dependency {
    return this.interned(`index ${indexName}=${value}`, (read) => {
      // Until the input is complete, there is nothing to look up: everything is computed again then.
      const index = this.indexes.byFunction(indexName);
      read.index = index;
      read.values = [value];
    });
  }

  /** @throws TypeError when a condition is undefined, or wrong. */
  select(selection: ReadSelection<T> | undefined): Dependency {
    if (selection === undefined) return this.interned('everything', () => undefined);
    const { namespace, labelSelector, filter } = selection;
    checkSelection(selection);
    if (labelSelector === none) return this.interned(nothing, (read) => (read.matches = () => false));
    const parsed = labelSelector === undefined ? undefined : parseSelection(labelSelector);
    const where = namespace === undefined ? '' : `namespace ${namespace} `;
    const text = `${where}${parsed === undefined ? '' : `labels ${parsed.text}`}` || 'everything';
    if (filter === undefined) return this.interned(text, (read) => this.choose(read, namespace, parsed, undefined));
    const read = new SelectionRead(this, `${text} filtered`, (gone) => this.unregister(gone));
    this.choose(read, namespace, parsed, filter);
    this.register(read);
    return read;
  }

  private interned(text: string, prepare: (read: SelectionRead<T>) => void): Dependency {
    const known = this.selections.get(text);
    if (known !== undefined) return known;
    const read = new SelectionRead<T>(this, text, (gone) => {
      if (this.selections.get(text) === gone) this.selections.delete(text);
      this.unregister(gone);
    });
    prepare(read);
    this.selections.set(text, read);
    this.register(read);
    return read;
  }

  /** Chooses the index to look in: that of the condition with the fewest objects. */
  private choose(
    read: SelectionRead<T>,
    namespace: string | undefined,
    parsed: ParsedSelector | undefined,
    filter: ((object: T) => boolean) | undefined,
  ): void {
    const { indexes } = this;
    const requirements = parsed?.selector.requirements ?? [];
    const equalities = requirements.filter(({ operator }) => operator === 'In');
    if (equalities.length > 0) this.rarest(read, namespace, equalities);
    else if (namespace !== undefined) {
      read.index = indexes.byNamespace();
      read.values = [namespace];
    }
    const isCovered = requirements.length === (equalities.length > 0 ? 1 : 0);
    if (isCovered && filter === undefined) return;
    const selector = isCovered ? undefined : parsed?.selector;
    read.matches = (_, object) =>
      (selector === undefined || selector.matches(indexes.labelsOf(object))) && (filter === undefined || filter(object));
  }

  private rarest(
    read: SelectionRead<T>,
    namespace: string | undefined,
    equalities: readonly { readonly key: string; readonly values: readonly string[] }[],
  ): void {
    let fewest = Infinity;
    for (const { key, values } of equalities) {
      const index = this.indexes.byLabel(key, namespace !== undefined);
      const looked = namespace === undefined ? values : values.map((value) => `${namespace}/${value}`);
      const count = looked.reduce((sum, value) => sum + index.entries.count(value), 0);
      if (count >= fewest) {
        this.indexes.release(index);
        continue;
      }
      if (read.index !== undefined) this.indexes.release(read.index);
      fewest = count;
      read.index = index;
      read.values = looked;
    }
  }

  private register(read: SelectionRead<T>): void {
    const { index } = read;
    if (index === undefined) {
      if (read.read !== nothing) this.whole.add(read);
      return;
    }
    let byValue = this.byValue.get(index);
    if (byValue === undefined) this.byValue.set(index, (byValue = new Map<string, Set<SelectionRead<T>>>()));
    for (const value of read.values) {
      const reads = byValue.get(value);
      if (reads === undefined) byValue.set(value, new Set([read]));
      else reads.add(read);
    }
  }

  private unregister(read: SelectionRead<T>): void {
    const { index } = read;
    this.whole.delete(read);
    const byValue = index === undefined ? undefined : this.byValue.get(index);
    if (index === undefined || byValue === undefined) return;
    let found = false;
    for (const value of read.values) {
      const reads = byValue.get(value);
      if (reads?.delete(read) === true) found = true;
      if (reads?.size === 0) byValue.delete(value);
    }
    if (byValue.size === 0) this.byValue.delete(index);
    if (found) this.indexes.release(index);
  }

  private take(change: ResourceChange<T>): void {
    this.synced = change.synced;
    const isFirst = !this.ready;
    if (isFirst && !change.synced) return;
    const isWhole = isFirst || change.cause === 'snapshot';
    this.ready = true;
    if (isWhole) this.markAll(change);
    else if (change.cause !== 'resync') this.markTouched(change);
    // What was read before it was complete was looked up in nothing.
    if (isFirst) this.forgetReads();
    this.owner.changed(this as unknown as InputLink<never>, change, isWhole);
  }

  private markTouched(change: ResourceChange<T>): void {
    const touched = this.indexes.apply(change);
    for (const entry of touched) {
      const reads = this.byValue.get(entry.index)?.get(entry.value);
      if (reads !== undefined) for (const read of reads) if (read.concerns(entry.key, entry.objects)) this.mark(read, change);
    }
    if (this.byKey.size === 0 && this.whole.size === 0) return;
    for (const event of change.events) {
      const { key } = event;
      const read = this.byKey.get(key);
      if (read !== undefined) this.mark(read, change);
      if (this.whole.size === 0) continue;
      const objects = event.type === 'deleted' ? [] : event.type === 'updated' ? [event.oldObject, event.object] : [event.object];
      for (const all of this.whole) if (all.concerns(key, objects)) this.mark(all, change);
    }
  }

  private markAll(change: ResourceChange<T>): void {
    for (const read of this.byKey.values()) this.mark(read, change);
    for (const read of this.selections.values()) this.mark(read, change);
    for (const read of this.whole) this.mark(read, change);
    for (const byValue of this.byValue.values()) for (const reads of byValue.values()) for (const read of reads) this.mark(read, change);
  }

  private mark({ readers }: Dependency, change: ResourceChange<T>): void {
    for (const key of readers) this.owner.mark(key, this as unknown as InputLink<never>, change);
  }

  /** Whoever has read it has to read it again. */
  private forgetReads(): void {
    this.byKey.clear();
    this.selections.clear();
    this.whole.clear();
    const reads = new Set([...this.byValue.values()].flatMap((byValue) => [...byValue.values()].flatMap((set) => [...set])));
    this.byValue.clear();
    for (const { index } of reads) if (index !== undefined) this.indexes.release(index);
  }
}

function checkSelection(selection: ReadSelection<never>): void {
  for (const [name, value] of Object.entries(selection)) {
    if (name !== 'namespace' && name !== 'labelSelector' && name !== 'filter') {
      throw new TypeError(`Unknown condition \`${name}\` of \`read\`; it has \`namespace\`, \`labelSelector\` and \`filter\``);
    }
    if (value === undefined && name === 'labelSelector') {
      throw new TypeError(
        'Expected `labelSelector` of `read` to be a selector, got undefined; leave it out to read everything, or use `none`',
      );
    }
    const expected = name === 'namespace' ? 'string' : 'function';
    if (name !== 'labelSelector' && typeof value !== expected) {
      throw new TypeError(`Expected \`${name}\` of \`read\` to be a ${expected}, got ${describeValue(value)}; leave it out for all`);
    }
  }
}
