import type { ObjectEvent, ResourceChange } from '../../../api/events/resourceChange.js';

/** Objects and their keys, in the same order. */
export interface Content<T> {
  readonly keys: readonly string[];
  readonly objects: readonly T[];
}

/** Something that is told of the events in a bucket. */
export interface BucketReader<T> {
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void;
}

const few = 64;

/**
 * What is under one value of an index, in ascending order of the keys from the first time that somebody looks.
 */
export class Bucket<T> implements Content<T> {
  /** What the value counts in; empty where there is only one. */
  readonly scope: string;
  readonly value: string;
  /** What functions have read of it, with or without objects. */
  readonly reads: BucketReader<T>[] = [];
  keys: string[] = [];
  objects: T[] = [];
  private isOrdered = false;

  constructor(scope: string, value: string) {
    this.scope = scope;
    this.value = value;
  }

  get size(): number {
    return this.keys.length;
  }

  /** Adds an object whose key is not there. */
  add(key: string, object: T): void {
    const at = this.isOrdered ? this.placeOf(key) : this.keys.length;
    if (at === this.keys.length) {
      this.keys.push(key);
      this.objects.push(object);
    } else {
      this.keys.splice(at, 0, key);
      this.objects.splice(at, 0, object);
    }
  }

  /** Puts another version of an object that is there. */
  replace(key: string, before: T | undefined, object: T): void {
    this.inOrder();
    // Among few, an object is found faster than a key, which is compared letter by letter.
    const at = this.size <= few ? this.objects.indexOf(before as T) : -1;
    this.objects[this.keys[at] === key ? at : this.placeOf(key)] = object;
  }

  /** Removes an object that is there. */
  remove(key: string): void {
    this.inOrder();
    const at = this.placeOf(key);
    this.keys.splice(at, 1);
    this.objects.splice(at, 1);
  }

  /** Tells those who have read of it of an event in it. */
  note(event: ObjectEvent<T>, change: ResourceChange<T>): void {
    for (const read of this.reads) read.note(event, change);
  }

  /** Itself, in ascending order of the keys. */
  inOrder(): Content<T> {
    if (!this.isOrdered) {
      this.isOrdered = true;
      ({ keys: this.keys, objects: this.objects } = ordered(this.keys, this.objects));
    }
    return this;
  }

  /** Where a key is, or belongs. */
  private placeOf(key: string): number {
    const { keys } = this;
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((keys[middle] as string) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * The same in ascending order of the keys: the arrays themselves, where they are.
 */
export function ordered<T>(keys: string[], objects: T[]): { keys: string[]; objects: T[] } {
  const isOrdered = keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key);
  if (isOrdered) return { keys, objects };
  const places = keys.map((_, at) => at).sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
  return { keys: places.map((at) => keys[at] as string), objects: places.map((at) => objects[at] as T) };
}
