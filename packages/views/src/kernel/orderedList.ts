import { firstWhere } from 'rx-informer/internal';

/** The maximum number of objects in a chunk. */
const chunkSize = 512;

/** Lists up to this size are copied at once when they are read. */
const copiedSize = 1000;

interface Chunk<T> {
  readonly keys: string[];
  readonly objects: T[];
  /** The list may change the chunk in place only while its own edition equals this one; otherwise it copies the chunk first. */
  readonly edition: number;
}

/** Iterates over chunks as over one array, lazily. */
class PartsIterator<T> {
  private readonly parts: readonly (readonly T[])[];
  private part = 0;
  private at = 0;

  constructor(parts: readonly (readonly T[])[]) {
    this.parts = parts;
  }

  next(): IteratorResult<T, undefined> {
    const part = this.parts[this.part];
    if (part === undefined) return { done: true, value: undefined };
    const value = part[this.at] as T;
    this.at += 1;
    if (this.at >= part.length) {
      this.part += 1;
      this.at = 0;
    }
    return { done: false, value };
  }
}
// Inherit the helper methods of built-in iterators.
Object.setPrototypeOf(PartsIterator.prototype, Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object);

/** The immutable content of a list at one moment, in non-empty chunks. */
class Content<T> {
  readonly size: number;
  readonly parts: readonly (readonly T[])[];

  constructor(parts: readonly (readonly T[])[], size: number) {
    this.parts = parts;
    this.size = size;
  }

  /** A new array of all objects. */
  whole(): T[] {
    return ([] as T[]).concat(...this.parts);
  }

  /** Calls a function for each object until it returns true. Returns whether it has. */
  until(call: (object: T, at: number) => boolean): boolean {
    let at = 0;
    for (const part of this.parts) {
      for (let index = 0; index < part.length; index += 1) {
        if (call(part[index] as T, at)) return true;
        at += 1;
      }
    }
    return false;
  }

  at(index: number): T | undefined {
    let left = index < 0 ? index + this.size : index;
    for (const part of this.parts) {
      if (left < part.length) return part[left];
      left -= part.length;
    }
    return undefined;
  }

  first(count: number): T[] {
    const objects: T[] = [];
    this.until((object) => objects.length >= count || objects.push(object) >= count);
    return objects;
  }
}

type Callback<T> = (object: T, at: number, array: readonly T[]) => unknown;

/** Array methods that work on the chunks, without building one array. */
const walks: Readonly<Record<PropertyKey, (content: Content<unknown>, array: readonly unknown[], first: never, second: never) => unknown>> =
  {
    some: (content, array, call: Callback<unknown>, self) => content.until((object, at) => Boolean(call.call(self, object, at, array))),
    every: (content, array, call: Callback<unknown>, self) => !content.until((object, at) => !call.call(self, object, at, array)),
    find: (content, array, call: Callback<unknown>, self) => {
      let found: unknown;
      content.until((object, at) => Boolean(call.call(self, object, at, array)) && ((found = object), true));
      return found;
    },
    forEach: (content, array, call: Callback<unknown>, self) =>
      void content.until((object, at) => (call.call(self, object, at, array), false)),
    filter: (content, array, call: Callback<unknown>, self) => {
      const objects: unknown[] = [];
      content.until((object, at) => (call.call(self, object, at, array) && objects.push(object), false));
      return objects;
    },
    map: (content, array, call: Callback<unknown>, self) => {
      const values: unknown[] = [];
      content.until((object, at) => (values.push(call.call(self, object, at, array)), false));
      return values;
    },
  };

/** The number of single element reads before the whole array is built. */
const maxSingleReads = 16;

/** An array that is filled lazily: at the first use other than `length`, a method in `walks`, or a few single reads. */
class LazyArray implements ProxyHandler<unknown[]> {
  readonly array: unknown[];
  private readonly content: Content<unknown>;
  private readonly onFill: () => void;
  private isFilled = false;
  private lookups = 0;

  constructor(content: Content<unknown>, onFill: () => void) {
    this.content = content;
    this.onFill = onFill;
    const array: unknown[] = [];
    // A length beyond what engines preallocate takes no memory.
    array.length = 2 ** 32 - 1;
    array.length = content.size;
    this.array = new Proxy(array, this);
  }

  get(target: unknown[], name: PropertyKey): unknown {
    const { content, array } = this;
    if (this.isFilled || name === 'length') return Reflect.get(target, name) as unknown;
    const walk = Object.hasOwn(walks, name) ? walks[name] : undefined;
    if (walk !== undefined) return (first: never, second: never) => walk(content, array, first, second);
    if (name === 'at') return (at = 0) => content.at(Math.trunc(at));
    if (name === 'slice') return (from?: number, to?: number) => this.slice(from, to);
    if (name === 'reduce') return this.reduce;
    if (name === Symbol.iterator) return () => new PartsIterator(content.parts);
    if (typeof name === 'string' && this.lookups < maxSingleReads && /^\d+$/.test(name)) {
      this.lookups += 1;
      return content.at(Number(name));
    }
    this.fill(target);
    return Reflect.get(target, name) as unknown;
  }

  fill(target: unknown[]): void {
    if (this.isFilled) return;
    this.isFilled = true;
    this.onFill();
    target.length = 0;
    for (const part of this.content.parts) target.push(...part);
  }

  private readonly reduce = (
    call: (total: unknown, object: unknown, at: number, array: unknown) => unknown,
    ...initial: unknown[]
  ): unknown => {
    const { content, array } = this;
    let total = initial.length > 0 ? initial[0] : content.at(0);
    content.until((object, at) => {
      if (at > 0 || initial.length > 0) total = call(total, object, at, array);
      return false;
    });
    return total;
  };

  private slice(from = 0, to?: number): unknown[] {
    const { content } = this;
    return from === 0 && to !== undefined && to >= 0 ? content.first(Math.trunc(to)) : content.whole().slice(from, to);
  }
}

/** Everything else looks at the array itself. */
const traps = LazyArray.prototype as unknown as Record<string, (this: LazyArray, target: unknown[], ...how: never[]) => unknown>;
for (const name of 'has set deleteProperty defineProperty ownKeys getOwnPropertyDescriptor preventExtensions isExtensible'.split(' ')) {
  traps[name] = function (target, ...how) {
    this.fill(target);
    return (Reflect[name as 'has'] as (...given: unknown[]) => unknown)(target, ...how);
  };
}

/** The maximum number of parts of a result that are searched for lazy arrays. */
const maxSearched = 1000;

/** The large arrays that are passed to one run of a function of a view. */
export class LazyArrays {
  /** Where arrays are handed out: to the running function, or to anyone else, who gets whole ones. */
  static current: LazyArrays | undefined;
  /** Whether one has been filled: then they are of no use. */
  areFilled = false;
  /** Most runs have none. */
  private all: Set<unknown> | undefined;

  handOut(content: Content<unknown>): unknown[] {
    const { array } = new LazyArray(content, () => (this.areFilled = true));
    (this.all ??= new Set()).add(array);
    return array;
  }

  /** Whether any array of this run is lazy, or whether a given one is. */
  has(array?: unknown): boolean {
    return this.all !== undefined && (array === undefined || this.all.has(array));
  }

  /** Whether a value may contain one of them. */
  mayBeIn(value: unknown): boolean {
    const parts: unknown[] = [value];
    for (let count = 0; parts.length > 0; count += 1) {
      const part = parts.pop();
      if (typeof part === 'function') return true;
      if (typeof part !== 'object' || part === null) continue;
      if (count > maxSearched || this.has(part)) return true;
      const prototype: unknown = Object.getPrototypeOf(part);
      const isPlain = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
      if (!isPlain && !Object.isFrozen(part)) return true;
      if (!Object.isFrozen(part)) for (const child of Object.values(part)) parts.push(child);
    }
    return false;
  }
}

/**
 * Objects in ascending order of their keys, in chunks: a change copies at most one chunk, and arrays handed out do not change.
 */
export class OrderedList<T> {
  size = 0;
  private chunks: Chunk<T>[] = [];
  /** The unsorted objects before the first read. */
  private unordered: Chunk<T> | undefined = { keys: [], objects: [], edition: 0 };
  private edition = 0;
  private content: Content<T> | undefined;

  /** Adds an object with a new key. */
  add(key: string, object: T): void {
    if (this.unordered === undefined) {
      this.set(key, object);
      return;
    }
    this.size += 1;
    this.unordered.keys.push(key);
    this.unordered.objects.push(object);
  }

  /** Sets the object of a key. `before`, the present object if known, speeds up the search. */
  set(key: string, object: T, before?: T): void {
    this.order();
    this.content = undefined;
    if (this.chunks.length === 0) this.chunks.push({ keys: [], objects: [], edition: this.edition });
    const place = this.chunkOf(key);
    const chunk = this.editable(place);
    const { keys, objects } = chunk;
    const known = before === undefined || keys.length > 64 ? -1 : objects.indexOf(before);
    const at = keys[known] === key ? known : placeIn(keys, key);
    if (keys[at] === key) {
      objects[at] = object;
      return;
    }
    this.size += 1;
    keys.splice(at, 0, key);
    objects.splice(at, 0, object);
    if (keys.length <= chunkSize) return;
    const half = chunkSize / 2;
    this.chunks.splice(place + 1, 0, { keys: keys.splice(half), objects: objects.splice(half), edition: this.edition });
  }

  delete(key: string): void {
    this.order();
    const place = this.chunkOf(key);
    const found = this.chunks[place];
    const at = found === undefined ? 0 : placeIn(found.keys, key);
    if (found?.keys[at] !== key) return;
    this.content = undefined;
    this.size -= 1;
    const { keys, objects } = this.editable(place);
    keys.splice(at, 1);
    objects.splice(at, 1);
    if (keys.length === 0) this.chunks.splice(place, 1);
  }

  get(key: string): T | undefined {
    this.order();
    const chunk = this.chunks[this.chunkOf(key)];
    const at = chunk === undefined ? 0 : placeIn(chunk.keys, key);
    return chunk?.keys[at] === key ? chunk.objects[at] : undefined;
  }

  keys(): string[] {
    this.order();
    return this.chunks.flatMap(({ keys }) => keys);
  }

  /** A new array of the current objects. */
  array(): readonly T[] {
    this.order();
    if (this.size > copiedSize) return this.handOut()();
    const only = this.chunks[0];
    return this.chunks.length === 1 && only !== undefined ? only.objects.slice() : this.chunks.flatMap(({ objects }) => objects);
  }

  /** A function that returns the current objects, even after later changes. */
  handOut(): () => readonly T[] {
    if (this.size <= copiedSize) {
      const copy = this.array();
      return () => copy;
    }
    this.order();
    const content = (this.content ??= this.freeze());
    return () => (LazyArrays.current?.handOut(content) as T[] | undefined) ?? content.whole();
  }

  /** Calls a function with each object. */
  each(call: (object: T, key: string) => void): void {
    this.order();
    for (const { keys, objects } of this.chunks) for (let at = 0; at < keys.length; at += 1) call(objects[at] as T, keys[at] as string);
  }

  private freeze(): Content<T> {
    // Later changes must copy the chunks.
    this.edition += 1;
    return new Content(
      this.chunks.map(({ objects }) => objects),
      this.size,
    );
  }

  private editable(place: number): Chunk<T> {
    const chunk = this.chunks[place] as Chunk<T>;
    if (chunk.edition === this.edition) return chunk;
    return (this.chunks[place] = { keys: chunk.keys.slice(), objects: chunk.objects.slice(), edition: this.edition });
  }

  /** The last chunk whose first key is not above the key. */
  private chunkOf(key: string): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.chunks[middle]?.keys[0] as string) <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private order(): void {
    const { unordered, edition } = this;
    if (unordered === undefined) return;
    this.unordered = undefined;
    const { keys, objects } = ordered(unordered.keys, unordered.objects);
    if (keys.length <= chunkSize) {
      if (keys.length > 0) this.chunks = [{ keys, objects, edition }];
      return;
    }
    const half = chunkSize / 2;
    for (let at = 0; at < keys.length; at += half)
      this.chunks.push({ keys: keys.slice(at, at + half), objects: objects.slice(at, at + half), edition });
  }
}

/** The index of a key, or the index to insert it at. */
function placeIn(keys: readonly string[], key: string): number {
  return firstWhere(keys.length, (index) => (keys[index] as string) >= key);
}

/** Sorts by key; returns the arrays themselves if they are sorted. */
export function ordered<T>(keys: string[], objects: T[]): { keys: string[]; objects: T[] } {
  const isOrdered = keys.every((key, at) => at === 0 || (keys[at - 1] as string) < key);
  if (isOrdered) return { keys, objects };
  const places = keys.map((_, at) => at).sort((a, b) => ((keys[a] as string) < (keys[b] as string) ? -1 : 1));
  return { keys: places.map((at) => keys[at] as string), objects: places.map((at) => objects[at] as T) };
}
