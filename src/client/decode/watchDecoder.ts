import { isJsonObject } from '../../api/json.js';
import { foreignStatus } from '../../api/errors/apiError.js';
import { DecodeError } from '../../api/errors/decodeError.js';
import type { WatchChunk, WatchEvent } from '../../api/listerWatcher.js';
import type { Decoder } from './decoder.js';
import { standsAt } from './scan.js';
import { ObjectReader } from './objectReader.js';
import { parseJson } from '../parseJson.js';
import { shapeObject, type ItemShape } from './objectShape.js';
import { PendingBytes } from './pendingBytes.js';

const lineFeed = 0x0a;
const closeBrace = 0x7d;

/** client-go's limit for one frame. */
const maxLineBytes = 16 * 1024 * 1024;

const eventTypes: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

const utf8 = new TextEncoder();
const envelopes = [['MODIFIED', 'changed'] as const, ['ADDED', 'new'] as const, ['DELETED', 'gone'] as const].map(([type, fate]) => ({
  type,
  start: utf8.encode(`{"type":"${type}","object":`),
  fate,
}));

/**
 * Decodes the body of a watch: one event per line. Emits the events that the bytes complete as one part.
 *
 * Lines end at the byte 0x0A and nowhere else, so chunks may be cut anywhere, even inside a character. Empty lines and CR LF are accepted. A last line without
 * its end counts if it is complete; the rest of an event that a broken connection cut off is dropped, since resuming the watch brings it again.
 */
export class WatchDecoder<T> implements Decoder<WatchChunk<T>> {
  private readonly shape: ItemShape;
  private readonly reader: ObjectReader;
  private readonly pending = new PendingBytes(maxLineBytes, 'an event of the watch');
  /** The position in the body where the pending line begins. */
  private position = 0;

  constructor(shape: ItemShape, sharedBy?: object) {
    this.shape = shape;
    this.reader = new ObjectReader(shape, false, sharedBy);
  }

  push(chunk: Uint8Array, emit: (value: WatchChunk<T>) => void): void {
    const events: WatchEvent<T>[] = [];
    try {
      this.decode(chunk, events);
    } finally {
      if (events.length > 0) emit(events);
    }
  }

  end(emit: (value: WatchChunk<T>) => void): void {
    const line = this.pending.take();
    let event: WatchEvent<T> | undefined;
    try {
      event = this.parsed(line);
    } catch {
      return;
    }
    if (event !== undefined) emit([event]);
  }

  private decode(chunk: Uint8Array, events: WatchEvent<T>[]): void {
    const { pending } = this;
    // Not a Buffer: V8 optimizes the functions below for one type, and lines assembled from several chunks are Uint8Arrays. A new view, since the
    // scanner recognizes bytes by the identity of their array, and the array of a chunk may be reused for other bytes.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      const length = pending.length + end - start;
      let event: WatchEvent<T> | undefined;
      if (pending.length > 0 || length > maxLineBytes) {
        pending.push(bytes.subarray(start, end), this.position);
        event = this.eventOf(pending.take(), 0, length);
      } else event = this.eventOf(bytes, start, end);
      start = end + 1;
      this.position += length + 1;
      if (event !== undefined) events.push(event);
    }
    if (start < bytes.length) pending.push(bytes.subarray(start), this.position);
  }

  /** The event of a line; undefined for an object of another shard, and for an empty line. */
  private eventOf(bytes: Uint8Array, start: number, end: number): WatchEvent<T> | undefined {
    const envelope = envelopes.find((each) => standsAt(bytes, start, each.start));
    if (envelope !== undefined && bytes[end - 1] === closeBrace) {
      const { type, fate } = envelope;
      try {
        const object = this.reader.read(bytes, start + envelope.start.length, end - 1, fate, 0);
        return object && { type, object: object as T };
      } catch {
        // Not as expected: parse the whole line below.
      }
    }
    const line = bytes.subarray(start, end);
    return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d) ? undefined : this.parsed(line);
  }

  private parsed(line: Uint8Array): WatchEvent<T> | undefined {
    const event = parseJson(line, 'an event of the watch', this.position);
    if (!isJsonObject(event) || !eventTypes.has(event['type']) || !isJsonObject(event['object'])) {
      throw new DecodeError('Expected an event of the watch to have a known `type` and an `object`, got something else', this.position);
    }
    const { type, object } = event;
    if (type === 'ERROR') return { type, object: foreignStatus(object) };
    if (type !== 'BOOKMARK' && this.reader.isForeign(object)) return undefined;
    return { type, object: type === 'BOOKMARK' ? object : shapeObject(object, this.shape) } as WatchEvent<T>;
  }
}
