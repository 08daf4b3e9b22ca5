/**
 * Turns the bytes of one body into values, as they arrive. Each body gets a decoder of its own.
 */
export interface Decoder<T> {
  /**
   * Takes the next bytes, cut anywhere, and emits the values that they complete.
   *
   * @throws DecodeError at the first value that cannot be decoded; those before it have been emitted.
   */
  push(chunk: Uint8Array, emit: (value: T) => void): void;
  /**
   * The body is complete.
   *
   * @throws DecodeError when it must not end here.
   */
  end(emit: (value: T) => void): void;
}
