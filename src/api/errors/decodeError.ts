import { brand } from '../brand.js';

/**
 * Bytes from the server that are not what was expected. The message names the mistake and its place, and quotes nothing of the content, which may
 * be a Secret.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code = 'ERR_DECODE';
  /** The offset in the body, in bytes, of the value that cannot be decoded. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} at byte ${position} of the body`);
    this.position = position;
  }
}

brand(DecodeError, 'DecodeError');
