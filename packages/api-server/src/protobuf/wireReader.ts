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

/** What is known of a message: its name, and its fields by number, each with its name and wire type. */
export interface MessageShape {
  readonly name: string;
  readonly fields: ReadonlyMap<number, readonly [name: string, wireType: number]>;
}

interface Varint {
  readonly value: number;
  readonly next: number;
}

const groupStart = 3;
const groupEnd = 4;

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
  if (wireType === groupStart) return { value: 0, next: endOfGroup(bytes, at) };
  if (wireType !== 1 && wireType !== 5)
    throw new ProtobufError(wireType === groupEnd ? 'proto: unexpected end of group' : `proto: illegal wireType ${String(wireType)}`);
  const width = wireType === 1 ? 8 : 4;
  const fixed = bytesAt(bytes, at, width);
  return { value: wireType === 1 ? fixed.readDoubleLE() : fixed.readFloatLE(), next: at + width };
}

function endOfGroup(bytes: Buffer, start: number): number {
  let at = start;
  for (let depth = 1; depth > 0;) {
    const tag = varintAt(bytes, at);
    const wireType = tag.value & 7;
    if (wireType === groupStart) depth += 1;
    else if (wireType === groupEnd) depth -= 1;
    at = wireType === groupStart || wireType === groupEnd ? tag.next : valueAt(bytes, tag.next, wireType).next;
  }
  return at;
}

const anyMessage: MessageShape = { name: '', fields: new Map() };

/**
 * The fields of a message in order. Fixed-width numbers are floats in all messages that are read here.
 *
 * @throws ProtobufError with the words of Go's decoder.
 */
export function* fieldsOf(bytes: Buffer, { name, fields }: MessageShape = anyMessage): Generator<WireField, void, undefined> {
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    const number = Number(BigInt.asIntN(32, BigInt(tag.value) >> 3n));
    const wireType = tag.value & 7;
    if (wireType === groupEnd) throw new ProtobufError(`proto: ${name}: wiretype end group for non-group`);
    if (number < 1) throw new ProtobufError(`proto: ${name}: illegal tag ${String(number)} (wire type ${String(tag.value)})`);
    const [fieldName, expected = wireType] = fields.get(number) ?? [];
    if (expected !== wireType) throw new ProtobufError(`proto: wrong wireType = ${String(wireType)} for field ${String(fieldName)}`);
    const { value, next } = valueAt(bytes, tag.next, wireType);
    at = next;
    if (wireType !== groupStart) yield { number, value };
  }
}
