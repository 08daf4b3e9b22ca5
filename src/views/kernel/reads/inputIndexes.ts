import type { ResourceChange } from '../../../api/events.js';
import { namespaceOfKey } from '../../../api/kubernetesObject.js';
import type { IndexFunc } from '../../../cache/store/store.js';
import { checkedValues } from '../../../cache/store/indexSet.js';
import type { Collection } from '../../../informer/collection.js';
import { type LabelsOf, labelsOfObjectsIn, untyped } from '../viewPort.js';
import { InputIndex, type ValuesOf } from './inputIndex.js';

/**
 * The indexes that views use of one of their inputs: of all objects, by namespace, by label, by an index function. Shared by all views. Each is created when it is
 * first used, and removed with its last user.
 */
export class InputIndexes<T> {
  readonly labelsOf: LabelsOf<T>;
  private readonly collection: Collection<T>;
  private readonly indexes = new Map<string, InputIndex<T>>();
  private applied: ResourceChange<T> | undefined;

  constructor(collection: Collection<T>) {
    this.collection = collection;
    this.labelsOf = labelsOfObjectsIn(collection);
  }

  /** An index with a single bucket, for the value `''`. */
  ofEverything(): InputIndex<T> {
    return this.use('everything', () => () => '', false);
  }

  byNamespace(): InputIndex<T> {
    return this.use('namespace', () => namespaceOfKey, false);
  }

  /** With `namespaced`, values are separate per namespace. */
  byLabel(label: string, namespaced: boolean): InputIndex<T> {
    const valuesOf = (_: string, object: T): string | undefined => {
      const labels = this.labelsOf(object);
      return labels !== undefined && Object.hasOwn(labels, label) ? labels[label] : undefined;
    };
    return this.use(`${namespaced ? 'namespaced' : 'label'} ${label}`, () => valuesOf, namespaced);
  }

  /** @throws TypeError when the collection has no such index. */
  byFunction(indexName: string): InputIndex<T> {
    return this.use(`function ${indexName}`, () => this.indexFunction(indexName), false);
  }

  /** Removes a user of an index. */
  release(index: InputIndex<T>): void {
    index.users -= 1;
    if (index.users > 0) return;
    for (const [id, other] of this.indexes) if (other === index) this.indexes.delete(id);
  }

  /** Applies a change to all indexes, once even if several views pass it on, and notifies the reads that it affects. */
  apply(change: ResourceChange<T>): void {
    if (change === this.applied) return;
    this.applied = change;
    for (const index of this.indexes.values()) for (const event of change.events) index.apply(event, change);
  }

  /** Drops the reference to the last change. */
  forget(): void {
    this.applied = undefined;
  }

  private use(id: string, valuesOf: () => ValuesOf<T>, namespaced: boolean): InputIndex<T> {
    let index = this.indexes.get(id);
    if (index === undefined) {
      const byKey = id === 'everything' || id === 'namespace';
      this.indexes.set(id, (index = new InputIndex(this.collection.indexer, { valuesOf: valuesOf(), namespaced, byKey })));
    }
    index.users += 1;
    return index;
  }

  private indexFunction(indexName: string): ValuesOf<T> {
    const { indexer, name } = this.collection;
    const indexers = indexer.getIndexers();
    const func = Object.hasOwn(indexers, indexName) ? (indexers[indexName] as IndexFunc<T>) : undefined;
    if (func === undefined) {
      const existing = Object.keys(indexers).map((other) => JSON.stringify(other));
      throw new TypeError(
        `Expected \`indexName\` to be the name of an index of ${name} (existing: ${existing.join(', ') || 'none'}), got ${JSON.stringify(indexName)}`,
      );
    }
    return (key, object) => {
      try {
        const values = checkedValues(func(object, key));
        return values.length > 1 ? values : values[0];
      } catch {
        // The collection itself has reported the error.
        return undefined;
      }
    };
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
