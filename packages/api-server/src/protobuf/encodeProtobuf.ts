import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';
import { fieldsOfMessage, messageOfKind, type MessageField } from './messages.js';
import { WireWriter } from './wireWriter.js';

const schema = 'apiextensions/v1.JSONSchemaProps';
const listMeta = 'meta/v1.ListMeta';

interface NumberedField extends MessageField {
  readonly number: number;
}

const plans = new Map<string, readonly NumberedField[]>();

/** The fields of a message, the last number first. */
function backwards(message: string): readonly NumberedField[] {
  let plan = plans.get(message);
  if (plan === undefined) {
    plan = [...fieldsOfMessage(message)].map(([number, field]) => ({ number, ...field })).sort((a, b) => b.number - a.number);
    plans.set(message, plan);
  }
  return plan;
}

const isAbsent = (value: Json | undefined): value is null | undefined => value === undefined || value === null;
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : isAbsent(value) ? '' : JSON.stringify(value));
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : Number(value ?? 0) || 0);

function writeTime(writer: WireWriter, value: Json | undefined): void {
  if (typeof value !== 'string') return;
  const micros = /\.(\d{1,6})/.exec(value)?.[1] ?? '';
  writer.integer(2, Number(micros.padEnd(6, '0')) * 1_000);
  writer.integer(1, Math.floor(Date.parse(value) / 1_000));
}

function writeIntOrString(writer: WireWriter, value: Json | undefined): void {
  const isText = typeof value === 'string';
  writer.text(3, isText ? value : '');
  writer.integer(2, isText ? 0 : numberOf(value));
  writer.integer(1, isText ? 1 : 0);
}

function writeList(writer: WireWriter, number: number, type: string, values: Json | undefined): void {
  if (isJsonArray(values)) for (let at = values.length - 1; at >= 0; at -= 1) writeValue(writer, number, type, values[at]);
}

/** Messages that have another form in JSON; each writes the content of its message. */
const specialMessages: Readonly<Record<string, (writer: WireWriter, value: Json | undefined) => void>> = {
  time: writeTime,
  microtime: writeTime,
  quantity: (writer, value) => writer.text(1, textOf(value) || '0'),
  intstr: writeIntOrString,
  json: (writer, value) => {
    if (value !== undefined) writer.text(1, JSON.stringify(value));
  },
  items: (writer, value) => writeList(writer, 1, 's', value),
  schemaOrBool: (writer, value) => {
    if (isJsonObject(value)) writeValue(writer, 2, schema, value);
    writer.integer(1, value === false ? 0 : 1);
  },
  schemaOrArray: (writer, value) => {
    writeList(writer, 2, schema, value);
    if (isJsonObject(value)) writeValue(writer, 1, schema, value);
  },
  schemaOrTexts: (writer, value) => {
    writeList(writer, 2, 's', value);
    if (isJsonObject(value)) writeValue(writer, 1, schema, value);
  },
};

function writeValue(writer: WireWriter, number: number, type: string, value: Json | undefined): void {
  if (type === 's') writer.text(number, textOf(value));
  else if (type === 'i') writer.integer(number, numberOf(value));
  else if (type === 'b') writer.integer(number, value === true ? 1 : 0);
  else if (type === 'd') writer.double(number, numberOf(value));
  else if (type === 'y') writer.field(number, Buffer.from(textOf(value), 'base64'));
  else {
    const { size } = writer;
    const special = specialMessages[type];
    if (special === undefined) writeMessage(writer, type, isJsonObject(value) ? value : {});
    else special(writer, value);
    writer.headSince(number, size);
  }
}

function writeMap(writer: WireWriter, { number, type }: NumberedField, entries: JsonObject): void {
  for (const key of Object.keys(entries).sort().reverse()) {
    const { size } = writer;
    writeValue(writer, 2, type, entries[key]);
    writer.text(1, key);
    writer.headSince(number, size);
  }
}

/** Of absent fields, Go writes the zero value: but for pointers, and for bytes and lists that are nil. */
function isNothing(value: Json | undefined, { pointer, type }: MessageField): boolean {
  return isAbsent(value) && (pointer || type === 'y' || type === 'items');
}

function writeMessage(writer: WireWriter, message: string, object: JsonObject): void {
  for (const field of backwards(message)) {
    const { number, name, type, form } = field;
    const value = name === '.' ? object : object[name];
    if (form === 'list') writeList(writer, number, type, value);
    else if (form === 'map') writeMap(writer, field, isJsonObject(value) ? value : {});
    else if (!isNothing(value, field)) writeValue(writer, number, type, value);
  }
}

const shared = new WireWriter();

function messageBytes(message: string, object: JsonObject): Buffer {
  shared.begin();
  writeMessage(shared, message, object);
  return Buffer.from(shared.written);
}

/** The message of the items of a list; undefined for a kind that is not a list of built-in objects. */
function messageOfItems(apiVersion: string, kind: string): string | undefined {
  return kind.endsWith('List') ? messageOfKind(apiVersion, kind.slice(0, -'List'.length)) : undefined;
}

const magic = Buffer.from('k8s\0');
const nothing = Buffer.alloc(0);

/** The bytes of the envelope before and after a message of a given length. */
function envelopeOf(apiVersion: string, kind: string, length: number): readonly [head: Buffer, tail: Buffer] {
  const tail = new WireWriter();
  tail.text(4, '');
  tail.text(3, '');
  const names = new WireWriter();
  names.text(2, kind);
  names.text(1, apiVersion);
  const head = new WireWriter();
  head.headOf(2, length);
  head.field(1, names.written);
  return [Buffer.concat([magic, head.written]), tail.written];
}

function kindOf(value: JsonObject): readonly [apiVersion: string, kind: string] {
  return [textOf(value['apiVersion']), textOf(value['kind'])];
}

/**
 * A value in Kubernetes' protobuf encoding: an envelope with its type, around its message.
 *
 * @throws TypeError when its kind has no message.
 */
export function encodeProtobuf(value: JsonObject): Buffer {
  const [apiVersion, kind] = kindOf(value);
  // The lists of discovery name no version of their own.
  const message = messageOfKind(apiVersion || 'v1', kind);
  if (message === undefined) {
    const { items } = value;
    if (!isJsonArray(items)) throw new TypeError(`no protobuf message for ${apiVersion} ${kind}`);
    return Buffer.concat([
      ...encodeListProtobuf(
        value,
        items.map((item) => [Buffer.from(JSON.stringify(item))]),
      ),
    ]);
  }
  const bytes = messageBytes(message, value);
  const [head, tail] = envelopeOf(apiVersion, kind, bytes.length);
  return Buffer.concat([head, bytes, tail]);
}

/** Messages of stored objects, by the name of the message and the object's JSON: versions of a kind can share it. */
const encoded = new Map<string, WeakMap<Buffer, Buffer>>();

function itemBytes(message: string, parts: readonly Buffer[]): Buffer {
  // What stands before the object, and after a part of it, is the same for all.
  const body = parts[1] ?? parts[0] ?? nothing;
  const ofMessage = encoded.get(message) ?? new WeakMap<Buffer, Buffer>();
  encoded.set(message, ofMessage);
  let bytes = ofMessage.get(body);
  if (bytes === undefined) {
    bytes = messageBytes(message, JSON.parse(Buffer.concat(parts).toString()) as JsonObject);
    ofMessage.set(body, bytes);
  }
  return bytes;
}

/** A list in the protobuf encoding, its items given as JSON. Yields nothing after each item, so that the caller can pause. */
export function* encodeListProtobuf(list: JsonObject, items: Iterable<readonly Buffer[]>): Generator<Buffer, void, undefined> {
  const [apiVersion, kind] = kindOf(list);
  const message = messageOfItems(apiVersion, kind) ?? '';
  const meta = new WireWriter();
  writeValue(meta, 1, listMeta, list['metadata']);
  const parts = [meta.written];
  for (const item of items) {
    const bytes = itemBytes(message, item);
    const head = new WireWriter();
    head.headOf(2, bytes.length);
    parts.push(head.written, bytes);
    yield nothing;
  }
  const [head, tail] = envelopeOf(
    apiVersion,
    kind,
    parts.reduce((sum, { length }) => sum + length, 0),
  );
  yield* [head, ...parts, tail];
}

/** One event of a watch, given as JSON, prefixed by its length; its object has a separate envelope. */
export function encodeProtobufEvent(line: string): Buffer {
  const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: JsonObject };
  const raw = new WireWriter();
  raw.field(1, encodeProtobuf(object));
  const event = new WireWriter();
  event.field(2, raw.written);
  event.text(1, type);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.size);
  return Buffer.concat([length, event.written]);
}
