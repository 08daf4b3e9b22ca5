/** An invalid or incomplete protobuf message. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
  /** The kind and version of the object whose message it is; undefined for the envelope around it. */
  within: readonly [kind: string, version: string] | undefined;
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
  for (let at = start; at < start + 10; at += 1) {
    if (at >= bytes.length) throw new ProtobufError('unexpected EOF');
    const byte = bytes.readUInt8(at);
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), next: at + 1 };
  }
  throw new ProtobufError('proto: integer overflow');
}

function bytesAt(bytes: Buffer, start: number, length: number): Buffer {
  if (length < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
  if (start + length > bytes.length) throw new ProtobufError('unexpected EOF');
  return bytes.subarray(start, start + length);
}

/** The value of a field after its tag, and the position of the next field. */
function valueAt(bytes: Buffer, at: number, wireType: number): { readonly value: number | Buffer; readonly next: number } {
  if (wireType === 0) return varintAt(bytes, at);
  if (wireType === 2) {
    const { value: length, next } = varintAt(bytes, at);
    return { value: bytesAt(bytes, next, length), next: next + length };
  }
  if (wireType !== 1 && wireType !== 5) throw new ProtobufError(`proto: illegal wireType ${String(wireType)}`);
  const width = wireType === 1 ? 8 : 4;
  const fixed = bytesAt(bytes, at, width);
  return { value: wireType === 1 ? fixed.readDoubleLE() : fixed.readFloatLE(), next: at + width };
}

/**
 * The fields of a message in order. Fixed-width numbers are floats in all messages that are read here.
 *
 * @throws ProtobufError
 */
export function* fieldsOf(bytes: Buffer): Generator<WireField, void, undefined> {
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    const number = Number(BigInt.asIntN(32, BigInt(tag.value) >> 3n));
    if (number < 1) throw new ProtobufError(`proto: illegal tag ${String(number)}`);
    const { value, next } = valueAt(bytes, tag.next, tag.value & 7);
    at = next;
    yield { number, value };
  }
}
