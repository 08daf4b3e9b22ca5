import { leftOut, type Comparison } from './differences.js';
import { opensNested } from './scan.js';
import { JsonBytes } from './jsonBytes.js';
import { maxLayoutBytes, type JsonLayout } from './jsonLayout.js';
import type { Names } from './outline.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON of an object, in memory that is reused.
 */
export interface TemplateText {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Where managedFields were cut out; -1 when there were none. */
  readonly cutAt: number;
}

/** Room for later versions that are a little longer. */
const spareBytes = 64;

/**
 * An object with its JSON, to compare the JSON of other objects with before they are parsed.
 *
 * The object is frozen deeply, so that it always equals its JSON. A later version replaces both.
 */
export class Template implements TemplateText, Names {
  object: Json;
  /** The hashes of its name, family and form (see `Names`). Its versions share them. */
  readonly name: number;
  readonly family: number;
  readonly form: number;
  readonly layout: JsonLayout;
  readonly bytes: Uint8Array;
  readonly json: JsonBytes;
  length: number;
  /** Where managedFields were cut out; -1 when there were none. */
  cutAt: number;
  /** Where each value begins. */
  readonly starts: Uint16Array;

  /** Its keys in `Templates`. */
  readonly keys: number[] = [];
  /** Whether an object fitted since old templates were last dropped. */
  isUsed = true;
  /** How many objects in a row did not fit. */
  misfits = 0;

  /**
   * @param starts - where the values begin; copied, like the text.
   * @param longest - room for the text in bytes, unless positions in it would exceed 16 bits.
   */
  constructor(
    object: Json,
    { family, form, name }: Names,
    layout: JsonLayout,
    { bytes, length, cutAt }: TemplateText,
    starts: Uint16Array,
    longest: number = length,
  ) {
    const memory = new ArrayBuffer(2 * layout.count + Math.min(maxLayoutBytes, longest + spareBytes));
    this.object = object;
    this.name = name;
    this.layout = layout;
    this.starts = new Uint16Array(memory, 0, layout.count);
    this.bytes = new Uint8Array(memory, 2 * layout.count);
    this.json = new JsonBytes(this.bytes);
    this.length = length;
    this.cutAt = cutAt;
    this.family = family;
    this.form = form;
    this.starts.set(starts.subarray(0, layout.count));
    this.bytes.set(bytes.subarray(0, length));
  }

  /** Its size in bytes, estimated. */
  get size(): number {
    return this.bytes.buffer.byteLength + 500;
  }

  /**
   * Becomes the template of a later version of its object, which was compared with it.
   *
   * @returns whether it did: only strings, numbers and literals may differ, and the text must fit into its memory.
   */
  advance(match: Comparison, object: Json): boolean {
    const { differences, end, from, json, start } = match;
    const { count, values, starts: places, ends, shifts } = differences;
    const cut = values.subarray(0, count).indexOf(leftOut);
    const cutStart = cut === -1 ? end : (places[cut] as number);
    const cutEnd = cut === -1 ? end : (ends[cut] as number);
    const cutAt = from + cutStart - start;
    const length = cutAt + end - cutEnd;
    if (length > this.bytes.length || !this.hasLayoutOf(match)) return false;
    this.moveStarts(values, shifts, count, start - from);
    this.bytes.set(json.bytes.subarray(start, cutStart), from);
    this.bytes.set(json.bytes.subarray(cutEnd, end), cutAt);
    this.object = object;
    this.length = length;
    this.cutAt = cut === -1 ? -1 : cutAt;
    return true;
  }

  /** A template of another object, which was compared with this one; undefined if more than strings, numbers and literals differ. */
  derived(outline: Names, match: Comparison, object: Json): Template | undefined {
    // mutation condition: equivalent but for time: `advance` of the new template makes the same check
    if (!this.hasLayoutOf(match)) return undefined;
    const longest = Math.max(this.length, match.from + match.end - match.start);
    const derived = new Template(this.object, outline, this.layout, this, this.starts, longest);
    return derived.advance(match, object) ? derived : undefined;
  }

  private hasLayoutOf({ differences, json }: Comparison): boolean {
    const { count, values, starts } = differences;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      // mutation condition: equivalent: for `leftOut` the start in the template is undefined, and the omitted JSON begins with a comma or a quote
      if (value === leftOut) continue;
      const before = this.bytes[this.starts[value] as number] as number;
      if (opensNested(before) || opensNested(json.bytes[starts[at] as number] as number)) return false;
    }
    return true;
  }

  /** Adds to each start the length by which the text before it has grown. */
  private moveStarts(values: Int32Array, shifts: Int32Array, count: number, before: number): void {
    const { starts } = this;
    let moved = 0;
    let shift = before;
    let next = 0;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      const behind = shifts[at] as number;
      if (value !== leftOut) {
        // mutation condition: equivalent but for time
        if (moved === 0) next = value + 1;
        else for (; next <= value; next += 1) starts[next] = (starts[next] as number) + moved;
        moved += behind - shift;
      }
      shift = behind;
    }
    if (moved !== 0) for (; next < starts.length; next += 1) starts[next] = (starts[next] as number) + moved;
  }
}
