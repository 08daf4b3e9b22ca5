import { DecodeError } from '../../api/errors/decodeError.js';

const minBytes = 1_024;
/** Larger buffers are not kept for the next value. */
const maxKept = 1024 * 1024;

/**
 * Collects the bytes of one value that arrives in several chunks.
 */
export class PendingBytes {
  length = 0;
  private readonly limit: number;
  private readonly what: string;
  private memory: Uint8Array = new Uint8Array(0);

  /** @param what - names what is limited to `limit` bytes, for errors. */
  constructor(limit: number, what: string) {
    this.limit = limit;
    this.what = what;
  }

  /**
   * Appends the next chunk.
   *
   * @param position - the position of the value in the body.
   * @throws DecodeError when the value exceeds the limit.
   */
  push(part: Uint8Array, position: number): void {
    const length = this.length + part.length;
    if (length > this.limit) throw new DecodeError(`Expected ${this.what} to have at most ${this.limit} bytes, got more`, position);
    if (length > this.memory.length) {
      const larger = new Uint8Array(Math.max(minBytes, 2 * length));
      larger.set(this.memory.subarray(0, this.length));
      this.memory = larger;
    }
    this.memory.set(part, this.length);
    this.length = length;
  }

  /** Returns the collected value, valid until the next `push`, and starts anew. */
  take(): Uint8Array {
    const { length, memory } = this;
    this.length = 0;
    if (memory.length > maxKept) this.memory = new Uint8Array(0);
    return memory.subarray(0, length);
  }
}
