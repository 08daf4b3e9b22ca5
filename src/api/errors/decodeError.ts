import { brand } from '../brand.js';

/**
 * Invalid data from the server. The message describes the error and its position without quoting the content, which may
 * be a Secret.
 *
 * Errors of both builds of this package (ES modules and CommonJS) are instances of each other.
 */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
  readonly code = 'ERR_DECODE';
  /** The offset of the invalid value in the body, in bytes. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message} at byte ${position} of the body`);
    this.position = position;
  }
}

brand(DecodeError, 'DecodeError');
