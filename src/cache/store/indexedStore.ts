import { metaNamespaceKey, type NamedObject } from '../../api/kubernetesObject.js';
import { type Content, contents, type StagedContent } from './content.js';
import { checkedValues, type IndexErrorHandler, IndexSet } from './indexSet.js';
import { expectTracked } from './readGuard.js';
import type { Indexers, IndexReader } from './store.js';

/** The options of an {@link IndexedStore}. */
interface IndexedStoreOptions<T> {
  readonly indexers?: Indexers<T> | undefined;
  readonly onIndexError?: IndexErrorHandler | undefined;
}

/** Objects by key, with indexes. Users read it; `contentOf` writes it. */
export class IndexedStore<T> implements IndexReader<T> {
  protected objects: Map<string, T> = new Map<string, T>();
  protected readonly indexes: IndexSet<T>;
  protected resourceVersion = '';

  constructor({ indexers, onIndexError }: IndexedStoreOptions<T>) {
    this.indexes = new IndexSet(onIndexError);
    if (indexers !== undefined) this.indexes.add(indexers, this.objects);
    const content: Content<T> = {
      get: (key) => this.objects.get(key),
      put: (key, object) => {
        this.indexes.refuseNestedChange();
        this.write(key, this.valueOf(key, object), undefined);
        this.indexes.reportToHandler();
      },
      remove: (key) => {
        this.indexes.refuseNestedChange();
        this.write(key, undefined, undefined);
      },
      stage: (whole) => this.stage(whole),
      report: (handler) => this.indexes.report(handler),
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
    const { func, entries } = this.indexes.get(indexName);
    const keys = new Set(checkedValues(func(object, this.keyOrNone(object))).flatMap((value) => entries.keys(value)));
    return this.objectsOf(keys);
  }

  indexKeys(indexName: string, indexedValue: string): string[] {
    expectTracked();
    return [...this.indexes.get(indexName).entries.keys(indexedValue)].sort();
  }

  listIndexFuncValues(indexName: string): string[] {
    expectTracked();
    return this.indexes.find(indexName)?.entries.values() ?? [];
  }

  byIndex(indexName: string, indexedValue: string): T[] {
    expectTracked();
    return this.objectsOf(this.indexes.get(indexName).entries.keys(indexedValue));
  }

  byIndexes(values: Readonly<Record<string, string>>): T[] {
    expectTracked();
    const [smallest, ...others] = Object.entries(values)
      .map(([indexName, value]) => ({ value, entries: this.indexes.get(indexName).entries }))
      .sort((a, b) => a.entries.count(a.value) - b.entries.count(b.value));
    if (smallest === undefined) return this.list();
    const keys = smallest.entries.keys(smallest.value);
    return this.objectsOf(keys.filter((key) => others.every(({ value, entries }) => entries.has(value, key))));
  }

  getIndexers(): Indexers<T> {
    return this.indexes.indexers();
  }

  addIndexers(indexers: Indexers<T>): void {
    this.indexes.refuseNestedChange();
    this.indexes.add(indexers, this.objects);
    this.indexes.report();
  }

  /** Begins content that is published in one step. */
  protected stage(whole: boolean): StagedContent<T> {
    const objects = new Map<string, T>();
    const entries = this.indexes.stage(whole);
    return {
      whole,
      objects,
      put: (key, object) => {
        const stored = this.valueOf(key, object);
        entries.file(key, stored);
        objects.set(key, stored);
      },
      remove: (key) => {
        entries.unfile(key);
        objects.delete(key);
      },
      publish: (resourceVersion, gone = []) => {
        this.indexes.refuseNestedChange();
        entries.publish(objects);
        if (whole) {
          this.objects = objects;
        } else {
          for (const key of gone) this.write(key, undefined, undefined);
          for (const [key, object] of objects) this.objects.set(key, object);
        }
        this.resourceVersion = resourceVersion;
        this.indexes.reportToHandler();
      },
    };
  }

  /** The stored value of an object. */
  protected valueOf(_key: string, object: T): T {
    return object;
  }

  /** The key of an object: computed, or else the key under which it is stored. */
  protected keyOf(object: T): string {
    try {
      return metaNamespaceKey(object as NamedObject);
    } catch (error) {
      for (const [key, stored] of this.objects) if (stored === object) return key;
      throw error;
    }
  }

  protected write(key: string, object: T | undefined, resourceVersion: string | undefined): void {
    if (object === undefined) {
      this.indexes.unfile(key);
      this.objects.delete(key);
    } else {
      // Index functions are the user's: what they call must not find the object before its change is complete.
      this.indexes.file(key, object, this.objects.has(key));
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
}
