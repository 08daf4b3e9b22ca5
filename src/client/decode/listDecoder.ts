import { DecodeError } from '../../api/errors/decodeError.js';
import type { ListMeta } from '../../api/kubernetesObject.js';
import type { ListChunk } from '../../api/listerWatcher.js';
import type { Decoder } from './decoder.js';
import { ObjectReader } from './objectReader.js';
import { isRecord, parseJson, type ItemShape } from './parseObject.js';
import { PendingBytes } from './pendingBytes.js';
import { ValueScanner } from './valueScanner.js';

/**
 * How a list is read.
 */
export interface ListShape extends ItemShape {
  /** What the list holds, for messages, for example `pods`. */
  readonly resource: string;
  /** The body is a later page of a list. */
  readonly isLaterPage?: boolean;
}

/** As much as a line of a watch may have. */
const maxValueBytes = 16 * 1024 * 1024;

/** What may come next, outside of a value. */
type Expected = 'object' | 'first key' | 'key' | 'colon' | 'value' | 'comma' | 'first item' | 'item' | 'item comma' | 'nothing';

/** What the value under way is for. */
type Role = 'key' | 'field' | 'item' | 'skipped' | undefined;

const character = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

const keptFields: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'metadata', 'items']);

class ListDecoder<T> implements Decoder<ListChunk<T>> {
  private readonly shape: ListShape;
  private readonly reader: ObjectReader;
  private readonly scanner = new ValueScanner();
  private expected: Expected = 'object';
  private role: Role;
  private field = '';
  /** The value under way, as far as it came in earlier chunks. */
  private readonly pending = new PendingBytes(maxValueBytes, 'a value of the list');
  /** How many bytes came in earlier chunks. */
  private offset = 0;
  private kind: string | undefined;
  private itemsSeen = false;
  /** Whether other pages follow. */
  private hasMore = false;
  private items: T[] = [];
  private head: { kind?: string; apiVersion?: string; metadata?: ListMeta } = {};

  constructor(shape: ListShape, sharedBy: object | undefined) {
    this.shape = shape;
    this.reader = new ObjectReader(shape, true, sharedBy);
    if (shape.isLaterPage !== true) this.reader.templates?.beginList();
  }

  push(chunk: Uint8Array, emit: (value: ListChunk<T>) => void): void {
    try {
      this.read(chunk);
    } finally {
      this.offset += chunk.length;
      this.flush(emit);
    }
  }

  end(): void {
    if (this.expected !== 'nothing') this.fail('got the beginning of one', 0);
    if (!this.itemsSeen && this.kind?.endsWith('List') !== true) this.fail('got an object without `items`', 0);
    if (!this.hasMore) this.reader.templates?.endList();
  }

  private read(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.role !== undefined) {
        const end = this.scanner.scan(chunk, at);
        if (end === -1) {
          if (this.role !== 'skipped') this.pending.push(chunk.subarray(at), this.offset + at - this.pending.length);
          return;
        }
        this.finishValue(chunk.subarray(at, end), at);
        at = end;
      } else {
        const byte = chunk[at] ?? 0;
        // A value is read from its first byte on.
        if (byte <= 0x20 || !this.step(byte, at)) at += 1;
        else at = this.readAhead(chunk, at);
      }
    }
  }

  /** Reads items without looking for their ends before; returns the index behind them, or `at` when the first one goes on behind the chunk. */
  private readAhead(chunk: Uint8Array, at: number): number {
    const small = this.role === 'item' ? this.reader.readSmall(chunk, at) : undefined;
    if (small !== undefined) {
      for (const object of small.objects) this.takeItem(object);
      return small.end;
    }
    const isLikelyWhole = this.role === 'item' && chunk[at] === character.openBrace && chunk.length - at >= this.reader.lastSpan;
    const read = isLikelyWhole ? this.reader.read(chunk, at, -1, 'listed', this.offset) : undefined;
    if (read === undefined) return at;
    this.takeItem(read.object);
    return read.end;
  }

  private takeItem(object: object | undefined): void {
    if (object !== undefined) this.items.push(object as T);
    this.role = undefined;
    this.expected = 'item comma';
  }

  /** Takes a byte outside of a value. Returns whether it begins one. */
  private step(byte: number, at: number): boolean {
    switch (this.expected) {
      case 'object':
        if (byte !== character.openBrace) this.fail('got something else than a JSON object', at);
        this.expected = 'first key';
        return false;
      case 'first key':
      case 'key':
        if (byte === character.quote) return this.begin('key', byte);
        if (byte !== character.closeBrace || this.expected === 'key') this.fail('got malformed JSON', at);
        this.expected = 'nothing';
        return false;
      case 'colon':
        if (byte !== character.colon) this.fail('got malformed JSON', at);
        this.expected = 'value';
        return false;
      case 'value':
        if (this.field !== 'items' || byte !== character.openBracket)
          return this.begin(keptFields.has(this.field) ? 'field' : 'skipped', byte);
        this.itemsSeen = true;
        this.expected = 'first item';
        return false;
      case 'first item':
      case 'item':
        if (byte !== character.closeBracket || this.expected === 'item') return this.begin('item', byte);
        this.expected = 'comma';
        return false;
      case 'comma':
        return this.separator(byte, at, 'key', character.closeBrace, 'nothing');
      case 'item comma':
        return this.separator(byte, at, 'item', character.closeBracket, 'comma');
      case 'nothing':
        return this.fail('got something behind it', at);
    }
  }

  private separator(byte: number, at: number, next: Expected, end: number, behind: Expected): false {
    if (byte !== character.comma && byte !== end) this.fail('got malformed JSON', at);
    this.expected = byte === end ? behind : next;
    return false;
  }

  private begin(role: Exclude<Role, undefined>, first: number): true {
    this.role = role;
    this.scanner.begin(first);
    return true;
  }

  private finishValue(last: Uint8Array, at: number): void {
    const { pending, role } = this;
    let json = last;
    let position = this.offset + at;
    if (pending.length > 0 && role !== 'skipped') {
      position -= pending.length;
      pending.push(last, position);
      json = pending.take();
    }
    this.role = undefined;
    if (role === 'item') {
      const read = this.reader.read(json, 0, json.length, 'listed', position);
      if (read !== undefined) this.takeItem(read.object);
    } else if (role === 'key') {
      this.field = String(parseJson(json, 'a key of the list', position));
      this.expected = 'colon';
    } else {
      if (role === 'field') this.finishField(parseJson(json, `\`${this.field}\` of the list`, position), at);
      this.expected = 'comma';
    }
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
        if (!isRecord(value)) break;
        this.head.metadata = value;
        this.hasMore = typeof value['continue'] === 'string' && value['continue'] !== '';
        break;
      default:
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
 * Decodes the body of a list while it arrives, and never holds more of it than one item.
 *
 * Emits the items that each part of the body completes, and `kind`, `apiVersion` and `metadata` once they are known: they may stand behind the items. An
 * object that is no list, a Table and a body that ends early are DecodeErrors.
 */
export function listDecoder<T>(shape: ListShape, sharedBy?: object): Decoder<ListChunk<T>> {
  return new ListDecoder<T>(shape, sharedBy);
}
