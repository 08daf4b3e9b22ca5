import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../api/clock.js';
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

/**
 * Sends events as lines of a chunked answer.
 *
 * @param clock - limits the time in which a client must read the end.
 * @param gzip - whether each part is a gzip member of its own.
 */
export function createStreamSink(response: ServerResponse, clock: Clock, gzip = false): WatchSink {
  const sink: WatchSink = {
    onDrain: undefined,
    onClose: undefined,
    send: (frames: readonly WatchFrame[]) => {
      if (response.destroyed || response.writableEnded) return true;
      const bytes = bytesOf(frames);
      return response.write(gzip ? gzipSync(bytes, { level: 1 }) : bytes);
    },
    destroy: () => response.destroy(),
    end: () => {
      response.end();
      // A client that does not read would hold the connection for ever.
      const timer = clock.schedule(() => response.destroy(), lingerMs);
      response.once('close', () => timer.unsubscribe());
    },
  };
  // A fast client drains within the same task, so yield to others.
  response.on('drain', () => setImmediate(() => sink.onDrain?.()));
  response.on('close', () => sink.onClose?.());
  return sink;
}
