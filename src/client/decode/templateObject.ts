import type { Names } from './outline.js';
import { parseJson } from '../parseJson.js';
import type { Cut, VectorScan } from './vectorScan.js';

type Json = Readonly<Record<string, unknown>>;

/** Deeper objects do not become templates: they might be deeper than the call stack. */
const deepest = 64;
/** The number written in place of the first replaced element. */
const firstNumber = 1_000_000_000;

/** An array element that was seen at least twice, and the number of brackets and quotes in its JSON (without duplicate keys). */
interface Element {
  readonly value: unknown;
  readonly marks: number;
}

/**
 * Freezes objects that become templates, and reads those that share elements of their arrays with others.
 *
 * An element is kept when it is seen for the second time. Later equal ones are not parsed: they become the kept object. For example, all nodes list the same
 * images, which are most of a node's JSON.
 */
export class TemplateObject {
  /**
   * The number of brackets and quotes that the last object has when serialized, without its first bracket. Lower than in its JSON if a key was duplicated,
   * since the parser keeps only the last value.
   */
  marks = 0;
  private readonly elements: (Element | undefined)[] = [];
  /** The scan of the object being read, which knows its shared elements. `sought`: the number of those not found yet. */
  private scan: VectorScan | undefined;
  private sought = 0;

  /**
   * Reads the object scanned last, and freezes it.
   *
   * @param prefix - the beginning of its JSON, in place of its first bracket.
   * @param outline - its form, to detect duplicate keys, and the range to leave out. @returns undefined if it shares no element with other objects, or if
   * that is not certain.
   */
  read(scan: VectorScan, prefix: Uint8Array, outline: Cut & Pick<Names, 'form'>): Json | undefined {
    try {
      this.sought = scan.shorten(prefix, outline, this.keep);
      if (this.sought === 0) return undefined;
      const object = parseJson(scan.text, 'an object', 0) as Json;
      this.scan = scan;
      return this.settle(object) && this.sought === 0 && this.marks === outline.form ? object : undefined;
    } catch {
      // The parser's error says what is wrong, and where.
      return undefined;
    } finally {
      this.scan = undefined;
    }
  }

  /** Freezes an object just parsed. Returns false if it is nested too deeply to become a template. */
  settle(object: object): boolean {
    this.marks = -1;
    return this.pass(object, 0);
  }

  private readonly keep = (text: Uint8Array, place: number): void => {
    this.elements[place] = undefined;
    const value = parseJson(text, 'an element', 0);
    this.marks = 0;
    if (this.pass(value, 1)) this.elements[place] = { value, marks: this.marks };
  };

  private pass(value: unknown, depth: number): boolean {
    if (typeof value === 'string') this.marks += 2;
    if (typeof value !== 'object' || value === null) return true;
    this.marks += 1;
    if (depth === deepest || !(Array.isArray(value) ? this.passElements(value, depth) : this.passFields(value as Json, depth)))
      return false;
    Object.freeze(value);
    return true;
  }

  private passFields(parts: Json, depth: number): boolean {
    for (const key of Object.keys(parts)) {
      this.marks += 2;
      if (!this.pass(parts[key], depth + 1)) return false;
    }
    return true;
  }

  private passElements(elements: unknown[], depth: number): boolean {
    for (let at = 0; at < elements.length; at += 1) {
      const part = elements[at];
      const shared = this.scan !== undefined && typeof part === 'number' ? this.scan.placeOf(part - firstNumber) : -1;
      if (shared === -1) {
        if (!this.pass(part, depth + 1)) return false;
        continue;
      }
      const element = this.elements[shared];
      // The object itself contains this number, or the element is nested too deeply.
      if (element === undefined) return false;
      elements[at] = element.value;
      this.marks += element.marks;
      this.sought -= 1;
    }
    return true;
  }
}
