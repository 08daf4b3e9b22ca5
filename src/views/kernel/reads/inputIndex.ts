import type { ResourceChange } from '../../../api/events/resourceChange.js';
import type { IndexReader } from '../../../cache/store/indexReader.js';
import { Bucket, type Place } from './bucket.js';

/** A bucket of an index that an event has touched. */
export interface Touched<T> {
  readonly bucket: Bucket<T>;
  readonly event: ResourceChange<T>['events'][number];
}

/** What an object is filed under; undefined for nothing. */
export type ValuesOf<T> = (key: string, object: T) => string | readonly string[] | undefined;

/** The namespace in a key; empty for a name alone. */
export function namespaceOf(key: string): string {
  return key.slice(0, Math.max(key.indexOf('/'), 0));
}

/**
 * An index of an input. It knows the places of each object, so that one that goes with other labels than it was cached with leaves nothing behind.
 */
export class InputIndex<T> {
  /** How many use it. */
  users = 0;
  private readonly valuesOf: ValuesOf<T>;
  /** Whether values count in the namespaces of the keys, or everywhere. */
  private readonly namespaced: boolean;
  private readonly scopes = new Map<string, Map<string, Bucket<T>>>();
  /** Where the last object was put: the next one of a list often belongs there, too. */
  private last: Bucket<T> | undefined;
  /** A place of each object. Nobody asks before something changes: until then only the buckets are filled. */
  private placesByKey: Map<string, Place<T>> | undefined;

  constructor(reader: IndexReader<T>, valuesOf: ValuesOf<T>, namespaced: boolean) {
    this.valuesOf = valuesOf;
    this.namespaced = namespaced;
    for (const key of reader.listKeys()) {
      const object = reader.getByKey(key);
      const values = object === undefined ? undefined : valuesOf(key, object);
      if (values !== undefined) this.file(key, object as T, values);
    }
  }

  /** How many objects are under a value. */
  count(scope: string, value: string): number {
    return this.scopes.get(scope)?.get(value)?.size ?? 0;
  }

  /** What is and will be under a value, until it is let go. */
  hold(scope: string, value: string): Bucket<T> {
    const bucket = this.bucket(scope, value);
    bucket.users += 1;
    return bucket;
  }

  letGo(bucket: Bucket<T>): void {
    bucket.users -= 1;
    this.vacate(bucket);
  }

  /** Takes an event over, and notes which buckets it has touched. */
  apply(event: Touched<T>['event'], touched: Touched<T>[]): void {
    const { key, object } = event;
    const places = this.places();
    const before = places.get(key);
    const values = event.type === 'deleted' ? undefined : this.valuesOf(key, object);
    if (before === undefined && values === undefined) return;
    if (before !== undefined && before.all === undefined && before.bucket.value === values) {
      before.object = object;
      touched.push({ bucket: before.bucket, event });
      return;
    }
    for (const place of placesOf(before)) {
      place.bucket.remove(place);
      this.vacate(place.bucket);
    }
    const after = values === undefined ? undefined : this.file(key, object, values);
    if (after === undefined) places.delete(key);
    else places.set(key, after);
    for (const { bucket } of placesOf(before)) touched.push({ bucket, event });
    for (const { bucket } of placesOf(after)) touched.push({ bucket, event });
  }

  /** Returns any of its places. */
  private file(key: string, object: T, values: string | readonly string[]): Place<T> | undefined {
    const scope = this.scopeOf(key);
    if (typeof values === 'string') {
      if (this.last?.scope !== scope || this.last.value !== values) this.last = this.bucket(scope, values);
      return put({ key, object, bucket: this.last, all: undefined });
    }
    const all: Place<T>[] = [];
    for (const value of new Set(values)) all.push(put({ key, object, bucket: this.bucket(scope, value), all }));
    return all[0];
  }

  private scopeOf(key: string): string {
    if (!this.namespaced) return '';
    const { scope } = this.last ?? {};
    if (scope !== undefined && key.startsWith(scope) && key.indexOf('/') === scope.length) return scope;
    return namespaceOf(key);
  }

  private bucket(scope: string, value: string): Bucket<T> {
    let buckets = this.scopes.get(scope);
    if (buckets === undefined) this.scopes.set(scope, (buckets = new Map<string, Bucket<T>>()));
    let bucket = buckets.get(value);
    if (bucket === undefined) buckets.set(value, (bucket = new Bucket<T>(scope, value)));
    return bucket;
  }

  /** An emptied bucket goes, or an index by names would grow for ever. */
  private vacate(bucket: Bucket<T>): void {
    const { size, users, scope, value } = bucket;
    if (size > 0 || users > 0) return;
    if (this.last === bucket) this.last = undefined;
    const buckets = this.scopes.get(scope);
    buckets?.delete(value);
    if (buckets?.size === 0) this.scopes.delete(scope);
  }

  private places(): Map<string, Place<T>> {
    if (this.placesByKey !== undefined) return this.placesByKey;
    const places = new Map<string, Place<T>>();
    for (const buckets of this.scopes.values()) {
      for (const bucket of buckets.values()) for (const place of bucket.inOrder()) places.set(place.key, place);
    }
    this.placesByKey = places;
    return places;
  }
}

function put<T>(place: Place<T>): Place<T> {
  place.bucket.add(place);
  return place;
}

function placesOf<T>(place: Place<T> | undefined): readonly Place<T>[] {
  return place === undefined ? [] : (place.all ?? [place]);
}
