import { checkedValues, describeValue, entryOf, namespaceOfKey } from 'rx-informer/internal';
import type { Collection, IndexReader, ObjectEvent, ResourceChange } from 'rx-informer';
import type { IndexFunc } from 'rx-informer/pipeline';
import { OrderedList } from '../orderedList.js';
import { type LabelsOf, labelsOfObjectsIn, untyped } from '../viewPort.js';

/** The index values of an object; undefined for none. */
export type ValuesOf<T> = (key: string, object: T) => string | readonly string[] | undefined;

/** A read that is notified of events in a bucket. */
interface BucketReader<T> {
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void;
}

/** The objects with one value of an index. */
export class Bucket<T> extends OrderedList<T> {
  /** The namespace that the value is limited to; empty for none. */
  readonly scope: string;
  readonly value: string;
  /** The reads of it by functions, whether or not it has objects. */
  readonly reads: Set<BucketReader<T>> = new Set<BucketReader<T>>();

  constructor(scope: string, value: string) {
    super();
    this.scope = scope;
    this.value = value;
  }

  /** Notifies its reads of an event. */
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void {
    for (const read of this.reads) read.note(event, change);
  }
}

/** The buckets of an object: one, or several. */
type Places<T> = Bucket<T> | readonly Bucket<T>[];

interface InputIndexInit<T> {
  readonly valuesOf: ValuesOf<T>;
  /** Whether values are separate per namespace. */
  readonly namespaced: boolean;
  /** Whether the key of an object alone decides its buckets. */
  readonly byKey: boolean;
}

/**
 * An index of an input. It stores the buckets of each object, so that an object deleted with other labels than it was indexed with leaves no entry.
 */
export class InputIndex<T> {
  /** The number of users of the index. */
  users = 0;
  private readonly init: InputIndexInit<T>;
  private readonly scopes = new Map<string, Map<string, Bucket<T>>>();
  /** The bucket of the last object: consecutive objects of a list often share it. */
  private last: Bucket<T> | undefined;
  /** The buckets by key; built at the first change, since only changes need them. */
  private placesByKey: Map<string, Places<T>> | undefined;

  constructor(reader: IndexReader<T>, init: InputIndexInit<T>) {
    this.init = init;
    // A store may list its objects in another order.
    for (const key of reader.listKeys()) {
      const object = reader.getByKey(key);
      const values = object === undefined ? undefined : init.valuesOf(key, object);
      if (values !== undefined) this.file(key, object as T, values);
    }
  }

  /** The number of objects with a value. */
  count(scope: string, value: string): number {
    return this.scopes.get(scope)?.get(value)?.size ?? 0;
  }

  /** Applies an event, and notifies the reads that it affects. */
  apply(event: ObjectEvent<T>, change: ResourceChange<T>): void {
    const { key, object } = event;
    const isGone = event.type === 'deleted';
    if (this.init.byKey) {
      const bucket = this.bucket('', this.init.valuesOf(key, object) as string);
      if (isGone) bucket.delete(key);
      else bucket.set(key, object, event.type === 'updated' ? event.oldObject : undefined);
      bucket.note(event, change);
      this.vacate(bucket);
      return;
    }
    const places = this.places();
    const before = places.get(key);
    const values = isGone ? undefined : this.init.valuesOf(key, object);
    if (values !== undefined && before instanceof Bucket && before.value === values) {
      before.set(key, object, event.type === 'updated' ? event.oldObject : undefined);
      before.note(event, change);
      return;
    }
    for (const bucket of bucketsOf(before)) {
      bucket.delete(key);
      bucket.note(event, change);
      this.vacate(bucket);
    }
    const after = values === undefined ? undefined : this.file(key, object, values);
    if (after !== undefined) places.set(key, after);
    else if (before !== undefined) places.delete(key);
    for (const bucket of bucketsOf(after)) bucket.note(event, change);
  }

  /** The bucket of a value, which exists as long as it has objects or reads. */
  bucket(scope: string, value: string): Bucket<T> {
    const buckets = entryOf(this.scopes, scope, () => new Map<string, Bucket<T>>());
    return entryOf(buckets, value, () => new Bucket<T>(scope, value));
  }

  /** Removes an empty bucket, or an index by names would grow forever. */
  vacate(bucket: Bucket<T>): void {
    const { size, reads, scope, value } = bucket;
    if (size > 0 || reads.size > 0) return;
    if (this.last === bucket) this.last = undefined;
    const buckets = this.scopes.get(scope);
    buckets?.delete(value);
    if (buckets?.size === 0) this.scopes.delete(scope);
  }

  private file(key: string, object: T, values: string | readonly string[]): Places<T> {
    const scope = this.scopeOf(key);
    if (typeof values === 'string') {
      if (this.last?.scope !== scope || this.last.value !== values) this.last = this.bucket(scope, values);
      this.last.add(key, object);
      return this.last;
    }
    const buckets = [...new Set(values)].map((value) => this.bucket(scope, value));
    for (const bucket of buckets) bucket.add(key, object);
    return buckets;
  }

  private scopeOf(key: string): string {
    if (!this.init.namespaced) return '';
    const { scope } = this.last ?? {};
    if (scope !== undefined && key.startsWith(scope) && key.indexOf('/') === scope.length) return scope;
    return namespaceOfKey(key);
  }

  private places(): Map<string, Places<T>> {
    if (this.placesByKey !== undefined) return this.placesByKey;
    const places = new Map<string, Places<T>>();
    for (const buckets of this.scopes.values()) {
      for (const bucket of buckets.values()) {
        bucket.each((_, key) => {
          const others = places.get(key);
          places.set(key, others === undefined ? bucket : [...bucketsOf(others), bucket]);
        });
      }
    }
    this.placesByKey = places;
    return places;
  }
}

function bucketsOf<T>(places: Places<T> | undefined): readonly Bucket<T>[] {
  if (places === undefined) return [];
  return places instanceof Bucket ? [places] : places;
}

/**
 * The indexes that views use of one of their inputs: of all objects, by namespace, by label, by an index function. Shared by all views. Each is created when it is
 * first used, and removed with its last user.
 */
export class InputIndexes<T> {
  readonly labelsOf: LabelsOf<T>;
  private readonly collection: Collection<T>;
  private readonly indexes = new Map<unknown, InputIndex<T>>();
  /** The last function of each index that was read. */
  private readonly functions = new Map<string, IndexFunc<T>>();
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

  /** The index of a function, which `functionOf` returned. */
  byFunction(func: IndexFunc<T>): InputIndex<T> {
    const valuesOf: ValuesOf<T> = (key, object) => {
      try {
        const values = checkedValues(func(object, key));
        return values.length > 1 ? values : values[0];
      } catch {
        // The collection itself has reported the error.
        return undefined;
      }
    };
    return this.use(func, () => valuesOf, false);
  }

  /** The function of an index. That of one that was removed stays as long as somebody reads it. @throws TypeError when there is none. */
  functionOf(indexName: string): IndexFunc<T> {
    const { indexer, name } = this.collection;
    const indexers = indexer.getIndexers();
    const known = this.functions.get(indexName);
    const removed = this.indexes.has(known) ? known : undefined;
    const func = Object.hasOwn(indexers, indexName) ? (indexers[indexName] as IndexFunc<T>) : removed;
    if (func === undefined) {
      const existing = Object.keys(indexers).map((other) => JSON.stringify(other));
      throw new TypeError(
        `Expected \`indexName\` to be the name of an index of ${name} (existing: ${existing.join(', ') || 'none'}), got ${describeValue(indexName)}`,
      );
    }
    this.functions.set(indexName, func);
    return func;
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

  private use(id: unknown, valuesOf: () => ValuesOf<T>, namespaced: boolean): InputIndex<T> {
    let index = this.indexes.get(id);
    if (index === undefined) {
      const byKey = id === 'everything' || id === 'namespace';
      this.indexes.set(id, (index = new InputIndex(this.collection.indexer, { valuesOf: valuesOf(), namespaced, byKey })));
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
