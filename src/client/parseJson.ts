import { DecodeError } from '../api/errors/decodeError.js';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of bytes that are certainly ASCII. */
export function asciiOf(bytes: Uint8Array): string {
  return utf8.decode(bytes);
}

/**
 * Parses bytes as JSON.
 *
 * @throws DecodeError, which quotes none of the bytes.
 */
export function parseJson(json: Uint8Array, what: string, position: number): unknown {
  let text: string;
  try {
    text = utf8.decode(json);
  } catch {
    throw new DecodeError(`Expected ${what} to be UTF-8, got other bytes`, position);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new DecodeError(`Expected ${what} to be JSON, got something malformed`, position);
  }
}
