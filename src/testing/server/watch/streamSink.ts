import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { WatchFrame, WatchSink } from './watchSink.js';

/** How long a client may take to read what it was sent before the end. */
const lingerMs = 10_000;

/**
 * Sends events as lines of a chunked answer.
 *
 * @param gzip - whether each part is a gzip member of its own.
 */
export function createStreamSink(response: ServerResponse, gzip = false): WatchSink {
  const sink: WatchSink = {
    onDrain: undefined,
    onClose: undefined,
    send: (frames: readonly WatchFrame[]) => {
      if (response.destroyed || response.writableEnded) return true;
      const bytes = Buffer.concat(frames.flatMap((frame) => frame.parts));
      return response.write(gzip ? gzipSync(bytes, { level: 1 }) : bytes);
    },
    destroy: () => response.destroy(),
    end: () => {
      response.end();
      // A client that does not read would hold the connection for ever.
      const timer = setTimeout(() => response.destroy(), lingerMs);
      timer.unref();
      response.once('close', () => clearTimeout(timer));
    },
  };
  // A client that reads fast drains without a turn of the event loop, and nobody else would have one.
  response.on('drain', () => setImmediate(() => sink.onDrain?.()));
  response.on('close', () => sink.onClose?.());
  return sink;
}
