import type { IncomingMessage } from 'node:http';
import { badRequest, entityTooLarge } from '../status/statusErrors.js';

/** The API server's limit for the body of a request. */
export const bodyLimit: number = 3 * 1024 * 1024;

/** How much beyond the limit is read and discarded, so that the client receives the error. */
const discardLimit = 64 * 1024 * 1024;

/**
 * Reads a whole request body.
 *
 * @throws StatusError 413 when it is too large.
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    let size = 0;
    const take = (part: Buffer): void => {
      size += part.length;
      if (size <= bodyLimit) parts.push(part);
      else parts = [];
      if (size > discardLimit) request.destroy();
    };
    const end = (): void => {
      if (size > bodyLimit) reject(entityTooLarge(bodyLimit));
      else resolve(parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts));
    };
    // `close` is emitted for every request; if the body was read, the promise is already settled.
    const close = (): void => {
      if (!request.readableEnded) reject(badRequest('the request ended before its body'));
    };
    request.on('data', take).on('end', end).on('close', close);
  });
}
