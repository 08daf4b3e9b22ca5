import type { JsonBytes } from './jsonBytes.js';

/** In `values`: managedFields that are left out, instead of the number of a value. */
export const leftOut = -1;

/**
 * The values in which an object differs from a template, in order. Parallel typed arrays, since a list is made for each object that is read.
 */
export class Differences {
  count = 0;
  /** The length of all the values together, in bytes. */
  bytes = 0;
  /** The number of each value in the template's layout. */
  values: Int32Array = new Int32Array(64);
  /** Where each value begins and ends in the object's JSON. */
  starts: Int32Array = new Int32Array(64);
  ends: Int32Array = new Int32Array(64);
  /** The offset between JSON and template behind each value: how many bytes further on the same text is in the object's JSON. */
  shifts: Int32Array = new Int32Array(64);

  add(value: number, start: number, end: number, shift: number): void {
    const at = this.count;
    if (at === this.values.length) this.grow();
    this.values[at] = value;
    this.starts[at] = start;
    this.ends[at] = end;
    this.shifts[at] = shift;
    this.count = at + 1;
    if (value !== leftOut) this.bytes += end - start;
  }

  clear(): void {
    this.count = 0;
    this.bytes = 0;
  }

  private grow(): void {
    for (const field of ['values', 'starts', 'ends', 'shifts'] as const) {
      const larger = new Int32Array(2 * this[field].length);
      larger.set(this[field]);
      this[field] = larger;
    }
  }
}

/**
 * The result of comparing an object with a template: the range that was compared, and the differences.
 */
export interface Comparison {
  readonly differences: Differences;
  /** Where the comparison began in the template. */
  readonly from: number;
  readonly json: JsonBytes;
  /** Where it began and ended in the JSON. */
  readonly start: number;
  readonly end: number;
}
