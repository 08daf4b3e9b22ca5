import { DecodeError } from '../../api/errors/decodeError.js';

const leastBytes = 1_024;
/** More memory than that is not kept for the next value. */
const mostKept = 1024 * 1024;

/**
 * The bytes of one value that comes in several parts, copied into memory that grows with them.
 */
export class PendingBytes {
  length = 0;
  private readonly limit: number;
  private readonly what: string;
  private memory: Uint8Array = new Uint8Array(0);

  /** @param what - what may have `limit` bytes at most, for errors. */
  constructor(limit: number, what: string) {
    this.limit = limit;
    this.what = what;
  }

  /**
   * Takes the next part.
   *
   * @param position - where the value begins in the body.
   * @throws DecodeError when it has become too long.
   */
  push(part: Uint8Array, position: number): void {
    const length = this.length + part.length;
    if (length > this.limit) throw new DecodeError(`Expected ${this.what} to have at most ${this.limit} bytes, got more`, position);
    if (length > this.memory.length) {
      const larger = new Uint8Array(Math.max(leastBytes, 2 * length));
      larger.set(this.memory.subarray(0, this.length));
      this.memory = larger;
    }
    this.memory.set(part, this.length);
    this.length = length;
  }

  /** Returns the value, which holds until the next part comes, and begins with the next one. */
  take(): Uint8Array {
    const { length, memory } = this;
    this.length = 0;
    if (memory.length > mostKept) this.memory = new Uint8Array(0);
    return memory.subarray(0, length);
  }
}
