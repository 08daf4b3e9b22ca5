import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import type { BodyWriter } from '../hooks.js';
import { sliceMs } from '../read/yieldNow.js';

const writeSize = 256 * 1024;

/**
 * Gathers small parts into chunks of a size worth a write, so that neither memory nor the event loop sees the whole body at once. Parts that take
 * long to make are a chunk earlier.
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
 * Writes to the response itself, as fast as the client reads. Everybody else has a turn of the event loop after each write: where the client is fast,
 * "drain" alone comes without one.
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
