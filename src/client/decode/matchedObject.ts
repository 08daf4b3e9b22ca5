import { DifferenceParser } from './differenceParser.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { leftOut } from './differences.js';
import type { JsonLayout } from './jsonLayout.js';
import type { Template } from './template.js';
import type { TemplateMatch } from './templateMatch.js';

/** V8 already keeps one copy of shorter strings that it parses. */
const shortest = 11;
const slots = 1024;
/** Strings are hashed by their length and their last 8 characters: of two with the same length and ending, the later one replaces the other. */
const lastCharacters = 8;

/**
 * Keeps the strings that were read last, so that equal ones become one: times, addresses and names come several times in an object and in its neighbours.
 * Saves a tenth of the heap of a list of pods, and costs less than a tenth of the time of one event of a rollout.
 */
class StringTable {
  private readonly strings = new Array<string>(slots).fill('');

  /** The equal string read before, else this one. */
  // mutation arithmetic, statement: equivalent but for memory: other pairs of strings replace each other in the table
  shared(string: string): string {
    const { length } = string;
    // mutation comparison, condition: equivalent but for time
    if (length < shortest) return string;
    let hash = length;
    // mutation condition: equivalent but for memory: only the length is hashed, and strings of one length replace each other in the table
    for (let at = length - lastCharacters; at < length; at += 1) hash = (Math.imul(hash, 31) + string.charCodeAt(at)) | 0;
    const slot = (hash ^ (hash >>> 10)) & (slots - 1);
    const known = this.strings[slot] as string;
    if (known === string) return known;
    this.strings[slot] = string;
    return string;
  }
}

type Json = Readonly<Record<string, unknown>>;
type Parts = Record<string | number, unknown>;

function copyOf(value: Parts): Parts {
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Parts;
}

/**
 * Builds an object from a template and the values that differ. The object is frozen deeply, since it shares everything else with the template.
 */
export class MatchedObject {
  private readonly parser = new DifferenceParser();
  private readonly strings = new StringTable();
  /** The copied objects and arrays on the path to the value being replaced, outermost first, and their numbers in the layout. */
  // mutation list: equivalent: each element is written before it is read
  private readonly copies: Parts[] = [];
  // mutation list: equivalent: each element is written before it is read
  private readonly numbers: number[] = [];

  /**
   * Builds the object that was compared with the template.
   *
   * @returns undefined when the comparison cannot prove that the JSON is valid.
   * @throws DecodeError when it is not valid.
   */
  of({ layout, object }: Template, match: TemplateMatch): Json | undefined {
    const { copies, numbers } = this;
    const { count, values } = match.differences;
    const found = this.parser.parse(match);
    if (found === undefined) return undefined;
    if (found.length === 0) return object;
    const { keys, nexts, parents } = layout;
    copies[0] = { ...object };
    numbers[0] = 0;
    let depth = 0;
    let next = 0;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      if (value === leftOut) continue;
      while ((nexts[numbers[depth] as number] as number) <= value) depth = this.finish(depth);
      depth = this.copyDownTo(layout, parents[value] as number, depth);
      (copies[depth] as Parts)[keys[value] as string] = this.shared(found[next]);
      next += 1;
    }
    while (depth >= 0) depth = this.finish(depth);
    return copies[0];
  }

  /** Copies the objects and arrays from the last copy down to this one. Returns its depth. */
  private copyDownTo(layout: JsonLayout, value: number, depth: number): number {
    const { copies, numbers } = this;
    if (numbers[depth] === value) return depth;
    const around = this.copyDownTo(layout, layout.parents[value] as number, depth);
    const parent = copies[around] as Parts;
    const key = layout.keys[value] as string;
    copies[around + 1] = parent[key] = copyOf(parent[key] as Parts);
    numbers[around + 1] = value;
    return around + 1;
  }

  private finish(depth: number): number {
    Object.freeze(this.copies[depth]);
    return depth - 1;
  }

  private shared(part: unknown): unknown {
    return typeof part === 'string' ? this.strings.shared(part) : deepFreeze(part);
  }
}
