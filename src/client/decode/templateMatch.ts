import { endOfString, endOfValue, opensNested } from './scan.js';
import { firstDifference, JsonBytes } from './jsonBytes.js';
import type { Outline } from './outline.js';
import type { Template } from './templates.js';
import { deepest } from './templateObject.js';
import { blockBytes, vectorScan, type VectorScan } from './vectorScan.js';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;

const nothing = new JsonBytes(new Uint8Array());

/** An object fits a template if less than this part of it is in values that differ. */
const fitting = 1 / 3;

/**
 * Compares the JSON of an object with a template, and finds the values that differ.
 *
 * Both texts are read side by side. Where they differ inside a string, number or literal, that value differs, and the comparison continues behind it. Where they
 * differ in structure, the object does not fit. So everything that counts as equal is valid JSON, at the same place of the same structure; the parser reads the
 * values that differ.
 */
export class TemplateMatch {
  json: JsonBytes = nothing;
  /** How many values differ, and where each begins and ends in the JSON. */
  count = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** How deep each of them lies, and its way, one behind the other: its number in the object or array around it, after those of all around that. */
  readonly depths: number[] = [];
  readonly ways: number[] = [];
  private steps = 0;

  private masks!: Uint16Array;
  private outline!: Outline;
  private start = 0;
  /** The block of the scan, and its brackets and commas that were not passed; the next of them. */
  private block = 0;
  private mask = 0;
  private next = 0;
  /** Where the value begins, with its key, that those before show; -1 where there is none. */
  private member = 0;
  private depth = 0;
  private readonly numbers = new Int32Array(deepest);
  private readonly opened = new Uint8Array(deepest);

  /**
   * Compares an object that has just been scanned.
   *
   * @param from - where to begin in the template: behind `missing` fields that the JSON lacks.
   * @param start - where to begin in the JSON.
   * @param limit - where the object ends in the JSON.
   * @returns whether it fits the template.
   */
  read(template: Template, from: number, missing: number, json: JsonBytes, start: number, limit: number, outline: Outline): boolean {
    const { masks } = vectorScan() as VectorScan;
    if (limit - start > blockBytes * masks.length) return false;
    this.masks = masks;
    this.mask = masks[0] as number;
    this.json = json;
    this.outline = outline;
    this.start = start;
    this.count = this.steps = this.block = this.depth = 0;
    this.member = start;
    this.numbers[0] = missing;
    this.opened[0] = openBrace;
    const { length } = template;
    let rest = fitting * length;
    let stop = outline.cutStart;
    let at = from;
    let shift = start - from;
    for (;;) {
      at = firstDifference(template.json, at, Math.min(length, stop - shift), json, shift);
      const place = at + shift;
      if (place === stop && stop !== limit) {
        // What is left out.
        shift += outline.cutEnd - stop;
        stop = limit;
        continue;
      }
      if (at === length || place >= limit) return at === length && place === limit;
      if (!this.pass(place)) return false;
      const { member: begin, next: end } = this;
      const known = template.bytes[begin - shift] as number;
      const behind = endOfValue(template.bytes, begin - shift);
      // One of the two values has to go on here. One that was passed before has not changed again, but what lies behind it.
      if (opensNested(known) || end <= begin || behind <= begin - shift || behind < at || (behind === at && end === place)) return false;
      if (this.count > 0 && begin <= (this.starts[this.count - 1] as number)) return false;
      this.note(begin, end);
      rest -= end - begin;
      if (rest < 0) return false;
      at = behind;
      shift = end - behind;
    }
  }

  /** Goes on to `place` in the JSON. Returns whether that is in a string, number or literal that is no key. */
  private pass(place: number): boolean {
    const { json, masks, numbers, opened, outline, start } = this;
    const { bytes } = json;
    let { block, depth, mask, member } = this;
    let number = numbers[depth] as number;
    let where: number;
    // The last bracket of the object lies behind any place in it.
    for (;;) {
      while (mask === 0) mask = masks[(block += 1)] as number;
      where = start + blockBytes * block + 31 - Math.clz32(mask & -mask);
      if (where >= place) break;
      if (where >= outline.cutStart && where < outline.cutEnd) {
        member = outline.cutEnd;
        block = ((member - start) / blockBytes) | 0;
        mask = (masks[block] as number) & (-1 << ((member - start) % blockBytes));
        continue;
      }
      mask &= mask - 1;
      const byte = bytes[where] as number;
      member = where + 1;
      if (byte === comma) number += 1;
      else if (opensNested(byte)) {
        numbers[depth] = number;
        depth += 1;
        number = 0;
        opened[depth] = byte;
      } else {
        depth -= 1;
        number = numbers[depth] as number;
        member = -1;
      }
    }
    if (opened[depth] === openBrace && member !== -1) member = bytes[member] === quote ? this.behindKey(member) : -1;
    numbers[depth] = number;
    this.block = block;
    this.mask = mask;
    this.depth = depth;
    this.member = member;
    this.next = where;
    return member !== -1 && member <= place;
  }

  private behindKey(key: number): number {
    const { bytes } = this.json;
    const colonAt = endOfString(bytes, key);
    return bytes[colonAt] === colon ? colonAt + 1 : -1;
  }

  private note(begin: number, end: number): void {
    const { count, depth } = this;
    this.starts[count] = begin;
    this.ends[count] = end;
    this.depths[count] = depth;
    for (let level = 0; level <= depth; level += 1) this.ways[this.steps++] = this.numbers[level] as number;
    this.count = count + 1;
  }
}
