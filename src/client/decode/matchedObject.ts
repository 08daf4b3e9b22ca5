import { DifferenceParser } from './differenceParser.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import { leftOut } from './differences.js';
import type { JsonLayout } from './jsonLayout.js';
import { StringTable } from './stringTable.js';
import type { Template } from './template.js';
import type { TemplateMatch } from './templateMatch.js';

type Json = Readonly<Record<string, unknown>>;
type Parts = Record<string | number, unknown>;

function copyOf(value: Parts): Parts {
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Parts;
}

/**
 * Makes objects out of templates and of what differs from them. They are frozen whole, since they share all else with one another.
 */
export class MatchedObject {
  private readonly parser = new DifferenceParser();
  private readonly strings = new StringTable();
  /** The objects and arrays around the place that is filled in, from the outermost on: copies, and their numbers. */
  private readonly copies: Parts[] = [];
  private readonly numbers: number[] = [];

  /**
   * Makes the object that was compared with the template.
   *
   * @returns undefined when its JSON is not certainly valid.
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

  /** Copies what is between the last copy and this object or array. Returns how deep it is. */
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
