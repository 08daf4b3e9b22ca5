import { leftOut } from './differences.js';
import { parseJson } from './parseObject.js';
import type { TemplateMatch } from './templateMatch.js';

type Json = Record<string, unknown>;
type Parts = Record<string | number, unknown>;

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Shorter pieces are copied faster byte by byte. */
const shortPiece = 40;

/** Parses the values that differ, all at once. */
class DifferenceParser {
  private text = new Uint8Array(16_384);
  private written = 0;

  /** Returns undefined when they are not so many values, one by one. */
  parse({ differences, json }: TemplateMatch): readonly unknown[] | undefined {
    const { count, values, starts, ends } = differences;
    this.written = 0;
    let expected = 0;
    for (let at = 0; at < count; at += 1) {
      if (values[at] === leftOut) continue;
      this.write(json.bytes, starts[at] as number, ends[at] as number, expected === 0 ? openBracket : comma);
      expected += 1;
    }
    if (expected === 0) return [];
    this.text[this.written] = closeBracket;
    const found = parseJson(this.text.subarray(0, this.written + 1), 'an object', 0) as readonly unknown[];
    return found.length === expected ? found : undefined;
  }

  private write(from: Uint8Array, start: number, end: number, before: number): void {
    const length = end - start;
    if (this.written + length + 2 > this.text.length) this.grow(length);
    const { text } = this;
    let { written } = this;
    text[written] = before;
    written += 1;
    if (length > shortPiece) text.set(from.subarray(start, end), written);
    else for (let at = start, to = written; at < end; at += 1, to += 1) text[to] = from[at] as number;
    this.written = written + length;
  }

  private grow(length: number): void {
    const larger = new Uint8Array(2 * (this.text.length + length));
    larger.set(this.text);
    this.text = larger;
  }
}

function copyOf(value: unknown): Parts {
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as Json) }) as Parts;
}

/**
 * Makes objects out of a template's and the values that differ from it.
 */
export class MatchedObject {
  private readonly parser = new DifferenceParser();
  /** The objects and arrays around the place that is filled in, from the outermost on: copies of the template's, and their numbers. */
  private readonly copies: Parts[] = [];
  private readonly numbers: number[] = [];

  /**
   * Makes the object that was compared last. What differs in nothing is the template's.
   *
   * @returns undefined when its JSON is not certainly valid.
   * @throws DecodeError when it is not valid.
   */
  of(match: TemplateMatch): Json | undefined {
    const { differences, template } = match;
    const found = this.parser.parse(match);
    if (found === undefined) return undefined;
    if (found.length === 0) return template.object as Json;
    const { nexts, parents, keys } = template.layout;
    const { copies, numbers } = this;
    const whole = { ...template.object };
    copies[0] = whole;
    numbers[0] = 0;
    let depth = 0;
    let next = 0;
    for (let at = 0; at < differences.count; at += 1) {
      const value = differences.values[at] as number;
      if (value === leftOut) continue;
      while ((nexts[numbers[depth] as number] as number) <= value) depth -= 1;
      depth = this.copyDownTo(parents[value] as number, depth, match);
      (copies[depth] as Parts)[keys[value] as string] = found[next];
      next += 1;
    }
    return whole;
  }

  /** Copies what is between the last copy and this object or array. Returns how deep it is. */
  private copyDownTo(value: number, depth: number, match: TemplateMatch): number {
    const { copies, numbers } = this;
    if (numbers[depth] === value) return depth;
    const { parents, keys } = match.template.layout;
    const around = this.copyDownTo(parents[value] as number, depth, match);
    const parent = copies[around] as Parts;
    const key = keys[value] as string;
    copies[around + 1] = parent[key] = copyOf(parent[key]);
    numbers[around + 1] = value;
    return around + 1;
  }
}
