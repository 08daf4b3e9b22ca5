import type { JsonBytes } from './jsonBytes.js';

/** Stands for managedFields that are left out, where otherwise the number of a value stands. */
export const leftOut = -1;

/**
 * The values in which an object differs from a template, in their order: as arrays of numbers, since there is one list of them for each object read.
 */
export class Differences {
  count = 0;
  /** How many bytes all of them have. */
  bytes = 0;
  /** The number of each value in the template's layout. */
  values: Int32Array = new Int32Array(64);
  /** Where each stands in the object's JSON. */
  starts: Int32Array = new Int32Array(64);
  ends: Int32Array = new Int32Array(64);
  /** How much farther what follows stands in the object's JSON than in the template. */
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

  removeLast(): void {
    const at = this.count - 1;
    this.count = at;
    if (this.values[at] !== leftOut) this.bytes -= (this.ends[at] as number) - (this.starts[at] as number);
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
 * What an object has been compared with a template by: where both began, and in what they differ.
 */
export interface Comparison {
  readonly differences: Differences;
  /** Where it began in the template. */
  readonly from: number;
  readonly json: JsonBytes;
  /** Where it began in the JSON, and where it ended there. */
  readonly start: number;
  readonly end: number;
}
