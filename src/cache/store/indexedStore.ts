import { failureOf, type InformerError } from '../../api/errors/informerError.js';
import { metaNamespaceKey, type NamedObject } from '../../api/kubernetesObject.js';
import { describeValue } from '../../api/options.js';
import { type Content, contents, type StagedContent } from './content.js';
import { keyNamespaceIndexFunc } from './indexFuncs.js';
import { expectTracked } from './readGuard.js';
import type { IndexErrorHandler, Indexers, IndexFunc, IndexReader } from './store.js';
import { ValueIndex } from './valueIndex.js';

/** One index: its function and its entries; undefined for the index by the namespace of keys until it is read, since many are never read. */
interface Index<T> {
  readonly name: string;
  readonly func: IndexFunc<T>;
  entries?: ValueIndex | undefined;
}

/** In a cache of this many objects, or more, no index waits to be read: making it would block for too long. */
const maxUnread = 20_000;

interface IndexFailure {
  readonly error: unknown;
  readonly indexName: string;
  readonly key: string;
}

function indexErrorOf({ error, indexName, key }: IndexFailure, others: number): InformerError {
  const which = `${key}${others > 0 ? ` and ${others} others` : ''}`;
  return failureOf('ERR_INDEX_FUNC', `The index function ${JSON.stringify(indexName)} failed for ${which}`, error, { key });
}

function namesOf(names: Iterable<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ') || 'none';
}

function expectFunctions(indexers: Indexers<never>): void {
  if (typeof indexers !== 'object' || (indexers as unknown) === null)
    throw new TypeError(`Expected \`indexers\` to be an object of index functions, got ${describeValue(indexers)}`);
  for (const [name, func] of Object.entries(indexers)) {
    if (typeof func !== 'function')
      throw new TypeError(`Expected the index ${JSON.stringify(name)} to be a function, got ${describeValue(func)}`);
  }
}

/** Throws unless an index function has returned an array of strings. */
export function checkedValues(values: unknown): readonly string[] {
  if (!Array.isArray(values))
    throw new TypeError(`Expected an index function to return an array of strings, got ${values === null ? 'null' : typeof values}`);
  for (const value of values as unknown[]) {
    if (typeof value !== 'string') throw new TypeError(`Expected an index function to return strings only, got ${describeValue(value)}`);
  }
  return values as string[];
}

/** The options of an {@link IndexedStore}. */
interface IndexedStoreOptions<T> {
  readonly indexers?: Indexers<T> | undefined;
  readonly onIndexError?: IndexErrorHandler | undefined;
}

/** Objects by key, with indexes. Users read it; `contentOf` writes it. Errors of index functions are collected during a change, and reported after it. */
export class IndexedStore<T> implements IndexReader<T> {
  protected objects: Map<string, T> = new Map<string, T>();
  protected resourceVersion = '';
  private readonly indexes = new Map<string, Index<T>>();
  private readonly onIndexError: IndexErrorHandler | undefined;
  private failures: IndexFailure[] = [];
  /** Whether an index function is running. */
  private computing = false;

  constructor({ indexers, onIndexError }: IndexedStoreOptions<T>) {
    this.onIndexError = onIndexError;
    if (indexers !== undefined) this.addIndexers(indexers);
    const content: Content<T> = {
      get: (key) => this.objects.get(key),
      put: (key, object) => {
        this.refuseNestedChange();
        this.write(key, this.valueOf(key, object), undefined);
        this.reportToHandler();
      },
      remove: (key) => {
        this.refuseNestedChange();
        this.write(key, undefined, undefined);
      },
      stage: (whole) => this.stage(whole),
      report: (handler) => this.report(handler),
    };
    contents.set(this, content);
  }

  list(): T[] {
    expectTracked();
    return [...this.objects.values()];
  }

  listKeys(): string[] {
    expectTracked();
    return [...this.objects.keys()];
  }

  get(object: T): T | undefined {
    expectTracked();
    return this.objects.get(this.keyOf(object));
  }

  getByKey(key: string): T | undefined {
    expectTracked();
    return this.objects.get(key);
  }

  lastStoreSyncResourceVersion(): string {
    return this.resourceVersion;
  }

  bookmark(resourceVersion: string): void {
    this.resourceVersion = resourceVersion;
  }

  index(indexName: string, object: T): T[] {
    expectTracked();
    const { func } = this.indexOf(indexName);
    const entries = this.entriesOf(indexName);
    const keys = new Set(checkedValues(func(object, this.keyOrNone(object))).flatMap((value) => entries.keys(value)));
    return this.objectsOf(keys);
  }

  indexKeys(indexName: string, indexedValue: string): string[] {
    expectTracked();
    return [...this.entriesOf(indexName).keys(indexedValue)].sort();
  }

  listIndexFuncValues(indexName: string): string[] {
    expectTracked();
    return this.indexes.has(indexName) ? this.entriesOf(indexName).values() : [];
  }

  byIndex(indexName: string, indexedValue: string): T[] {
    expectTracked();
    return this.objectsOf(this.entriesOf(indexName).keys(indexedValue));
  }

  byIndexes(values: Readonly<Record<string, string>>): T[] {
    expectTracked();
    const [smallest, ...others] = Object.entries(values)
      .map(([indexName, value]) => ({ value, entries: this.entriesOf(indexName) }))
      .sort((a, b) => a.entries.count(a.value) - b.entries.count(b.value));
    if (smallest === undefined) return this.list();
    const keys = smallest.entries.keys(smallest.value);
    return this.objectsOf(keys.filter((key) => others.every(({ value, entries }) => entries.has(value, key))));
  }

  getIndexers(): Indexers<T> {
    return Object.fromEntries([...this.indexes].map(([name, { func }]) => [name, func]));
  }

  addIndexers(indexers: Indexers<T>): () => void {
    this.refuseNestedChange();
    expectFunctions(indexers);
    const known = Object.keys(indexers).filter((name) => this.indexes.has(name));
    if (known.length > 0) throw new TypeError(`Expected new index names in \`indexers\`, got ${namesOf(known)}, already in use`);
    const added = Object.entries(indexers).map(([name, func]) => {
      const index: Index<T> = { name, func };
      if (func !== keyNamespaceIndexFunc || this.objects.size >= maxUnread) index.entries = this.entriesFor(index, this.objects);
      this.indexes.set(name, index);
      return index;
    });
    this.report();
    return () => {
      this.refuseNestedChange();
      for (const [name, index] of this.indexes) if (added.includes(index)) this.indexes.delete(name);
    };
  }

  /** Called at the start of every change: one made by an index function would be overwritten by the change under way. */
  protected refuseNestedChange(): void {
    if (this.computing) throw new Error('An index function must not change the store');
  }

  /** Passes the errors of the last change to the handler of the store, else to `handler`; without both, throws. */
  protected report(handler?: IndexErrorHandler): void {
    const { failures } = this;
    const first = failures[0];
    if (first === undefined) return;
    this.failures = [];
    const onIndexError = this.onIndexError ?? handler;
    if (onIndexError === undefined) throw indexErrorOf(first, failures.length - 1);
    for (const { error, indexName, key } of failures) onIndexError(error, indexName, key);
  }

  /** Begins content that is published in one step. Its index entries replace all present ones, or those of the same keys. */
  protected stage(whole: boolean): StagedContent<T> {
    // Several lists together may be long.
    if (!whole) for (const index of this.indexes.values()) index.entries ??= this.entriesFor(index, this.objects);
    const objects = new Map<string, T>();
    const read = [...this.indexes.values()].filter(({ entries }) => entries !== undefined);
    const staged = new Map(read.map((index) => [index, new ValueIndex()]));
    const failures = new Map<string, IndexFailure[]>();
    return {
      whole,
      objects,
      put: (key, object) => {
        const stored = this.valueOf(key, object);
        const failed: IndexFailure[] = [];
        for (const [index, entries] of staged) entries.file(key, this.valuesOf(index, key, stored, failed));
        // Of several objects with one key the last one counts.
        if (failed.length > 0) failures.set(key, failed);
        else failures.delete(key);
        objects.set(key, stored);
        if (objects.size !== maxUnread) return;
        for (const index of this.indexes.values()) if (!staged.has(index)) staged.set(index, this.entriesFor(index, objects));
      },
      remove: (key) => {
        for (const entries of staged.values()) entries.unfile(key);
        failures.delete(key);
        objects.delete(key);
      },
      publish: (resourceVersion, gone = []) => {
        this.refuseNestedChange();
        for (const index of this.indexes.values()) {
          if (index.entries === undefined && !staged.has(index)) continue;
          // An index added or first read meanwhile has no staged entries.
          const entries = staged.get(index) ?? this.entriesFor(index, objects);
          if (whole) index.entries = entries;
          else for (const key of objects.keys()) index.entries?.file(key, entries.valuesOf(key));
        }
        for (const failed of failures.values()) this.failures.push(...failed);
        if (whole) {
          this.objects = objects;
        } else {
          for (const key of gone) this.write(key, undefined, undefined);
          for (const [key, object] of objects) this.objects.set(key, object);
        }
        this.resourceVersion = resourceVersion;
        this.reportToHandler();
      },
    };
  }

  /** The stored value of an object. */
  protected valueOf(_key: string, object: T): T {
    return object;
  }

  /** The key computed for an object, or for what stands for one. */
  protected computedKey(object: unknown): string {
    return metaNamespaceKey(object as NamedObject);
  }

  /** The key of an object: computed, or else the key under which it is stored. */
  protected keyOf(object: unknown): string {
    try {
      return this.computedKey(object);
    } catch (error) {
      for (const [key, stored] of this.objects) if (stored === object) return key;
      throw error;
    }
  }

  protected write(key: string, object: T | undefined, resourceVersion: string | undefined): void {
    if (object === undefined) {
      for (const { entries } of this.indexes.values()) entries?.unfile(key);
      this.objects.delete(key);
    } else {
      // Index functions are the user's: what they call must not find the object before its change is complete.
      for (const index of this.indexes.values()) {
        if (this.objects.size >= maxUnread) index.entries ??= this.entriesFor(index, this.objects);
        // The namespace of a key never changes; indexing it again would take a tenth of the time of a small object's event.
        if (index.entries === undefined || (index.func === keyNamespaceIndexFunc && this.objects.has(key))) continue;
        index.entries.file(key, this.valuesOf(index, key, object, this.failures));
      }
      this.objects.set(key, object);
    }
    if (resourceVersion !== undefined) this.resourceVersion = resourceVersion;
  }

  /** The key of an object; `''` for one that is not stored and has none. */
  private keyOrNone(object: T): string {
    try {
      return this.keyOf(object);
    } catch {
      return '';
    }
  }

  private objectsOf(keys: Iterable<string>): T[] {
    const objects: T[] = [];
    for (const key of keys) {
      const object = this.objects.get(key);
      if (object !== undefined) objects.push(object);
    }
    return objects;
  }

  /** @throws TypeError with the names of the existing indexes, when this one does not exist. */
  private indexOf(indexName: string): Index<T> {
    const index = this.indexes.get(indexName);
    if (index !== undefined) return index;
    throw new TypeError(
      `Expected \`indexName\` to be the name of an index (existing: ${namesOf(this.indexes.keys())}), got ${describeValue(indexName)}`,
    );
  }

  private entriesOf(indexName: string): ValueIndex {
    const index = this.indexOf(indexName);
    const entries = index.entries ?? this.entriesFor(index, this.objects);
    // Read by another index function, they lack the key that is being written.
    if (!this.computing) index.entries = entries;
    return entries;
  }

  private entriesFor(index: Index<T>, objects: ReadonlyMap<string, T>): ValueIndex {
    const entries = new ValueIndex();
    for (const [key, object] of objects) entries.file(key, this.valuesOf(index, key, object, this.failures));
    return entries;
  }

  private valuesOf({ name, func }: Index<T>, key: string, object: T, failures: IndexFailure[]): readonly string[] {
    const { computing } = this;
    this.computing = true;
    try {
      return checkedValues(func(object, key));
    } catch (error) {
      failures.push({ error, indexName: name, key });
      return [];
    } finally {
      this.computing = computing;
    }
  }

  /** Passes the errors of the last change to the handler of the store, if there is one; else they wait for `report`. */
  private reportToHandler(): void {
    if (this.onIndexError !== undefined) this.report();
  }
}
