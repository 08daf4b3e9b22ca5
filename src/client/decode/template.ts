import { leftOut, type Comparison } from './differences.js';
import { opensNested } from './endOfValue.js';
import { JsonBytes } from './jsonBytes.js';
import { maxLayoutBytes, type JsonLayout } from './jsonLayout.js';

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
export class Template implements TemplateText {
  object: Json;
  /** The number of its name. */
  readonly name: number;
  readonly layout: JsonLayout;
  readonly bytes: Uint8Array;
  readonly json: JsonBytes;
  length: number;
  /** Where managedFields stood that were left out; -1 when there were none. */
  cutAt: number;
  /** How long the object was with them. */
  span: number;
  /** Where each value begins. */
  readonly starts: Uint16Array;

  /** In which list, or after which one, the object came last. */
  seen = 0;
  /** Whether an object that changes was like it. */
  isUsed = false;

  /**
   * @param starts - where the values begin; copied, as the text is.
   * @param room - how long the text may become, if places in so long a text can be numbered with 16 bits.
   */
  constructor(
    object: Json,
    name: number,
    layout: JsonLayout,
    { bytes, length, cutAt }: TemplateText,
    starts: Uint16Array,
    span: number,
    room: number = length + spareBytes,
  ) {
    const memory = new ArrayBuffer(2 * layout.count + Math.min(maxLayoutBytes, Math.max(length, room)));
    this.object = object;
    this.name = name;
    this.layout = layout;
    this.starts = new Uint16Array(memory, 0, layout.count);
    this.bytes = new Uint8Array(memory, 2 * layout.count);
    this.json = new JsonBytes(this.bytes);
    this.length = length;
    this.cutAt = cutAt;
    this.span = span;
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
   * @param end - where the version's JSON ends.
   * @returns whether it could: only if nothing but strings, numbers and literals differs, and there is room.
   */
  advance(match: Comparison, object: Json, end: number): boolean {
    const { differences, from, json, start } = match;
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
    this.span = end - start + from;
    return true;
  }

  /** The template of another object, which was compared with it; undefined where more than strings, numbers and literals differs. */
  derived(name: number, match: Comparison, object: Json, end: number): Template | undefined {
    const { count, ends, starts, values } = match.differences;
    const cut = values.subarray(0, count).indexOf(leftOut);
    const cutLength = cut === -1 ? 0 : (ends[cut] as number) - (starts[cut] as number);
    const room = match.from + end - match.start - cutLength + spareBytes;
    const derived = new Template(this.object, name, this.layout, this, this.starts, this.span, room);
    return derived.advance(match, object, end) ? derived : undefined;
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
