import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { BodyWriter } from '../hooks.js';
import { sliceMs } from '../read/yieldNow.js';

const writeSize = 256 * 1024;

/**
 * Combines small parts into chunks, so that neither memory nor the event loop handles the whole body at once. A chunk ends at `writeSize`,
 * or when `sliceMs` have passed.
 */
export function* chunked(parts: Iterable<Buffer>): Generator<Buffer, void, undefined> {
  let gathered: Buffer[] = [];
  let size = 0;
  let sliceEnd = performance.now() + sliceMs;
  for (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size < writeSize && performance.now() < sliceEnd) continue;
    yield Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
    sliceEnd = performance.now() + sliceMs;
  }
  if (gathered.length > 0) yield Buffer.concat(gathered);
}

/**
 * Writes to the response, as fast as the client reads. Yields to the event loop after each write, since with a fast client "drain" may be
 * emitted without a turn of the event loop.
 */
export function responseWriter(response: ServerResponse, gzip: boolean): BodyWriter {
  const stream = gzip ? createGzip({ level: 1 }) : response;
  if (gzip) stream.pipe(response);
  return {
    write: (bytes) =>
      new Promise((resolve) => {
        if (response.destroyed) {
          resolve();
          return;
        }
        if (stream.write(bytes)) {
          setImmediate(resolve);
          return;
        }
        const done = (): void => {
          stream.off('drain', done);
          response.off('close', done);
          setImmediate(resolve);
        };
        stream.on('drain', done);
        response.on('close', done);
      }),
    end: () => stream.end(),
  };
}
