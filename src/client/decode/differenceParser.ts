import { parseJson } from './parseObject.js';
import type { TemplateMatch } from './templateMatch.js';

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Below this length, copying byte by byte is faster than `set`. */
const shortPiece = 40;

/**
 * Parses all values in which an object differs from a template with one `JSON.parse`.
 */
export class DifferenceParser {
  private text = new Uint8Array(16_384);
  private written = 0;

  /**
   * Returns undefined when the parser found another number of values than the comparison did.
   *
   * @throws DecodeError when the values are not valid JSON.
   */
  parse({ count, ends, json, starts }: TemplateMatch): readonly unknown[] | undefined {
    this.written = 0;
    if (count === 0) return [];
    for (let at = 0; at < count; at += 1) {
      this.write(json.bytes, starts[at] as number, ends[at] as number, at === 0 ? openBracket : comma);
    }
    this.text[this.written] = closeBracket;
    const found = parseJson(this.text.subarray(0, this.written + 1), 'an object', 0) as readonly unknown[];
    return found.length === count ? found : undefined;
  }

  private write(from: Uint8Array, start: number, end: number, before: number): void {
    const length = end - start;
    if (this.written + length + 2 > this.text.length) this.grow(length);
    const { text } = this;
    let { written } = this;
    text[written] = before;
    written += 1;
    // mutation comparison, condition: equivalent but for time
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
