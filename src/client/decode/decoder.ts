/**
 * Turns the bytes of one body into values, as they arrive. Each body gets a decoder of its own.
 */
export interface Decoder<T> {
  /**
   * Takes the next bytes, which may end in the middle of a value, and emits the values that they complete.
   *
   * @throws DecodeError at the first value that cannot be decoded; those before it have been emitted.
   */
  push(chunk: Uint8Array, emit: (value: T) => void): void;
  /**
   * The body has ended.
   *
   * @throws DecodeError when the body is cut off.
   */
  end(emit: (value: T) => void): void;
}
