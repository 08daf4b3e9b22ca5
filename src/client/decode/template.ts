import { leftOut, type Comparison } from './differences.js';
import { opensNested } from './endOfValue.js';
import { JsonBytes } from './jsonBytes.js';
import { maxLayoutBytes, type JsonLayout } from './jsonLayout.js';
import type { Names } from './outline.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON of an object, in memory that may be used again.
 */
export interface TemplateText {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Where managedFields stood that were left out; -1 when there were none. */
  readonly cutAt: number;
}

/** Later versions may be a little longer. */
const spareBytes = 64;

/**
 * An object whose JSON is kept, so that that of others can be compared with it before it is parsed.
 *
 * The object is frozen whole: it stays what its JSON says. A later version takes the place of both.
 */
export class Template implements TemplateText, Names {
  object: Json;
  /** The numbers of its name, its family, and its form, which its versions share. */
  readonly name: number;
  readonly family: number;
  readonly form: number;
  readonly layout: JsonLayout;
  readonly bytes: Uint8Array;
  readonly json: JsonBytes;
  length: number;
  /** Where managedFields stood that were left out; -1 when there were none. */
  cutAt: number;
  /** Where each value begins. */
  readonly starts: Uint16Array;

  /** What it is kept under. */
  readonly keys: number[] = [];
  /** Whether an object was like it of late. */
  isUsed = true;
  /** How many objects in a row were not like it. */
  misfits = 0;

  /**
   * @param starts - where the values begin; copied, as the text is.
   * @param longest - how long the text may become, if places in so long a text can be numbered with 16 bits.
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

  /** How many bytes it takes, about. */
  get size(): number {
    return this.bytes.buffer.byteLength + 500;
  }

  /**
   * Becomes the template of a later version, which was compared with it.
   *
   * @returns whether it could: only if nothing but strings, numbers and literals differs, and there is room.
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

  /** The template of another object, which was compared with it; undefined where more than strings, numbers and literals differs. */
  derived(outline: Names, match: Comparison, object: Json): Template | undefined {
    if (!this.hasLayoutOf(match)) return undefined;
    const longest = Math.max(this.length, match.from + match.end - match.start);
    const derived = new Template(this.object, outline, this.layout, this, this.starts, longest);
    return derived.advance(match, object) ? derived : undefined;
  }

  private hasLayoutOf({ differences, json }: Comparison): boolean {
    const { count, values, starts } = differences;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      if (value === leftOut) continue;
      const before = this.bytes[this.starts[value] as number] as number;
      if (opensNested(before) || opensNested(json.bytes[starts[at] as number] as number)) return false;
    }
    return true;
  }

  /** What stands behind a difference moves by as much as that and all before it have become longer. */
  private moveStarts(values: Int32Array, shifts: Int32Array, count: number, before: number): void {
    const { starts } = this;
    let moved = 0;
    let shift = before;
    let next = 0;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      const behind = shifts[at] as number;
      if (value !== leftOut) {
        if (moved === 0) next = value + 1;
        else for (; next <= value; next += 1) starts[next] = (starts[next] as number) + moved;
        moved += behind - shift;
      }
      shift = behind;
    }
    if (moved !== 0) for (; next < starts.length; next += 1) starts[next] = (starts[next] as number) + moved;
  }
}
