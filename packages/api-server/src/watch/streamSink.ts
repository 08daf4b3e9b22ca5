import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Clock } from 'rx-informer/workqueue';
import { encodeProtobufEvent } from '../protobuf/encodeProtobuf.js';
import type { WatchFrame, WatchSink } from './watchSink.js';

/** How long a client may take to read the rest before its connection is closed. */
const lingerMs = 10_000;

const joined = new WeakMap<readonly WatchFrame[], Buffer>();

/** The concatenated bytes of consecutive frames, cached for all watches that send them. */
function bytesOf(frames: readonly WatchFrame[]): Buffer {
  const bytes = joined.get(frames) ?? Buffer.concat(frames.flatMap(({ parts }) => parts));
  joined.set(frames, bytes);
  return bytes;
}

const encoded = new WeakMap<Buffer, Buffer>();

/** Encodes the lines of a stream in protobuf. What is no whole line yet waits for its end. */
function protobufLines(): (bytes: Buffer) => Buffer {
  let waiting: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const known = waiting.length === 0 ? encoded.get(bytes) : undefined;
    if (known !== undefined) return known;
    const text = Buffer.concat([waiting, bytes]);
    const end = text.lastIndexOf('\n') + 1;
    const whole = waiting.length === 0 && end === text.length;
    waiting = text.subarray(end);
    const lines = text.toString('utf8', 0, end).split('\n').slice(0, -1);
    const result = Buffer.concat(lines.map(encodeProtobufEvent));
    if (whole) encoded.set(bytes, result);
    return result;
  };
}

/** How the events of a watch are written. */
export interface StreamForm {
  readonly protobuf: boolean;
  /** Whether each part is a gzip member of its own. */
  readonly gzip: boolean;
}

/**
 * Sends events as lines of a chunked answer, or as messages.
 *
 * @param clock - limits the time in which a client must read the end.
 */
export function createStreamSink(response: ServerResponse, clock: Clock, { protobuf, gzip }: StreamForm): WatchSink {
  const encode = protobuf ? protobufLines() : (bytes: Buffer): Buffer => bytes;
  const sink: WatchSink = {
    onDrain: undefined,
    onClose: undefined,
    send: (frames: readonly WatchFrame[]) => {
      if (response.destroyed || response.writableEnded) return true;
      const bytes = encode(bytesOf(frames));
      return response.write(gzip ? gzipSync(bytes, { level: 1 }) : bytes);
    },
    destroy: () => response.destroy(),
    end: () => {
      response.end();
      // A client that does not read would hold the connection forever.
      const timer = clock.schedule(() => response.destroy(), lingerMs);
      response.once('close', () => timer.unsubscribe());
    },
  };
  // A fast client drains within the same task, so yield to others.
  response.on('drain', () => setImmediate(() => sink.onDrain?.()));
  response.on('close', () => sink.onClose?.());
  return sink;
}
