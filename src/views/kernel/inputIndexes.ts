import type { ResourceChange } from '../../api/events/resourceChange.js';
import type { Indexers } from '../../cache/store/indexer.js';
import { ValueIndex } from '../../cache/store/valueIndex.js';
import type { Collection } from '../../informer/collection.js';
import { untyped } from './untyped.js';
import { type LabelsOf, viewPortOf } from './viewPort.js';

/** An index of an input, while somebody uses it. */
export interface InputIndex<T> {
  readonly id: string;
  readonly entries: ValueIndex;
  readonly valuesOf: (key: string, object: T) => readonly string[];
  users: number;
}

/** An entry of an index that a change has touched. */
export interface Touched<T> {
  readonly index: InputIndex<T>;
  readonly value: string;
  readonly key: string;
  /** What was and what is under the key, as far as it is known; neither for an object that is gone. */
  readonly objects: readonly T[];
}

type Labelled = { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } | null } | null | undefined;

const nothing: readonly string[] = [];
const labelsInMetadata: LabelsOf<unknown> = (object) => (object as Labelled)?.metadata?.labels;

/** The namespace in a key; empty for a name alone. */
export function namespaceOf(key: string): string {
  return key.slice(0, Math.max(key.indexOf('/'), 0));
}

/**
 * The indexes that views need of one of their inputs: by namespace, by label, by an index function. All views share them. Each is made when it is first asked
 * for, and goes with its last user.
 *
 * They remember what each object is filed under, so that an object that goes with other labels than it was cached with leaves nothing behind.
 */
export class InputIndexes<T> {
  readonly labelsOf: LabelsOf<T>;
  private readonly collection: Collection<T>;
  private readonly indexes = new Map<string, InputIndex<T>>();
  private applied: ResourceChange<T> | undefined;
  private touched: readonly Touched<T>[] = [];

  constructor(collection: Collection<T>) {
    this.collection = collection;
    this.labelsOf = viewPortOf(untyped(collection))?.labels ?? labelsInMetadata;
  }

  byNamespace(): InputIndex<T> {
    return this.use('namespace', () => (key) => [namespaceOf(key)]);
  }

  /** Files under the label's value, behind the namespace and a slash if the index is one of each namespace. */
  byLabel(label: string, namespaced: boolean): InputIndex<T> {
    return this.use(`${namespaced ? 'namespaced' : 'label'} ${label}`, () => (key, object) => {
      const labels = this.labelsOf(object);
      const value = labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
      if (value === undefined) return nothing;
      return [namespaced ? `${namespaceOf(key)}/${value}` : value];
    });
  }

  /** @throws TypeError when the collection has no such index. */
  byFunction(indexName: string): InputIndex<T> {
    return this.use(`function ${indexName}`, () => {
      const indexers = this.collection.indexer.getIndexers() as Indexers<T>;
      const func = Object.hasOwn(indexers, indexName) ? indexers[indexName] : undefined;
      if (func === undefined) {
        const existing = Object.keys(indexers).map((name) => JSON.stringify(name));
        throw new TypeError(
          `Expected \`indexName\` to be the name of an index of ${this.collection.name} (existing: ${existing.join(', ') || 'none'}), got ${JSON.stringify(indexName)}`,
        );
      }
      return (_, object) => {
        try {
          return func(object);
        } catch {
          // The collection itself has reported it.
          return nothing;
        }
      };
    });
  }

  release(index: InputIndex<T>): void {
    index.users -= 1;
    if (index.users === 0) this.indexes.delete(index.id);
  }

  /** Takes a change over into all indexes, once however many views hand it on, and returns the entries that it has touched. */
  apply(change: ResourceChange<T>): readonly Touched<T>[] {
    if (change === this.applied) return this.touched;
    this.applied = change;
    const touched: Touched<T>[] = [];
    for (const index of this.indexes.values()) for (const event of change.events) this.file(index, event, touched);
    this.touched = touched;
    return touched;
  }

  /** Forgets the last change, and what it held. */
  forget(): void {
    this.applied = undefined;
    this.touched = [];
  }

  private file(index: InputIndex<T>, event: ResourceChange<T>['events'][number], touched: Touched<T>[]): void {
    const { entries } = index;
    const { key } = event;
    const before = entries.valuesOf(key);
    if (event.type === 'deleted') {
      for (const value of before) touched.push({ index, value, key, objects: [] });
      entries.unfile(key);
      return;
    }
    const objects = event.type === 'updated' ? [event.oldObject, event.object] : [event.object];
    const after = index.valuesOf(key, event.object);
    entries.file(key, after);
    for (const value of before) touched.push({ index, value, key, objects });
    for (const value of after) if (!before.includes(value)) touched.push({ index, value, key, objects });
  }

  private use(id: string, functionOf: () => InputIndex<T>['valuesOf']): InputIndex<T> {
    let index = this.indexes.get(id);
    if (index === undefined) {
      const valuesOf = functionOf();
      index = { id, entries: new ValueIndex(), valuesOf, users: 0 };
      const { indexer } = this.collection;
      for (const key of indexer.listKeys()) {
        const object = indexer.getByKey(key);
        if (object !== undefined) index.entries.file(key, valuesOf(key, object));
      }
      this.indexes.set(id, index);
    }
    index.users += 1;
    return index;
  }
}

const shared = new WeakMap<Collection<never>, InputIndexes<never>>();

/**
 * The indexes of a collection, the same for all views.
 */
export function inputIndexesOf<T>(collection: Collection<T>): InputIndexes<T> {
  const known = shared.get(untyped(collection));
  if (known !== undefined) return known as unknown as InputIndexes<T>;
  const indexes = new InputIndexes(collection);
  shared.set(untyped(collection), indexes as unknown as InputIndexes<never>);
  return indexes;
}
