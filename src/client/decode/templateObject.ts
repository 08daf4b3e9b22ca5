import type { Names } from './outline.js';
import { parseJson } from './parseObject.js';
import type { Cut, VectorScan } from './vectorScan.js';

type Json = Readonly<Record<string, unknown>>;

/** Deeper objects do not become templates: they might be deeper than the call stack. */
const deepest = 64;
/** The number that stands for the first element that was replaced. */
const firstNumber = 1_000_000_000;

/** An element of an array that came more than once, and how many brackets and quotes its JSON has, if no key comes twice. */
interface Element {
  readonly value: unknown;
  readonly marks: number;
}

/**
 * Freezes objects that become templates, and reads those that share elements of their arrays with others.
 *
 * Elements that come for the second time are kept: later ones are not parsed, and equal ones become one object. Nodes, for example, list the same images, which are most of a node.
 */
export class TemplateObject {
  /** How many brackets and quotes the JSON of the last object has, the first one aside, if it has no key twice: of several values the parser keeps the last. */
  marks = 0;
  private readonly elements: (Element | undefined)[] = [];
  /** Says which elements the object shares that is being read, and how many of them are to be found. */
  private scan: VectorScan | undefined;
  private sought = 0;

  /**
   * Reads the object scanned last, and freezes it.
   *
   * @param prefix - what its JSON begins with, in place of its bracket.
   * @param outline - its form, and what to leave out. Of an object that has a key twice, a number that it lost may be one that it has elsewhere.
   * @returns undefined if it shares no element with others, and where that is not certain.
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

  /** Freezes an object just parsed. Returns whether it may become a template: not where it is too deep. */
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
      // A number of the object itself has been taken for that of an element, or the element is too deep.
      if (element === undefined) return false;
      elements[at] = element.value;
      this.marks += element.marks;
      this.sought -= 1;
    }
    return true;
  }
}
