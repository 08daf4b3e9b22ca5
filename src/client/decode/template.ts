import type { JsonBytes } from './jsonBytes.js';
import type { JsonLayout } from './jsonLayout.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Where the JSON of a template is put.
 */
export interface TemplateText {
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Where managedFields stood that were left out; -1 when there were none. */
  readonly cutAt: number;
}

/**
 * An object whose JSON is kept, so that that of others can be compared with it before it is parsed.
 */
export class Template implements JsonBytes {
  readonly object: Json;
  /** The number of its name. */
  readonly name: number;
  readonly layout: JsonLayout;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly length: number;
  /** Where managedFields stood that were left out; -1 when there were none. */
  readonly cutAt: number;
  /** Where each value begins. */
  readonly starts: Uint16Array;
  /** Whether its memory is its own, and not used again. */
  isKept = false;
  /** How many objects in a row had little in common with it. */
  misfits = 0;

  constructor(object: Json, name: number, layout: JsonLayout, { bytes, length, cutAt }: TemplateText, starts: Uint16Array) {
    this.object = object;
    this.name = name;
    this.layout = layout;
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.length = length;
    this.cutAt = cutAt;
    this.starts = starts;
  }

  /** How many bytes it takes, about. */
  get size(): number {
    return 2 * this.layout.count + this.length + 500;
  }

  /** The same in memory of its own, and in no more than it needs. */
  kept(): Template {
    const { object, name, layout, length, cutAt } = this;
    const memory = new ArrayBuffer(2 * layout.count + length);
    const starts = new Uint16Array(memory, 0, layout.count);
    const bytes = new Uint8Array(memory, 2 * layout.count, length);
    starts.set(this.starts.subarray(0, layout.count));
    bytes.set(this.bytes.subarray(0, length));
    const template = new Template(object, name, layout, { bytes, length, cutAt }, starts);
    template.isKept = true;
    return template;
  }
}

/**
 * A template of nothing.
 */
export const emptyTemplate: Template = new Template(
  {},
  0,
  { count: 0, parents: new Uint16Array(), nexts: new Uint16Array(), open: new Uint8Array(), keys: [] },
  { bytes: new Uint8Array(), length: 0, cutAt: -1 },
  new Uint16Array(),
);
