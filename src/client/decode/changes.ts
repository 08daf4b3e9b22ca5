import { leftOut } from './differences.js';
import type { LastVersion } from './lastVersion.js';
import type { TemplateMatch } from './templateMatch.js';

/** Stands for a value that is the template's again. */
export const restored = -1;

/**
 * In which values an object differs from its last version, in their order, given what both differ in from a template.
 */
export class Changes {
  count = 0;
  /** The number of each value. */
  readonly values: number[] = [];
  /** Which difference of the match it is, or `restored`. */
  readonly differences: number[] = [];

  /** Finds them. Without a last version, the object is compared with the template itself. */
  find(match: TemplateMatch, last: LastVersion | undefined): void {
    const { values, starts, ends, count } = match.differences;
    const { nexts } = match.template.layout;
    const { bytes } = match.json;
    const lastCount = last?.count ?? 0;
    this.count = 0;
    let before = 0;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      if (value === leftOut) continue;
      before = this.restore(last, before, value);
      if (last !== undefined && before < lastCount && last.valueAt(before) === value) {
        if (!last.isSame(before, bytes, starts[at] as number, ends[at] as number)) this.add(value, at);
        before += 1;
      } else {
        this.add(value, at);
        // What differed in it does not count any longer.
        const next = nexts[value] as number;
        while (last !== undefined && before < lastCount && last.valueAt(before) < next) before += 1;
      }
    }
    this.restore(last, before, Infinity);
  }

  /** Notes the values before `value` in which only the last version differed. */
  private restore(last: LastVersion | undefined, from: number, value: number): number {
    let at = from;
    for (; last !== undefined && at < last.count && last.valueAt(at) < value; at += 1) this.add(last.valueAt(at), restored);
    return at;
  }

  private add(value: number, difference: number): void {
    this.values[this.count] = value;
    this.differences[this.count] = difference;
    this.count += 1;
  }
}
