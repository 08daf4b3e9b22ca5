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

const character = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** Space, tab, line feed and carriage return. */
const whiteSpace: readonly number[] = [0x20, 0x09, 0x0a, 0x0d];

class ListDecoder<T> implements Decoder<ListChunk<T>> {
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

  constructor(shape: ListShape, sharedBy: object | undefined) {
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
    const byte = bytes[at] as number;
    if (whiteSpace.includes(byte)) return at + 1;
    switch (this.expected) {
      case 'object':
        if (byte !== character.openBrace) this.fail('got something else than a JSON object', at);
        this.expected = 'first key';
        return at + 1;
      case 'first key':
      case 'key':
        if (byte === character.quote) return this.readValue(bytes, at, -1);
        if (byte !== character.closeBrace || this.expected === 'key') this.fail('got malformed JSON', at);
        this.expected = 'nothing';
        return at + 1;
      case 'colon':
        if (byte !== character.colon) this.fail('got malformed JSON', at);
        this.expected = 'value';
        return at + 1;
      case 'value':
        if (this.field !== 'items' || byte !== character.openBracket) return this.readValue(bytes, at, -1);
        this.itemsSeen = true;
        this.expected = 'first item';
        return at + 1;
      case 'first item':
      case 'item':
        if (byte !== character.closeBracket || this.expected === 'item') return this.readValue(bytes, at, -1);
        this.expected = 'comma';
        return at + 1;
      case 'comma':
        return this.separator(byte, at, 'key', character.closeBrace, 'nothing');
      case 'item comma':
        return this.separator(byte, at, 'item', character.closeBracket, 'comma');
      case 'nothing':
        return this.fail('got something behind it', at);
    }
  }

  private separator(byte: number, at: number, next: Expected, end: number, behind: Expected): number {
    if (byte !== character.comma && byte !== end) this.fail('got malformed JSON', at);
    this.expected = byte === end ? behind : next;
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
    this.finishField(parseJson(bytes.subarray(at, end), 'a field of the list', this.offset + at), at);
    this.expected = 'comma';
  }

  private readItem(bytes: Uint8Array, at: number, known: number): number {
    const { reader, items } = this;
    const object = reader.read(bytes, at, known, 'new', this.offset + at);
    if (object !== undefined) items.push(object as T);
    if (reader.end !== -1) this.expected = 'item comma';
    return reader.end;
  }

  private finishField(value: unknown, at: number): void {
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

/**
 * Decodes the body of a list while it arrives, holding at most one item of it.
 *
 * Emits the items that each chunk completes, and `kind`, `apiVersion` and `metadata` as soon as they are known; they may come after the items. An object that is
 * no list, a Table, or a body that ends early is a DecodeError.
 */
export function listDecoder<T>(shape: ListShape, sharedBy?: object): Decoder<ListChunk<T>> {
  return new ListDecoder<T>(shape, sharedBy);
}
