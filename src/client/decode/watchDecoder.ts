import { foreignStatus } from '../../api/errors/apiError.js';
import { DecodeError } from '../../api/errors/decodeError.js';
import type { WatchEvent } from '../../api/events/watchEvent.js';
import type { Decoder } from './decoder.js';
import { standsAt } from './fieldAt.js';
import { leastCompared, ObjectReader } from './objectReader.js';
import { isRecord, parseJson, shapeParsed, type ItemShape, type ObjectShape } from './parseObject.js';
import { PendingBytes } from './pendingBytes.js';
import { ShardSieve } from './shardSieve.js';

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
  if (type === 'ERROR') return { type, object: foreignStatus(object) };
  return { type, object: type === 'BOOKMARK' ? object : shapeParsed(object, shape) } as WatchEvent<T>;
}

const utf8 = new TextEncoder();
const fates = { MODIFIED: 'changed', ADDED: 'added', DELETED: 'gone' } as const;
const envelopes = (['MODIFIED', 'ADDED', 'DELETED'] as const).map((type) => ({
  type,
  start: utf8.encode(`{"type":"${type}","object":`),
  fate: fates[type],
}));
const closeBrace = 0x7d;

/** Reads an event as API servers write them: null for one of an object of another shard, undefined for any other. */
function readEvent<T>(line: Uint8Array, reader: ObjectReader): WatchEvent<T> | null | undefined {
  const end = line.length - 1;
  const envelope = envelopes.find(({ start }) => standsAt(line, 0, start));
  if (envelope === undefined || line[end] !== closeBrace) return undefined;
  try {
    const read = reader.read(line, envelope.start.length, end, envelope.fate, 0);
    if (read === undefined) return undefined;
    return read.object === undefined ? null : { type: envelope.type, object: read.object as T };
  } catch {
    // The parser says what is wrong.
    return undefined;
  }
}

/** Whether the first events of the watch, which stand for a list, are complete with this one. */
function endsInitialEvents({ type, object }: WatchEvent<unknown>): boolean {
  const { metadata } = object as { readonly metadata?: { readonly annotations?: Readonly<Record<string, unknown>> } };
  return type === 'BOOKMARK' && metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
}

/** Whether the event is about an object of another shard. */
function isForeign({ type, object }: WatchEvent<unknown>, sieve: ShardSieve | undefined): boolean {
  if (sieve === undefined || type === 'BOOKMARK' || type === 'ERROR') return false;
  return sieve.isForeign(object as Readonly<Record<string, unknown>>);
}

/** How a watch is read. */
interface WatchShape extends ItemShape {
  /** The watch begins with all objects, as a list. */
  readonly isInitial?: boolean;
}

/**
 * Decodes the body of a watch: one event per line.
 *
 * Lines end at the byte 0x0A and nowhere else, so chunks may be cut anywhere, also inside a character. Empty lines and CR LF do no harm. A last line
 * without its end counts if it is whole; what a broken connection left of an event is dropped, since resuming the watch brings it again.
 */
export function watchDecoder<T>(shape: WatchShape, sharedBy?: object): Decoder<WatchEvent<T>> {
  const reader = new ObjectReader(shape, false, sharedBy);
  const pending = new PendingBytes(maxLineBytes, 'an event of the watch');
  /** Offset in the body where the pending line begins. */
  let position = 0;
  if (shape.isInitial === true) reader.templates?.beginList();
  const sieve = shape.shard && new ShardSieve(shape.shard);

  function eventOf(line: Uint8Array): WatchEvent<T> | undefined {
    if (line.length >= leastCompared || sieve !== undefined) {
      const read = readEvent<T>(line, reader);
      if (read !== undefined) return read ?? undefined;
    }
    const event = parseEvent<T>(line, shape, position);
    if (isForeign(event, sieve)) return undefined;
    if (shape.isInitial === true && endsInitialEvents(event)) reader.templates?.endList();
    return event;
  }

  return {
    push(chunk, emit) {
      let start = 0;
      for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
        let line = chunk.subarray(start, end);
        if (pending.length > 0 || line.length > maxLineBytes) {
          pending.push(line, position);
          line = pending.take();
        }
        start = end + 1;
        const event = isBlank(line) ? undefined : eventOf(line);
        position += line.length + 1;
        if (event !== undefined) emit(event);
      }
      if (start < chunk.length) pending.push(chunk.subarray(start), position);
    },
    end(emit) {
      const line = pending.take();
      let event: WatchEvent<T>;
      try {
        event = parseEvent(line, shape, position);
      } catch {
        return;
      }
      if (!isForeign(event, sieve)) emit(event);
    },
  };
}
