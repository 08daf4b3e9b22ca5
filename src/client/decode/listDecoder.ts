import { isJsonObject } from '../../api/json.js';
import { DecodeError } from '../../api/errors/decodeError.js';
import type { ListMeta } from '../../api/kubernetesObject.js';
import type { ListChunk } from '../../api/listerWatcher.js';
import type { Decoder } from './decoder.js';
import { ObjectReader } from './objectReader.js';
import { parseJson } from '../parseJson.js';
import type { ItemShape } from './objectShape.js';
import { PendingBytes } from './pendingBytes.js';

/**
 * How a list is read.
 */
export interface ListShape extends ItemShape {
  /** The name of the resource, for messages, for example `pods`. */
  readonly resource: string;
}

/** The same limit as for a line of a watch. */
const maxValueBytes = 16 * 1024 * 1024;

/** The next token that is allowed outside of an item or another value. */
type Expected = 'object' | 'first key' | 'key' | 'colon' | 'value' | 'comma' | 'first item' | 'item' | 'item comma' | 'nothing';

/**
 * Decodes the body of a list while it arrives, holding at most one item of it.
 *
 * Emits the items that each chunk completes, and `kind`, `apiVersion` and `metadata` as soon as they are known; they may come after the items. An object that is
 * no list, a Table, or a body that ends early is a DecodeError.
 */
export class ListDecoder<T> implements Decoder<ListChunk<T>> {
  private readonly shape: ListShape;
  private readonly reader: ObjectReader;
  private expected: Expected = 'object';
  private field = '';
  /** The first part of a value that is not complete yet. */
  private readonly pending = new PendingBytes(maxValueBytes, 'a value of the list');
  /** The position in the body of the chunk being read. */
  private offset = 0;
  private kind: string | undefined;
  private itemsSeen = false;
  private items: T[] = [];
  private head: { kind?: string; apiVersion?: string; metadata?: ListMeta } = {};

  constructor(shape: ListShape, sharedBy?: object) {
    this.shape = shape;
    this.reader = new ObjectReader(shape, true, sharedBy);
  }

  push(chunk: Uint8Array, emit: (value: ListChunk<T>) => void): void {
    try {
      this.take(chunk);
    } finally {
      this.flush(emit);
    }
  }

  end(): void {
    if (this.expected !== 'nothing') this.fail('got the beginning of one', 0);
    if (!this.itemsSeen && this.kind?.endsWith('List') !== true) this.fail('got an object without `items`', 0);
  }

  private take(part: Uint8Array): void {
    const { pending } = this;
    // Not a Buffer: V8 optimizes the functions below for one type, and values assembled from several chunks are Uint8Arrays. A new view, since the
    // scanner recognizes bytes by the identity of their array, and the array of a chunk may be reused for other bytes.
    const chunk = new Uint8Array(part.buffer, part.byteOffset, part.length);
    let at = 0;
    if (pending.length > 0) {
      const end = this.reader.valueEnd.next(chunk);
      pending.push(end === -1 ? chunk : chunk.subarray(0, end), this.offset);
      if (end === -1) return;
      const value = pending.take();
      this.readValue(value, 0, value.length);
      this.offset += value.length - end;
      at = end;
    }
    while (at < chunk.length) {
      const next = this.next(chunk, at);
      if (next === -1) {
        pending.push(chunk.subarray(at), this.offset + at);
        break;
      }
      at = next;
    }
    this.offset += at;
  }

  /** Reads the token or value at `at`. Returns the index after it; -1 when it continues in the next chunk. */
  private next(bytes: Uint8Array, at: number): number {
    const sign = String.fromCharCode(bytes[at] as number);
    if (' \t\n\r'.includes(sign)) return at + 1;
    switch (this.expected) {
      case 'object':
        if (sign !== '{') this.fail('got something else than a JSON object', at);
        this.expected = 'first key';
        return at + 1;
      case 'first key':
      case 'key':
        if (sign === '"') return this.readValue(bytes, at, -1);
        if (sign !== '}' || this.expected === 'key') this.fail('got malformed JSON', at);
        this.expected = 'nothing';
        return at + 1;
      case 'colon':
        if (sign !== ':') this.fail('got malformed JSON', at);
        this.expected = 'value';
        return at + 1;
      case 'value':
        if (this.field !== 'items' || sign !== '[') return this.readValue(bytes, at, -1);
        this.itemsSeen = true;
        this.expected = 'first item';
        return at + 1;
      case 'first item':
      case 'item':
        if (sign !== ']' || this.expected === 'item') return this.readValue(bytes, at, -1);
        this.expected = 'comma';
        return at + 1;
      case 'comma':
        return this.separator(sign, at, 'key', '}', 'nothing');
      case 'item comma':
        return this.separator(sign, at, 'item', ']', 'comma');
      case 'nothing':
        return this.fail('got something behind it', at);
    }
  }

  private separator(sign: string, at: number, next: Expected, end: string, behind: Expected): number {
    if (sign !== ',' && sign !== end) this.fail('got malformed JSON', at);
    this.expected = sign === end ? behind : next;
    return at + 1;
  }

  /** Reads the value at `at`; it ends at `known` unless that is -1. Returns the index after it; -1 when it continues in the next chunk. */
  private readValue(bytes: Uint8Array, at: number, known: number): number {
    if (this.expected === 'item' || this.expected === 'first item') return this.readItem(bytes, at, known);
    const end = known === -1 ? this.reader.valueEnd.of(bytes, at) : known;
    if (end === -1) return -1;
    if (this.expected === 'value') this.readField(bytes, at, end);
    else this.readKey(bytes, at, end);
    return end;
  }

  private readKey(bytes: Uint8Array, at: number, end: number): void {
    this.field = String(parseJson(bytes.subarray(at, end), 'a key of the list', this.offset + at));
    // The items of the first are told already.
    if (this.field === 'items' && this.itemsSeen) this.fail('got `items` twice', at);
    this.expected = 'colon';
  }

  private readField(bytes: Uint8Array, at: number, end: number): void {
    if (end === at) this.fail('got malformed JSON', at);
    const value = parseJson(bytes.subarray(at, end), 'a field of the list', this.offset + at);
    this.expected = 'comma';
    switch (this.field) {
      case 'kind':
        if (value === 'Table' || value === 'Status') this.fail(`got a ${value}`, at);
        if (typeof value === 'string') this.kind = this.head.kind = value;
        break;
      case 'apiVersion':
        if (typeof value === 'string') this.head.apiVersion = value;
        break;
      case 'metadata':
        if (isJsonObject(value)) this.head.metadata = value;
        break;
      case 'items':
        if (value !== null) this.fail('got `items` that are not an array', at);
        this.itemsSeen = true;
    }
  }

  private readItem(bytes: Uint8Array, at: number, known: number): number {
    const { reader, items } = this;
    const object = reader.read(bytes, at, known, 'new', this.offset + at);
    if (object !== undefined) items.push(object as T);
    if (reader.end !== -1) this.expected = 'item comma';
    return reader.end;
  }

  private flush(emit: (value: ListChunk<T>) => void): void {
    const { head, items } = this;
    if (items.length === 0 && Object.keys(head).length === 0) return;
    this.head = {};
    this.items = [];
    emit({ ...head, items });
  }

  private fail(found: string, at: number): never {
    throw new DecodeError(`Expected a list of ${this.shape.resource}, ${found}`, this.offset + at);
  }
}
