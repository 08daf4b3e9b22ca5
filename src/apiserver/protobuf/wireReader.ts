/** An invalid or incomplete protobuf message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** One field of a message: a number, or bytes. */
export interface WireField {
  readonly number: number;
  readonly value: number | Buffer;
}

interface Varint {
  readonly value: number;
  readonly next: number;
}

function varintAt(bytes: Buffer, start: number): Varint {
  let value = 0n;
  for (let at = start; at < bytes.length && at < start + 10; at += 1) {
    const byte = bytes.readUInt8(at);
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), next: at + 1 };
  }
  throw new ProtobufError('unexpected EOF');
}

function bytesAt(bytes: Buffer, start: number, length: number): Buffer {
  if (length < 0 || start + length > bytes.length) throw new ProtobufError('unexpected EOF');
  return bytes.subarray(start, start + length);
}

/** The fields of a message in order. Fixed-width numbers are floats in all messages that are read here. */
export function* fieldsOf(bytes: Buffer): Generator<WireField, void, undefined> {
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    const number = Math.floor(tag.value / 8);
    const type = tag.value & 7;
    at = tag.next;
    if (number < 1) throw new ProtobufError(`illegal tag ${String(number)} (wire type ${String(type)})`);
    if (type === 0) {
      const { value, next } = varintAt(bytes, at);
      at = next;
      yield { number, value };
    } else if (type === 2) {
      const { value: length, next } = varintAt(bytes, at);
      const value = bytesAt(bytes, next, length);
      at = next + length;
      yield { number, value };
    } else if (type === 1 || type === 5) {
      const width = type === 1 ? 8 : 4;
      const fixed = bytesAt(bytes, at, width);
      at += width;
      yield { number, value: type === 1 ? fixed.readDoubleLE() : fixed.readFloatLE() };
    } else throw new ProtobufError(`illegal wireType ${String(type)}`);
  }
}
