import { endOfAlike } from './cutField.js';
import { endOfValue, endsScalar } from './endOfValue.js';
import type { JsonTemplate } from './jsonTemplate.js';
import { standsAt } from './managedFieldsRange.js';

const equal = 0;
/** Something in it differs. */
const changed = 1;
/** It is another value altogether, or has other parts. */
const replaced = 2;

const managedFields = new TextEncoder().encode(',"managedFields":');
const placeholder = new TextEncoder().encode('null');
/** Shorter pieces are copied faster byte by byte. */
const shortPiece = 48;

/**
 * Compares the bytes of objects with a template, and tells which values are the template's.
 *
 * Both are read side by side. Where they differ inside a value that has no parts, both go on behind it; where they differ in structure, behind the
 * innermost value around it. So at every value that counts as equal the two stand at the same place of the same structure: the same keys and indexes
 * lead to it in both.
 */
export class TemplateMatch {
  private template!: JsonTemplate;
  private json!: Uint8Array;
  private states: Uint8Array = new Uint8Array(1024);
  /** How much further each value stands in the bytes than in the template. */
  private shifts: Int32Array = new Int32Array(1024);
  /** The values that are looked at to put the object together: those to fill in, and those around them. */
  private visits: Uint16Array = new Uint16Array(1024);
  private visitCount = 0;
  private made: Record<string | number, unknown>[] = [];
  private scratch: Uint8Array = new Uint8Array(16_384);
  private written = 0;
  private copied = 0;
  private start = 0;
  private end = 0;
  private cutStart = -1;
  private cutEnd = -1;

  /**
   * Reads an object.
   *
   * @param start - the index of its first key's first byte.
   * @param from - that of the template.
   * @returns the index behind the object; -1 when too little is equal, or the object does not end before `limit`.
   */
  read(template: JsonTemplate, from: number, json: Uint8Array, view: DataView, start: number, limit: number): number {
    this.template = template;
    this.json = json;
    this.start = start;
    this.cutStart = -1;
    const { bytes, view: templateView, count, starts, ends, nexts, open, cutAt } = template;
    if (this.states.length < count) this.grow(count);
    const { states, shifts } = this;
    states.fill(equal, 0, count);
    const length = bytes.length;
    let shift = start - from;
    let at = from;
    // The next value to come, and the last one that has begun.
    let next = 1;
    let last = 0;
    while (starts[next] as number < from) next = nexts[next] as number;
    for (;;) {
      const stop = cutAt >= at && this.cutStart === -1 ? cutAt : length;
      const wordEnd = Math.min(stop, limit - shift) - 4;
      while (at <= wordEnd && templateView.getInt32(at, true) === view.getInt32(at + shift, true)) at += 4;
      const end = Math.min(stop, limit - shift);
      while (at < end && bytes[at] === json[at + shift]) at += 1;
      // Whatever begins here or has begun stands in both.
      while (next < count && (starts[next] as number) <= at) {
        shifts[next] = shift;
        last = next;
        next = open[next] === 1 ? next + 1 : (nexts[next] as number);
      }
      if (at === length) {
        this.end = at + shift;
        return this.end;
      }
      if (at + shift >= limit) return -1;
      if (at === cutAt && this.cutStart === -1) {
        const cutEnd = this.skipManagedFields(at + shift, view, limit);
        if (cutEnd === -1) return -1;
        shift = cutEnd - at;
        continue;
      }
      last = this.differing(last, at, json[at + shift] as number);
      let behind = this.behind(last, limit);
      if (behind === 0) {
        last = template.parents[last] as number;
        behind = this.behind(last, limit);
      }
      if (last === 0 || behind <= 0) return -1;
      at = ends[last] as number;
      next = nexts[last] as number;
      shift = behind - at;
    }
  }

  /** The innermost value that the difference is in. */
  private differing(last: number, at: number, byte: number): number {
    const { ends, parents, open, bytes, starts } = this.template;
    // A number goes on in the one and has ended in the other.
    const isScalar = open[last] === 0 && bytes[starts[last] as number] !== 0x22;
    if (ends[last] === at && isScalar && this.states[last] !== replaced && !endsScalar(byte)) return last;
    let value = last;
    while ((ends[value] as number) <= at) value = parents[value] as number;
    return value;
  }

  /** The index behind what stands in the value's place, which it marks as replaced; 0 when nothing does. */
  private behind(value: number, limit: number): number {
    if (value === 0) return -1;
    const { starts, parents } = this.template;
    const { states } = this;
    const start = (starts[value] as number) + (this.shifts[value] as number);
    const end = endOfValue(this.json, start, limit);
    if (end === start) return 0;
    states[value] = replaced;
    for (let around = parents[value] as number; states[around] === equal; around = parents[around] as number) {
      states[around] = changed;
      if (around === 0) break;
    }
    return end;
  }

  private skipManagedFields(at: number, view: DataView, limit: number): number {
    const { json } = this;
    this.cutStart = at;
    this.cutEnd = at;
    if (!standsAt(json, at, limit, managedFields)) return at;
    const { cut } = this.template;
    let end = cut === undefined ? -1 : endOfAlike(cut, json, view, at, limit);
    if (end === -1) end = endOfValue(json, at + managedFields.length, limit);
    this.cutEnd = end;
    return end;
  }

  /** Whether all of the object is the template's. */
  isEqual(): boolean {
    return this.states[0] === equal;
  }

  /**
   * The JSON of the object that was read, with `null` for each value that is the template's.
   *
   * @param prefix - comes before its first key.
   */
  rest(prefix: Uint8Array): Uint8Array {
    const { starts, ends, nexts, places, count, cutFrom } = this.template;
    const { states, shifts, visits, cutEnd, cutStart } = this;
    const enough = prefix.length + this.end - this.start + 4 * count;
    if (this.scratch.length < enough) this.scratch = new Uint8Array(2 * enough);
    this.scratch.set(prefix);
    this.written = prefix.length;
    this.copied = this.start;
    this.visitCount = 0;
    let value = 1;
    while (value < count && (starts[value] as number) < prefix.length) value = nexts[value] as number;
    while (value < count) {
      const state = states[value];
      if (state === changed) {
        visits[this.visitCount++] = value;
        value += 1;
        continue;
      }
      if (state === equal && places[value] !== 0) {
        visits[this.visitCount++] = value;
        const shift = shifts[value] as number;
        this.copyTo((starts[value] as number) + shift);
        this.put(placeholder);
        this.copied = (ends[value] as number) + shift + (value === cutFrom ? cutEnd - cutStart : 0);
      }
      value = nexts[value] as number;
    }
    this.copyTo(this.end);
    return this.scratch.subarray(0, this.written);
  }

  /** Puts the template's values into the object that was parsed from `rest`. */
  fill(object: Record<string, unknown>): void {
    const { parents, places, keys, values } = this.template;
    const { states, visits, visitCount, made } = this;
    made[0] = object;
    for (let visit = 0; visit < visitCount; visit += 1) {
      const value = visits[visit] as number;
      const place = places[value] as number;
      const parent = made[parents[value] as number] as Record<string | number, unknown>;
      const key = keys[place] as string | number;
      if (states[value] === changed) made[value] = parent[key] as Record<string, unknown>;
      else parent[key] = values[place];
    }
  }

  private put(bytes: Uint8Array): void {
    const { scratch } = this;
    for (const byte of bytes) scratch[this.written++] = byte;
  }

  private copyTo(end: number): void {
    const { cutStart, cutEnd } = this;
    if (cutEnd > cutStart && this.copied <= cutStart && end >= cutEnd) {
      this.copy(this.copied, cutStart);
      this.copy(cutEnd, end);
    } else {
      this.copy(this.copied, end);
    }
  }

  private copy(start: number, end: number): void {
    const { json, scratch } = this;
    let { written } = this;
    if (end - start > shortPiece) {
      scratch.set(json.subarray(start, end), written);
      written += end - start;
    } else {
      for (let at = start; at < end; at += 1) scratch[written++] = json[at] as number;
    }
    this.written = written;
  }

  private grow(count: number): void {
    this.states = new Uint8Array(2 * count);
    this.shifts = new Int32Array(2 * count);
    this.visits = new Uint16Array(2 * count);
  }
}
