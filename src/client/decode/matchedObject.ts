import { Changes, restored } from './changes.js';
import { DifferenceParser } from './differenceParser.js';
import { deepFreeze } from '../../api/deepFreeze.js';
import type { JsonLayout } from './jsonLayout.js';
import type { LastVersion } from './lastVersion.js';
import { StringTable } from './stringTable.js';
import { emptyTemplate, type Template } from './template.js';
import type { TemplateMatch } from './templateMatch.js';

type Json = Readonly<Record<string, unknown>>;
type Parts = Record<string | number, unknown>;

function copyOf(value: Parts): Parts {
  return (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Parts;
}

/** The template's part of this number. */
function templatePart({ layout, object }: Template, number: number): unknown {
  const part = (value: number): unknown =>
    value === 0 ? object : (part(layout.parents[value] as number) as Parts)[layout.keys[value] as string];
  return part(number);
}

/**
 * Makes objects out of their last versions, or else of templates, and of what has changed. What they have in common is frozen, and all else if so wanted.
 */
export class MatchedObject {
  private readonly changes = new Changes();
  private readonly parser = new DifferenceParser();
  private readonly strings = new StringTable();
  private freezes = false;
  private layout: JsonLayout = emptyTemplate.layout;
  /** The objects and arrays around the place that is filled in, from the outermost on: copies, and their numbers. */
  private readonly copies: Parts[] = [];
  private readonly numbers: number[] = [];

  /**
   * Makes the object that was compared last.
   *
   * @param last - the last version of it, which was compared with the same template.
   * @param freezes - whether all of it is frozen.
   * @returns undefined when its JSON is not certainly valid.
   * @throws DecodeError when it is not valid.
   */
  of(match: TemplateMatch, last: LastVersion | undefined, freezes: boolean): Json | undefined {
    const { changes, copies, numbers } = this;
    const { template } = match;
    const before = last?.object ?? template.object;
    changes.find(match, last);
    this.freezes = freezes;
    deepFreeze(before);
    deepFreeze(template.object);
    const found = this.parser.parse(changes, match);
    if (found === undefined) return undefined;
    if (changes.count === 0) return before;
    this.layout = template.layout;
    copies[0] = { ...before };
    numbers[0] = 0;
    const { keys, nexts, parents } = template.layout;
    let depth = 0;
    let next = 0;
    for (let at = 0; at < changes.count; at += 1) {
      const value = changes.values[at] as number;
      const isRestored = changes.differences[at] === restored;
      while ((nexts[numbers[depth] as number] as number) <= value) depth = this.finish(depth);
      depth = this.copyDownTo(parents[value] as number, depth);
      (copies[depth] as Parts)[keys[value] as string] = isRestored ? templatePart(template, value) : this.shared(found[next]);
      if (!isRestored) next += 1;
    }
    while (depth >= 0) depth = this.finish(depth);
    return copies[0];
  }

  /** Copies what is between the last copy and this object or array. Returns how deep it is. */
  private copyDownTo(value: number, depth: number): number {
    const { copies, numbers } = this;
    if (numbers[depth] === value) return depth;
    const { parents, keys } = this.layout;
    const around = this.copyDownTo(parents[value] as number, depth);
    const parent = copies[around] as Parts;
    const key = keys[value] as string;
    copies[around + 1] = parent[key] = copyOf(parent[key] as Parts);
    numbers[around + 1] = value;
    return around + 1;
  }

  private finish(depth: number): number {
    if (this.freezes) Object.freeze(this.copies[depth]);
    return depth - 1;
  }

  private shared(part: unknown): unknown {
    if (typeof part === 'string') return this.strings.shared(part);
    if (this.freezes) deepFreeze(part);
    return part;
  }
}
