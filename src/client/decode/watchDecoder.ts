import { DecodeError } from '../../api/errors/decodeError.js';
import type { WatchEvent } from '../../api/events/watchEvent.js';
import type { Decoder } from './decoder.js';
import { standsAt } from './fieldAt.js';
import { joinBytes } from '../requests/joinBytes.js';
import type { ItemShape } from './itemShape.js';
import { ObjectReader } from './objectReader.js';
import { isRecord, parseJson, shapeObject, type ObjectShape } from './parseObject.js';

const lineFeed = 0x0a;
const openBrace = 0x7b;

/** client-go's limit of one frame. */
const maxLineBytes = 16 * 1024 * 1024;

const eventTypes: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']);

function isBlank(line: Uint8Array): boolean {
  if (line[0] === openBrace) return false;
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseEvent<T>(line: Uint8Array, shape: ObjectShape, position: number): WatchEvent<T> {
  const event = parseJson(line, 'an event of the watch', position);
  if (!isRecord(event) || !eventTypes.has(event['type']) || !isRecord(event['object'])) {
    throw new DecodeError('Expected an event of the watch to have a known `type` and an `object`, got something else', position);
  }
  const { type, object } = event;
  const plain = type === 'ERROR' || type === 'BOOKMARK';
  return { type, object: plain ? object : shapeObject(object, shape) } as WatchEvent<T>;
}

const utf8 = new TextEncoder();
const envelopes = (['MODIFIED', 'ADDED', 'DELETED'] as const).map((type) => ({ type, start: utf8.encode(`{"type":"${type}","object":`) }));
const closeBrace = 0x7d;
const fates = { MODIFIED: 'changed', ADDED: 'there', DELETED: 'gone' } as const;

/** Reads an event as API servers write them; undefined for any other. */
function readEvent<T>(line: Uint8Array, reader: ObjectReader): WatchEvent<T> | undefined {
  const end = line.length - 1;
  const envelope = envelopes.find(({ start }) => standsAt(line, 0, start));
  if (envelope === undefined || line[end] !== closeBrace) return undefined;
  try {
    reader.readWhole(line.subarray(0, end), envelope.start.length, 'an object', 0, fates[envelope.type]);
  } catch {
    // The parser says what is wrong.
    return undefined;
  }
  return { type: envelope.type, object: reader.object as T };
}

/**
 * Decodes the body of a watch: one event per line.
 *
 * Lines end at the byte 0x0A and nowhere else, so chunks may be cut anywhere, also inside a character. Empty lines and CR LF do no harm. A last line
 * without its end counts if it is whole; what a broken connection left of an event is dropped, since resuming the watch brings it again.
 */
export function watchDecoder<T>(shape: ItemShape, sharedBy?: object): Decoder<WatchEvent<T>> {
  const reader = new ObjectReader(shape, false, sharedBy);
  let pending: Uint8Array[] = [];
  let pendingLength = 0;
  /** Offset in the body where the pending line begins. */
  let position = 0;

  function keep(part: Uint8Array): void {
    pendingLength += part.length;
    if (pendingLength > maxLineBytes)
      throw new DecodeError(`Expected an event of the watch to have at most ${maxLineBytes} bytes, got more`, position);
    pending.push(part);
  }
  function takeLine(): Uint8Array {
    const line = joinBytes(pending);
    pending = [];
    pendingLength = 0;
    return line;
  }

  return {
    push(chunk, emit) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        keep(chunk.subarray(start, end));
        start = end + 1;
        const line = takeLine();
        const lineStart = position;
        position += line.length + 1;
        if (!isBlank(line)) emit(readEvent<T>(line, reader) ?? parseEvent(line, shape, lineStart));
      }
      // Copied, as the chunk's memory may be used again.
      if (start < chunk.length) keep(chunk.slice(start));
    },
    end(emit) {
      const line = takeLine();
      let event: WatchEvent<T>;
      try {
        event = parseEvent(line, shape, position);
      } catch {
        return;
      }
      emit(event);
    },
  };
}
