const maxKept = 64 * 1024;

/**
 * Writes a message from its end to its beginning: the length of an inner message is known when its own head is written.
 */
export class WireWriter {
  private bytes = Buffer.allocUnsafe(512);
  private start = this.bytes.length;

  /** The number of bytes so far. */
  get size(): number {
    return this.bytes.length - this.start;
  }

  /** What was written. */
  get written(): Buffer {
    return this.bytes.subarray(this.start);
  }

  /** Forgets what was written, and the room of a large message. */
  begin(): void {
    if (this.bytes.length > maxKept) this.bytes = Buffer.allocUnsafe(maxKept);
    this.start = this.bytes.length;
  }

  /** Writes bytes with the head of their field. */
  field(number: number, content: Buffer): void {
    const at = this.place(content.length);
    this.bytes.set(content, at);
    this.headOf(number, content.length);
  }

  /** Writes a text with the head of its field. */
  text(number: number, text: string): void {
    const length = text === '' ? 0 : Buffer.byteLength(text);
    const at = this.place(length);
    if (length > 0) this.bytes.write(text, at, length, 'utf8');
    this.headOf(number, length);
  }

  /** Writes the head of a field of some length. */
  headOf(number: number, length: number): void {
    this.varint(length);
    this.varint(number * 8 + 2);
  }

  /** Writes the head of a field that everything since a size belongs to. */
  headSince(number: number, size: number): void {
    this.headOf(number, this.size - size);
  }

  /** Writes a number as a varint with the head of its field. */
  integer(number: number, value: number): void {
    this.varint(value);
    this.varint(number * 8);
  }

  /** Writes a 64-bit float with the head of its field. */
  double(number: number, value: number): void {
    const at = this.place(8);
    this.bytes.writeDoubleLE(value, at);
    this.varint(number * 8 + 1);
  }

  private varint(value: number): void {
    if (value >= 0 && value < 0x80) {
      const at = this.place(1);
      this.bytes[at] = value;
    } else if (value >= 0 && value < 0x4000) {
      const at = this.place(2);
      this.bytes[at] = (value & 0x7f) | 0x80;
      this.bytes[at + 1] = value >> 7;
    } else this.longVarint(value);
  }

  private longVarint(value: number): void {
    const parts: number[] = [];
    let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
    for (; rest >= 0x80n; rest >>= 7n) parts.push(Number(rest & 0x7fn) | 0x80);
    const at = this.place(parts.length + 1);
    this.bytes.set([...parts, Number(rest)], at);
  }

  /** Makes room before what was written; returns where it begins. */
  private place(length: number): number {
    if (this.start < length) {
      const larger = Buffer.allocUnsafe(2 * this.bytes.length + length);
      const { size } = this;
      this.written.copy(larger, larger.length - size);
      this.bytes = larger;
      this.start = larger.length - size;
    }
    this.start -= length;
    return this.start;
  }
}
