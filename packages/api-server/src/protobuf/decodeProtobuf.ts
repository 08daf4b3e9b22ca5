import type { Json, JsonObject } from '../json.js';
import { fieldsOfMessage, messageOfKind, type MessageField } from './messages.js';
import { fieldsOf, ProtobufError } from './wireReader.js';

type Fields = ReadonlyMap<number, number | Buffer>;

const schema = 'apiextensions/v1.JSONSchemaProps';

/** The last value of each field. */
function lastOf(bytes: Buffer): Fields {
  return new Map([...fieldsOf(bytes)].map(({ number, value }) => [number, value]));
}

function numberOf(value: number | Buffer | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function textOf(value: number | Buffer | undefined): string {
  return Buffer.isBuffer(value) ? value.toString() : '';
}

/** A time; Go encodes an unset time as an empty message. */
function timeOf(bytes: Buffer, micro: boolean): Json | undefined {
  if (bytes.length === 0) return undefined;
  const fields = lastOf(bytes);
  const seconds = numberOf(fields.get(1));
  const date = new Date(seconds * 1_000);
  if (Number.isNaN(date.getTime())) throw new ProtobufError(`illegal time ${String(seconds)}`);
  const text = date.toISOString().slice(0, 19);
  const micros = String(Math.floor(numberOf(fields.get(2)) / 1_000)).padStart(6, '0');
  return micro ? `${text}.${micros}Z` : `${text}Z`;
}

function jsonOf(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(textOf(lastOf(bytes).get(1))) as Json;
  } catch {
    return undefined;
  }
}

/** The values of a repeated field, each decoded. */
function listIn(bytes: Buffer, wanted: number, type: string): readonly Json[] {
  return [...fieldsOf(bytes)].filter(({ number }) => number === wanted).map(({ value }) => valueOf(type, value) ?? null);
}

/** A schema, or the alternative that the field allows instead. */
function schemaOr(bytes: Buffer, number: number, other: (value: Fields) => Json): Json {
  const fields = lastOf(bytes);
  const inner = fields.get(number);
  return Buffer.isBuffer(inner) ? objectOf(schema, inner) : other(fields);
}

const specialTypes: Readonly<Record<string, (bytes: Buffer) => Json | undefined>> = {
  s: (bytes) => bytes.toString(),
  y: (bytes) => bytes.toString('base64'),
  time: (bytes) => timeOf(bytes, false),
  microtime: (bytes) => timeOf(bytes, true),
  quantity: (bytes) => textOf(lastOf(bytes).get(1)) || '0',
  intstr: (bytes) => {
    const fields = lastOf(bytes);
    return numberOf(fields.get(1)) === 0 ? numberOf(fields.get(2)) : textOf(fields.get(3));
  },
  json: jsonOf,
  items: (bytes) => listIn(bytes, 1, 's'),
  schemaOrBool: (bytes) => schemaOr(bytes, 2, (fields) => numberOf(fields.get(1)) !== 0),
  schemaOrArray: (bytes) => schemaOr(bytes, 1, () => listIn(bytes, 2, schema)),
  schemaOrTexts: (bytes) => schemaOr(bytes, 1, () => listIn(bytes, 2, 's')),
};

function valueOf(type: string, value: number | Buffer): Json | undefined {
  if (typeof value === 'number') return type === 'b' ? value !== 0 : value;
  const special = specialTypes[type];
  return special === undefined ? objectOf(type, value) : special(value);
}

/** Whether Go's JSON encoder omits a value. It never omits quantities, int-or-strings and lists. */
function isLeftOut(value: Json, { type, zeros }: MessageField): boolean {
  if (zeros || type === 'quantity' || type === 'intstr') return false;
  if (value === '' || value === 0 || value === false) return true;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function mapEntry(type: string, bytes: Buffer): readonly [string, Json] {
  const fields = lastOf(bytes);
  return [textOf(fields.get(1)), valueOf(type, fields.get(2) ?? Buffer.alloc(0)) ?? null];
}

function objectOf(message: string, bytes: Buffer): JsonObject {
  const known = fieldsOfMessage(message);
  const result = new Map<string, Json>();
  for (const { number, value } of fieldsOf(bytes)) {
    const field = known.get(number);
    if (field === undefined) continue;
    const { name, type, form } = field;
    if (form === 'map') {
      if (!Buffer.isBuffer(value)) continue;
      const [key, content] = mapEntry(type, value);
      result.set(name, { ...(result.get(name) as JsonObject | undefined), [key]: content });
      continue;
    }
    const decoded = valueOf(type, value);
    if (form === 'list') result.set(name, [...((result.get(name) as readonly Json[] | undefined) ?? []), decoded ?? null]);
    else if (name === '.') for (const [inner, content] of Object.entries(decoded as JsonObject)) result.set(inner, content ?? null);
    else if (decoded !== undefined && !isLeftOut(decoded, field)) result.set(name, decoded);
  }
  return Object.fromEntries(result);
}

const magic = Buffer.from('k8s\0');

function messageIn(message: string, raw: Buffer, kind: string, version: string): JsonObject {
  try {
    return objectOf(message, raw);
  } catch (error) {
    if (error instanceof ProtobufError) error.within = [kind, version];
    throw error;
  }
}

/**
 * Decodes an object in Kubernetes' protobuf encoding, as Go clients send it: an envelope with the type, around the message.
 *
 * @param expected - the version and kind that the envelope may leave out.
 * @returns the object as JSON; without fields when its kind is not a built-in one.
 * @throws ProtobufError when it cannot be decoded.
 */
export function decodeProtobuf(body: Buffer, expected: readonly [apiVersion: string, kind: string] = ['', '']): JsonObject {
  if (body.length === 0) throw new ProtobufError('empty data');
  if (!body.subarray(0, magic.length).equals(magic))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  if (body.length === magic.length) throw new ProtobufError('empty body');
  const envelope = lastOf(body.subarray(magic.length));
  const [typeMeta, raw] = [envelope.get(1), envelope.get(2)];
  const names = Buffer.isBuffer(typeMeta) ? lastOf(typeMeta) : new Map<number, Buffer>();
  const [ownVersion, kind] = [textOf(names.get(1)), textOf(names.get(2)) || expected[1]];
  const apiVersion = ownVersion === '' || ownVersion.split('/').length > 2 ? expected[0] : ownVersion;
  const message = messageOfKind(apiVersion, kind);
  const content = message !== undefined && Buffer.isBuffer(raw) ? messageIn(message, raw, kind, apiVersion.split('/').at(-1) ?? '') : {};
  return { apiVersion, kind, ...content };
}
