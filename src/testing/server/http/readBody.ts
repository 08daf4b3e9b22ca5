import type { IncomingMessage } from 'node:http';
import { badRequest, entityTooLarge } from '../status/statusErrors.js';

/** The API server's limit for the body of a request. */
export const bodyLimit = 3 * 1024 * 1024;

/** What is read and thrown away beyond the limit, so that the client gets to see the refusal. */
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
    request.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= bodyLimit) parts.push(part);
      else parts = [];
      if (size > discardLimit) request.destroy();
    });
    request.once('end', () => {
      if (size > bodyLimit) reject(entityTooLarge(bodyLimit));
      else resolve(parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts));
    });
    request.once('error', () => reject(badRequest('unable to read the body of the request')));
    request.once('close', () => reject(badRequest('the request ended before its body')));
  });
}
