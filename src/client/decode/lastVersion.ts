import { leftOut } from './differences.js';
import type { Template } from './template.js';
import type { TemplateMatch } from './templateMatch.js';

type Json = Readonly<Record<string, unknown>>;

const spareBytes = 64;

/**
 * An object that was read, as what differs from its template. The next version of it, compared with the same template, differs from it where these
 * differences are not the same.
 */
export class LastVersion {
  object: Json;
  template: Template;
  count = 0;
  /** The numbers of the values that differ, and where their JSON ends in `text`. */
  private table = new Uint32Array(0);
  private text = new Uint8Array(0);

  constructor(object: Json, match: TemplateMatch) {
    this.object = object;
    this.template = match.template;
    this.set(object, match);
  }

  /** How many bytes it takes, about. */
  get size(): number {
    return this.table.byteLength + this.text.byteLength + 500;
  }

  /** Takes the place of the version before. */
  set(object: Json, { differences, json, template }: TemplateMatch): void {
    const { bytes, count, ends, starts, values } = differences;
    this.object = object;
    this.template = template;
    if (this.text.length < bytes) this.text = new Uint8Array(bytes + spareBytes);
    if (this.table.length < 2 * count) this.table = new Uint32Array(2 * count + 8);
    const { table, text } = this;
    let next = 0;
    let written = 0;
    for (let at = 0; at < count; at += 1) {
      const value = values[at] as number;
      if (value === leftOut) continue;
      const end = ends[at] as number;
      for (let from = starts[at] as number; from < end; from += 1) text[written++] = json.bytes[from] as number;
      table[2 * next] = value;
      table[2 * next + 1] = written;
      next += 1;
    }
    this.count = next;
  }

  valueAt(at: number): number {
    return this.table[2 * at] as number;
  }

  /** Whether the value has the same JSON there. */
  isSame(at: number, json: Uint8Array, start: number, end: number): boolean {
    const { table, text } = this;
    const first = at === 0 ? 0 : (table[2 * at - 1] as number);
    if ((table[2 * at + 1] as number) - first !== end - start) return false;
    for (let from = start, to = first; from < end; from += 1, to += 1) if (json[from] !== text[to]) return false;
    return true;
  }
}
