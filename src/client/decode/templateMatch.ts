import { Differences, leftOut, type Comparison } from './differences.js';
import { closesNested, endOfValue, endsScalar, opensNested } from './endOfValue.js';
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
 * differ in structure, the innermost object or array around that position differs as a whole. So everything that counts as equal is valid JSON, at the same
 * place of the same structure; the parser reads the values that differ.
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
    // mutation comparison: equivalent: the key of the metadata stands before what is left out of it
    let stop = cutAt > from ? cutAt : length;
    for (;;) {
      at = firstDifference(template.json, at, Math.min(stop, limit - shift), json, shift);
      if (at === length) return at + shift === limit;
      // mutation comparison, condition: equivalent: what is cut off has no end, and neither has anything around it
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

  /** Records the value that differs at `at`. Returns where the template continues behind it; -1 when the whole object differs. */
  // mutation arithmetic: equivalent: what opens and what stands before it are neither quotes nor brackets that close
  private passDifference(at: number, shift: number): number {
    const { starts, layout } = this.template;
    const { count, open } = layout;
    let { current } = this;
    // mutation arithmetic: equivalent: behind the last value there is no other one, whose beginning could come before a place
    while (current + 1 < count && (starts[current + 1] as number) <= at) current += 1;
    this.current = current;
    const start = starts[current] as number;
    const isOpen = open[current] === 1;
    if (isOpen && start !== at) return this.passStructure(current, start + 1, at);
    const end = endOfValue(this.template.bytes, start);
    const isInside = end > at || (end === at && this.goesOn(current, at, at + shift));
    const behind = isInside ? this.pass(current, end) : -1;
    if (behind !== -1) return behind;
    // No value begins at that position in the JSON.
    return isInside ? this.passStructure(layout.parents[current] as number, start, start) : this.passStructure(current, end, at);
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

  /** Records the value, which ends at `end`, and returns `end`; -1 where the JSON has no value. */
  private pass(value: number, end: number): number {
    const { differences } = this;
    const templateStart = this.template.starts[value] as number;
    // Drop the differences recorded inside this value: it is parsed as a whole.
    while (differences.count > 0 && this.templateStart(differences.count - 1) > templateStart) differences.removeLast();
    const shift = differences.count === 0 ? this.start - this.from : (differences.shifts[differences.count - 1] as number);
    const start = templateStart + shift;
    const behind = endOfValue(this.json.bytes, start);
    if (behind === -1 || behind === start) return -1;
    differences.add(value, start, behind, behind - end);
    return end;
  }

  /** Records the innermost object or array around `at`: `value`, or one around it where brackets close between `from` and `at`. */
  private passStructure(value: number, from: number, at: number): number {
    const { bytes, layout, starts } = this.template;
    let around = value;
    if (layout.open[around] === 0) around = layout.parents[around] as number;
    for (let next = from; next < at && bytes[next] !== quote; next += 1) {
      if (closesNested(bytes[next] as number)) around = layout.parents[around] as number;
    }
    return around === 0 ? -1 : this.pass(around, endOfValue(bytes, starts[around] as number));
  }

  private templateStart(difference: number): number {
    const value = this.differences.values[difference] as number;
    return value === leftOut ? this.template.cutAt : (this.template.starts[value] as number);
  }
}
