import { Differences, leftOut, type Comparison } from './differences.js';
import { endOfValue, endsScalar, opensNested } from './scan.js';
import { firstDifference, JsonBytes } from './jsonBytes.js';
import type { Outline } from './outline.js';
import type { Template } from './template.js';

const quote = 0x22;
const comma = 0x2c;
const closeBrace = 0x7d;

const nothing = new JsonBytes(new Uint8Array());

/** An object fits a template if less than this part of it is in values that differ. */
const fitting = 1 / 3;

/**
 * Compares the JSON of an object with a template, and finds the values that differ.
 *
 * Both texts are read side by side. Where they differ inside a string, number or literal, that value differs, and the comparison continues behind it. Where they
 * differ in structure, the object does not fit. So everything that counts as equal is valid JSON, at the same place of the same structure; the parser reads the
 * values that differ.
 */
export class TemplateMatch implements Comparison {
  readonly differences: Differences = new Differences();
  /** Of the last comparison: its template, and where it began in the template and in the JSON. */
  private template!: Template;
  from = 0;
  start = 0;
  end = 0;
  json: JsonBytes = nothing;
  private current = 0;

  /**
   * Compares an object.
   *
   * @param from - where to begin in the template: behind fields that the JSON lacks.
   * @param start - where to begin in the JSON.
   * @param limit - where the object ends in the JSON.
   * @returns whether it fits the template.
   */
  read(template: Template, from: number, json: JsonBytes, start: number, limit: number, { cutEnd, cutStart }: Outline): boolean {
    const { cutAt, length } = template;
    const { differences } = this;
    const { bytes } = json;
    this.template = template;
    this.from = from;
    this.json = json;
    this.start = start;
    this.end = limit;
    this.current = 0;
    differences.clear();
    const most = fitting * length;
    let shift = start - from;
    let at = from;
    // mutation comparison: equivalent: `from` is never at the cut, since the key `metadata` precedes it
    let stop = cutAt > from ? cutAt : length;
    for (;;) {
      at = firstDifference(template.json, at, Math.min(stop, limit - shift), json, shift);
      if (at === length) return at + shift === limit;
      // mutation comparison, condition: equivalent: the JSON ends inside a value there, and the end of that value or of the one around it is not found
      if (at + shift >= limit) return false;
      const next = bytes[at + shift];
      const isCut = at + shift === cutStart;
      if (at === stop && (isCut || next === comma || next === closeBrace || next === quote)) {
        const behind = isCut ? cutEnd : at + shift;
        differences.add(leftOut, at + shift, behind, behind - at);
        shift = behind - at;
        stop = length;
      } else {
        at = this.passDifference(at, shift);
        if (at === -1 || differences.bytes > most) return false;
        shift = differences.shifts[differences.count - 1] as number;
        if (at > stop) stop = length;
      }
    }
  }

  /** Records the value that differs at `at`. Returns where the template continues behind it; -1 when the structure differs there. */
  private passDifference(at: number, shift: number): number {
    const { starts, layout, bytes } = this.template;
    const { count, open } = layout;
    let { current } = this;
    // mutation arithmetic: equivalent: the start after the last value is undefined, and the comparison with it is false
    while (current + 1 < count && (starts[current + 1] as number) <= at) current += 1;
    this.current = current;
    if (open[current] === 1) return -1;
    const start = starts[current] as number;
    const end = endOfValue(bytes, start);
    if (end < at || (end === at && !this.goesOn(current, at, at + shift))) return -1;
    const { differences } = this;
    const last = differences.count - 1;
    // Where something was left out inside of this value, as in metadata without a layout, the value begins before the last shift.
    if (differences.values[last] === leftOut && this.template.cutAt > start) return -1;
    const from = start + (last === -1 ? this.start - this.from : (differences.shifts[last] as number));
    const behind = endOfValue(this.json.bytes, from);
    if (behind === -1 || behind === from) return -1;
    differences.add(current, from, behind, behind - end);
    return end;
  }

  /** Whether a number or literal that ends at `at` in the template, and is not recorded yet, continues in the JSON. */
  private goesOn(value: number, at: number, next: number): boolean {
    const { template, differences } = this;
    const first = template.bytes[template.starts[value] as number] as number;
    const isScalar = first !== quote && !opensNested(first);
    const last = differences.values[differences.count - 1];
    const isPassed = differences.count > 0 && (last === value || (last === leftOut && at === template.cutAt));
    return isScalar && !isPassed && !endsScalar(this.json.bytes[next] as number);
  }
}
