import type { Indexers, IndexFunc } from './store.js';
import { keyNamespaceIndexFunc } from './indexFuncs.js';
import { InformerError, messageOf } from '../../api/errors/informerError.js';

const nothing: readonly string[] = [];

function withoutRepetition(values: readonly string[]): string | readonly string[] | undefined {
  if (values.length <= 1) return values[0];
  const distinct = [...new Set(values)];
  return distinct.length === 1 ? distinct[0] : distinct;
}

function areEqual(a: string | readonly string[] | undefined, b: string | readonly string[] | undefined): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

/** The keys of a value, where there are several. */
interface Entry {
  /** One string for all keys: a copy per key would double the memory of the index. */
  readonly value: string;
  readonly keys: Set<string>;
}

/**
 * The entries of one index: which keys are filed under which values.
 *
 * The values of each key are stored, not computed again from the old object. So no wrong entry remains when an index function throws for the old object or is
 * not pure, or when an object was mutated. The common cases, one value per key and one key per value, are stored without a collection.
 */
export class ValueIndex {
  private readonly keysByValue = new Map<string, string | Entry>();
  private readonly valuesByKey = new Map<string, string | readonly string[]>();

  /** Indexes a key under exactly these values. */
  file(key: string, values: readonly string[]): void {
    const before = this.valuesByKey.get(key);
    const after = withoutRepetition(values);
    if (areEqual(before, after)) return;
    this.removeFrom(before, key);
    if (after === undefined) {
      this.valuesByKey.delete(key);
      return;
    }
    this.valuesByKey.set(key, typeof after === 'string' ? this.addTo(after, key) : after.map((value) => this.addTo(value, key)));
  }

  unfile(key: string): void {
    this.file(key, nothing);
  }

  keys(value: string): readonly string[] {
    const keys = this.keysByValue.get(value);
    if (keys === undefined) return nothing;
    return typeof keys === 'string' ? [keys] : [...keys.keys];
  }

  valuesOf(key: string): readonly string[] {
    const values = this.valuesByKey.get(key);
    if (values === undefined) return nothing;
    return typeof values === 'string' ? [values] : values;
  }

  has(value: string, key: string): boolean {
    const keys = this.keysByValue.get(value);
    return typeof keys === 'object' ? keys.keys.has(key) : keys === key;
  }

  count(value: string): number {
    const keys = this.keysByValue.get(value);
    if (keys === undefined) return 0;
    return typeof keys === 'string' ? 1 : keys.keys.size;
  }

  values(): string[] {
    return [...this.keysByValue.keys()];
  }

  /** Returns the string to store for all keys of the value. */
  private addTo(value: string, key: string): string {
    const keys = this.keysByValue.get(value);
    if (typeof keys === 'object') {
      keys.keys.add(key);
      return keys.value;
    }
    this.keysByValue.set(value, keys === undefined ? key : { value, keys: new Set([keys, key]) });
    return value;
  }

  private removeFrom(values: string | readonly string[] | undefined, key: string): void {
    if (values === undefined) return;
    for (const value of typeof values === 'string' ? [values] : values) {
      const keys = this.keysByValue.get(value);
      if (typeof keys === 'object') keys.keys.delete(key);
      // Values without keys are removed, or an index by uid or IP would grow forever.
      if (typeof keys === 'object' ? keys.keys.size === 0 : keys === key) this.keysByValue.delete(value);
    }
  }
}

/**
 * Called for an index function that threw, or did not return an array of strings. The object has been stored, without an entry in
 * that index.
 */
export type IndexErrorHandler = (error: unknown, indexName: string, key: string) => void;

/** One index: its function and its entries. */
export interface Index<T> {
  readonly name: string;
  readonly func: IndexFunc<T>;
  entries: ValueIndex;
}

/** Entries being collected: reads do not find them before they are published. */
export interface StagedEntries<T> {
  /** Indexes an object under its key, replacing earlier entries of that key. */
  file(key: string, object: T): void;
  unfile(key: string): void;
  /** Makes the entries visible. `objects` are all staged objects, for indexes that were added meanwhile. */
  publish(objects: ReadonlyMap<string, T>): void;
}

interface IndexFailure {
  readonly error: unknown;
  readonly indexName: string;
  readonly key: string;
}

function indexErrorOf({ error, indexName, key }: IndexFailure, others: number): InformerError {
  return new InformerError({
    code: 'ERR_INDEX_FUNC',
    message: `The index function ${JSON.stringify(indexName)} failed for ${key}${others > 0 ? ` and ${others} others` : ''}: ${messageOf(error)}`,
    cause: error,
    key,
  });
}

function namesOf(names: Iterable<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ') || 'none';
}

function entriesOf<T>(indexers: Indexers<T>): [string, IndexFunc<T>][] {
  if (typeof indexers !== 'object' || (indexers as unknown) === null) {
    throw new TypeError(
      `Expected \`indexers\` to be an object of index functions, got ${(indexers as unknown) === null ? 'null' : typeof indexers}`,
    );
  }
  const entries = Object.entries(indexers);
  for (const [name, func] of entries) {
    if (typeof func !== 'function') throw new TypeError(`Expected the index ${JSON.stringify(name)} to be a function, got ${typeof func}`);
  }
  return entries;
}

/** The secondary indexes of one store. Errors of index functions are collected during a change, and reported after it. */
export class IndexSet<T> {
  private readonly indexes = new Map<string, Index<T>>();
  private readonly onIndexError: IndexErrorHandler | undefined;
  private failures: IndexFailure[] = [];
  private computing = false;

  constructor(onIndexError?: IndexErrorHandler) {
    this.onIndexError = onIndexError;
  }

  /** Called at the start of every change: one made by an index function would be overwritten by the change under way. */
  refuseNestedChange(): void {
    if (this.computing) throw new Error('An index function must not change the store');
  }

  /** @param isFiled - whether the key has entries already. */
  file(key: string, object: T, isFiled: boolean): void {
    for (const index of this.indexes.values()) {
      // The namespace of a key never changes; indexing it again would take a tenth of the time of a small object's event.
      if (isFiled && index.func === keyNamespaceIndexFunc) continue;
      index.entries.file(key, this.valuesOf(index, key, object, this.failures));
    }
  }

  unfile(key: string): void {
    for (const { entries } of this.indexes.values()) entries.unfile(key);
  }

  /** Begins entries that will replace all present ones, or those of the same keys. */
  stage(whole: boolean): StagedEntries<T> {
    const staged = new Map([...this.indexes.values()].map((index) => [index, new ValueIndex()]));
    const failures = new Map<string, IndexFailure[]>();
    return {
      file: (key, object) => {
        const failed: IndexFailure[] = [];
        for (const [index, entries] of staged) entries.file(key, this.valuesOf(index, key, object, failed));
        // Of several objects with one key the last one counts.
        if (failed.length > 0) failures.set(key, failed);
        else failures.delete(key);
      },
      unfile: (key) => {
        for (const entries of staged.values()) entries.unfile(key);
        failures.delete(key);
      },
      publish: (objects) => {
        for (const index of this.indexes.values()) {
          // An index added meanwhile has no staged entries.
          const entries = staged.get(index) ?? this.entriesFor(index, objects);
          if (whole) index.entries = entries;
          else for (const key of objects.keys()) index.entries.file(key, entries.valuesOf(key));
        }
        for (const failed of failures.values()) this.failures.push(...failed);
      },
    };
  }

  add(indexers: Indexers<T>, objects: ReadonlyMap<string, T>): void {
    const added = entriesOf(indexers);
    const known = added.map(([name]) => name).filter((name) => this.indexes.has(name));
    if (known.length > 0) throw new TypeError(`Expected new index names in \`indexers\`, got ${namesOf(known)}, already in use`);
    for (const [name, func] of added) {
      const index = { name, func, entries: new ValueIndex() };
      index.entries = this.entriesFor(index, objects);
      this.indexes.set(name, index);
    }
  }

  /** @throws TypeError with the names of the existing indexes, when this one does not exist. */
  get(indexName: string): Index<T> {
    const index = this.indexes.get(indexName);
    if (index !== undefined) return index;
    throw new TypeError(
      `Expected \`indexName\` to be the name of an index (existing: ${namesOf(this.indexes.keys())}), got ${JSON.stringify(indexName)}`,
    );
  }

  find(indexName: string): Index<T> | undefined {
    return this.indexes.get(indexName);
  }

  indexers(): Indexers<T> {
    return Object.fromEntries([...this.indexes].map(([name, { func }]) => [name, func]));
  }

  /** Passes the errors of the last change to the handler of the store, if there is one; else they wait for `report`. */
  reportToHandler(): void {
    if (this.onIndexError !== undefined) this.report();
  }

  /** Passes the errors of the last change to the handler of the store, else to `handler`; without both, throws. */
  report(handler?: IndexErrorHandler): void {
    const { failures } = this;
    const first = failures[0];
    if (first === undefined) return;
    this.failures = [];
    const onIndexError = this.onIndexError ?? handler;
    if (onIndexError === undefined) throw indexErrorOf(first, failures.length - 1);
    for (const { error, indexName, key } of failures) onIndexError(error, indexName, key);
  }

  private entriesFor(index: Index<T>, objects: ReadonlyMap<string, T>): ValueIndex {
    const entries = new ValueIndex();
    for (const [key, object] of objects) entries.file(key, this.valuesOf(index, key, object, this.failures));
    return entries;
  }

  private valuesOf({ name, func }: Index<T>, key: string, object: T, failures: IndexFailure[]): readonly string[] {
    this.computing = true;
    try {
      return checkedValues(func(object, key));
    } catch (error) {
      failures.push({ error, indexName: name, key });
      return [];
    } finally {
      this.computing = false;
    }
  }
}

/** Throws unless an index function has returned an array of strings. */
export function checkedValues(values: unknown): readonly string[] {
  if (!Array.isArray(values))
    throw new TypeError(`Expected an index function to return an array of strings, got ${values === null ? 'null' : typeof values}`);
  for (const value of values as unknown[]) {
    if (typeof value !== 'string')
      throw new TypeError(`Expected an index function to return strings only, got ${value === null ? 'null' : typeof value}`);
  }
  return values as string[];
}
