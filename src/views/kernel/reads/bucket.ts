/** An object under one value of an index. */
export interface Place<T> {
  readonly key: string;
  object: T;
  readonly bucket: Bucket<T>;
  /** All places of the object, where it has several. */
  readonly all: readonly Place<T>[] | undefined;
}

/**
 * What is under one value of an index. It is put in order when it is read.
 */
export class Bucket<T> {
  /** What the value counts in; empty where there is only one. */
  readonly scope: string;
  readonly value: string;
  /** How many want to know of it, with or without objects. */
  users = 0;
  private readonly places: Place<T>[] = [];
  private isOrdered = true;

  constructor(scope: string, value: string) {
    this.scope = scope;
    this.value = value;
  }

  get size(): number {
    return this.places.length;
  }

  add(place: Place<T>): void {
    const { places } = this;
    const last = places[places.length - 1];
    if (last !== undefined && last.key > place.key) this.isOrdered = false;
    places.push(place);
  }

  remove(place: Place<T>): void {
    this.places.splice(this.isOrdered ? this.find(place.key) : this.places.indexOf(place), 1);
  }

  /** In ascending order of the keys: its own array, which must not be changed. */
  inOrder(): readonly Place<T>[] {
    if (!this.isOrdered) this.places.sort((a, b) => (a.key < b.key ? -1 : 1));
    this.isOrdered = true;
    return this.places;
  }

  private find(key: string): number {
    let low = 0;
    let high = this.places.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.places[middle] as Place<T>).key < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
