import { freezeJson } from './freezeJson.js';

/** A part that is taken from the known object. */
const shared = 0;
/** A part that is left out. */
const cut = 1;
/** An object or array begins, or ends, that is not shared itself. */
const begun = 2;
const ended = 3;

type Json = Record<string, unknown>;

/** Shorter pieces are copied faster byte by byte. */
const shortPiece = 48;

const placeholder = new TextEncoder().encode('null');

/**
 * Which parts of some JSON need not be parsed, in the order of their first bytes. The same instance serves one object after the other.
 */
export class SharedParts {
  /** How many there are. To set it back forgets the last ones. */
  count = 0;
  private kinds: Uint8Array = new Uint8Array(1024);
  private starts: Uint32Array = new Uint32Array(1024);
  /** Where a part ends; of an object that has begun: how many fields it must have, if that is to be looked at. */
  private ends: Uint32Array = new Uint32Array(1024);
  /** Under which key, or at which index, the part stands. */
  private readonly keys: (string | number)[] = [];
  private readonly values: unknown[] = [];
  private readonly around: Json[] = [];
  private scratch: Uint8Array = new Uint8Array(16_384);
  private written = 0;

  /** An object or array begins. Returns its number. */
  begin(key: string | number): number {
    return this.add(begun, 0, 0, key, undefined);
  }

  /**
   * It has ended.
   *
   * @param fields - how many fields it has, if there may be several under one key; 0 otherwise.
   */
  end(number: number, fields: number): void {
    this.ends[number] = fields;
    this.add(ended, 0, 0, '', undefined);
  }

  /** It has ended, and is shared as a whole. */
  replace(number: number, start: number, end: number, value: unknown): void {
    this.count = number;
    this.add(shared, start, end, this.keys[number] as string, value);
  }

  share(start: number, end: number, key: string | number, value: unknown): void {
    this.add(shared, start, end, key, value);
  }

  cut(start: number, end: number): void {
    this.add(cut, start, end, '', undefined);
  }

  /** The JSON between `start` and `end`, behind `prefix`, with `null` for each shared part. Good until the next call. */
  rest(json: Uint8Array, prefix: Uint8Array, start: number, end: number): Uint8Array {
    const { count, kinds, starts, ends } = this;
    const enough = prefix.length + end - start + placeholder.length * count;
    if (this.scratch.length < enough) this.scratch = new Uint8Array(2 * enough);
    this.written = 0;
    this.copy(prefix, 0, prefix.length);
    let copied = start;
    for (let at = 0; at < count; at += 1) {
      const kind = kinds[at] as number;
      if (kind !== shared && kind !== cut) continue;
      this.copy(json, copied, starts[at] as number);
      if (kind === shared) this.copy(placeholder, 0, placeholder.length);
      copied = ends[at] as number;
    }
    this.copy(json, copied, end);
    return this.scratch.subarray(0, this.written);
  }

  /**
   * Puts the shared parts into the object that was parsed from `rest`, and freezes them.
   *
   * @returns false for an object with several fields under one key: then a placeholder may be left, or a part be put where another belongs.
   */
  fill(object: Json): boolean {
    const { count, kinds, ends, keys, values, around } = this;
    let depth = 0;
    let parent = object;
    for (let at = 0; at < count; at += 1) {
      const kind = kinds[at];
      if (kind === shared) {
        freezeJson(values[at]);
        parent[keys[at] as string] = values[at];
      } else if (kind === begun) {
        around[depth++] = parent;
        if (at > 0) parent = parent[keys[at] as string] as Json;
        if (ends[at] !== 0 && Object.keys(parent).length !== ends[at]) return false;
      } else if (kind === ended) {
        parent = around[--depth] as Json;
      }
    }
    return true;
  }

  private add(kind: number, start: number, end: number, key: string | number, value: unknown): number {
    const at = this.count++;
    if (at === this.kinds.length) this.grow();
    this.kinds[at] = kind;
    this.starts[at] = start;
    this.ends[at] = end;
    this.keys[at] = key;
    this.values[at] = value;
    return at;
  }

  private copy(from: Uint8Array, start: number, end: number): void {
    const { scratch, written } = this;
    if (end - start > shortPiece) scratch.set(from.subarray(start, end), written);
    else for (let at = start, to = written; at < end; at += 1, to += 1) scratch[to] = from[at] as number;
    this.written += end - start;
  }

  private grow(): void {
    const { kinds, starts, ends } = this;
    const size = 2 * kinds.length;
    (this.kinds = new Uint8Array(size)).set(kinds);
    (this.starts = new Uint32Array(size)).set(starts);
    (this.ends = new Uint32Array(size)).set(ends);
  }
}
