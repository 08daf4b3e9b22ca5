type Parts = Readonly<Record<string, unknown>>;

const slots = 2_048;
/** Elements with more brackets and quotes than this are not kept. */
const mostMarks = 48;
/** Strings are hashed by their length and their last characters. */
const lastCharacters = 4;
/** Deeper objects do not become templates: they might be deeper than the call stack. */
const deepest = 64;

/** Whether two values have the same JSON. */
function areEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false;
  return keys.every((key, at) => key === others[at] && areEqual((a as Parts)[key], (b as Parts)[key]));
}

/**
 * Goes through objects that become templates.
 *
 * Keeps the elements of their arrays that were found last, so that equal ones become one object. Nodes, for example, list the same images: half of a node's heap. An element is kept
 * when it comes for the second time: most conditions never do.
 */
export class TemplateObject {
  private readonly hashes = new Int32Array(slots);
  private readonly elements = new Array<object | undefined>(slots);
  /** How many brackets and quotes the JSON of what was passed has, and a hash of it. */
  private marks = 0;
  private hash = 0;

  /**
   * Freezes an object just parsed, and replaces elements of its arrays by equal ones.
   *
   * @returns how many brackets and quotes its JSON has, the first one aside, if it has no key twice: of several values the parser keeps the last; -1 where it is too deep.
   */
  settle(object: object): number {
    this.marks = -1;
    return this.pass(object, 0) ? this.marks : -1;
  }

  private pass(value: unknown, depth: number): boolean {
    switch (typeof value) {
      case 'string':
        this.marks += 2;
        this.add(value.length);
        for (let at = Math.max(0, value.length - lastCharacters); at < value.length; at += 1) this.add(value.charCodeAt(at));
        return true;
      case 'object':
        if (value === null) return true;
        this.marks += 1;
        if (depth === deepest || !(Array.isArray(value) ? this.passElements(value, depth) : this.passFields(value as Parts, depth)))
          return false;
        Object.freeze(value);
        return true;
      default:
        this.add(Number(value));
        return true;
    }
  }

  private passFields(parts: Parts, depth: number): boolean {
    for (const key of Object.keys(parts)) {
      this.marks += 2;
      if (!this.pass(parts[key], depth + 1)) return false;
    }
    return true;
  }

  private passElements(elements: unknown[], depth: number): boolean {
    this.add(elements.length);
    for (let at = 0; at < elements.length; at += 1) {
      const { hash, marks } = this;
      const element = elements[at];
      this.hash = 0;
      if (!this.pass(element, depth + 1)) return false;
      if (typeof element === 'object' && element !== null && this.marks - marks <= mostMarks) elements[at] = this.kept(element);
      this.add(hash);
    }
    return true;
  }

  private add(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193);
  }

  /** The equal element that is kept, else this one. */
  private kept(element: object): object {
    const { elements, hash, hashes } = this;
    const slot = (hash ^ (hash >>> 16)) & (slots - 1);
    const known = elements[slot];
    if (known !== undefined && areEqual(known, element)) return known;
    if (hashes[slot] === hash) elements[slot] = element;
    hashes[slot] = hash;
    return element;
  }
}
