import { JsonBytes } from './jsonBytes.js';
import type { Names } from './outline.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * The JSON of an object, in memory that is reused.
 */
export interface TemplateText {
  readonly bytes: Uint8Array;
  readonly length: number;
}

/** Room for later versions that are a little longer. */
const spareBytes = 64;

/**
 * An object with its JSON, to compare the JSON of other objects with before they are parsed.
 *
 * The object is frozen deeply, so that it always equals its JSON. A later version replaces both.
 */
export class Template implements TemplateText, Names {
  object: Json;
  /** The hashes of its name, family and form (see `Names`). Its versions share them. */
  readonly name: number;
  readonly family: number;
  readonly form: number;
  readonly json: JsonBytes;
  length: number;

  /** Its keys in `Templates`. */
  readonly keys: number[] = [];
  /** Whether an object fitted since old templates were last dropped. */
  isUsed = true;
  /** How many objects in a row did not fit. */
  misfits = 0;

  /** @param text - copied. */
  constructor(object: Json, { family, form, name }: Names, { bytes, length }: TemplateText) {
    this.object = object;
    this.name = name;
    this.family = family;
    this.form = form;
    this.json = new JsonBytes(new Uint8Array(length + spareBytes));
    this.length = length;
    this.bytes.set(bytes.subarray(0, length));
  }

  get bytes(): Uint8Array {
    return this.json.bytes;
  }

  /** Its size in bytes, estimated. */
  get size(): number {
    return this.bytes.length + 500;
  }

  /** Becomes the template of a later version of its object. Returns whether it did: the text must fit into its memory. */
  advance(object: Json, { bytes, length }: TemplateText): boolean {
    if (length > this.bytes.length) return false;
    this.object = object;
    this.length = length;
    this.bytes.set(bytes.subarray(0, length));
    return true;
  }
}
