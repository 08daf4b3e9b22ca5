import { stringify } from 'yaml';
import { asJsonObject, asString, isJsonObject, type Json, type JsonObject } from '../json.js';
import { listAt } from 'rx-informer/internal';

/** Bytes, one per character: V8 concatenates strings without copying them, unlike buffers. */
type Bytes = string;

/** One field of a message: its number, and the bytes of a string or of another message. */
type Field = readonly [number, Bytes];

function varint(value: number): Bytes {
  return value > 127 ? String.fromCharCode((value & 127) | 128) + varint(value >>> 7) : String.fromCharCode(value);
}

/** The tag and length of a field. */
function header(number: number, length: number): Bytes {
  return varint((number << 3) | 2) + varint(length);
}

function utf8(value: string): Bytes {
  return Buffer.byteLength(value) === value.length ? value : Buffer.from(value).toString('latin1');
}

function message(...fields: readonly (Field | undefined)[]): Bytes {
  let bytes = '';
  for (const field of fields) {
    if (field === undefined) continue;
    const [number, value] = field;
    bytes += header(number, value.length) + value;
  }
  return bytes;
}

function text(number: number, value: Json | undefined): Field | undefined {
  return typeof value === 'string' && value !== '' ? [number, utf8(value)] : undefined;
}

const yamls = new Map<string, string>();

/** A value of any type, encoded as YAML. */
function any(value: Json): Bytes {
  const key = JSON.stringify(value);
  const yaml = yamls.get(key) ?? stringify(value);
  yamls.set(key, yaml);
  return message([2, utf8(yaml)]);
}

function named(name: string, value: Bytes): Bytes {
  return message([1, utf8(name)], [2, value]);
}

function extensions(number: number, object: JsonObject): readonly Field[] {
  return Object.entries(object).flatMap(([name, value]): Field[] =>
    name.startsWith('x-') && value !== undefined ? [[number, named(name, any(value))]] : [],
  );
}

function schema(value: JsonObject): Bytes {
  const { $ref, format, description, default: given, required, enum: allowed, additionalProperties, type, items, properties } = value;
  return message(
    text(1, $ref),
    text(2, format),
    text(4, description),
    given === undefined ? undefined : [5, any(given)],
    ...listAt(required).map((name): Field => [19, utf8(asString(name))]),
    ...listAt(allowed).map((one): Field => [20, any(one)]),
    isJsonObject(additionalProperties) ? [21, message([1, schema(additionalProperties)])] : undefined,
    typeof type === 'string' ? [22, message([1, utf8(type)])] : undefined,
    isJsonObject(items) ? [23, message([1, schema(items)])] : undefined,
    isJsonObject(properties) ? [25, members(properties)] : undefined,
    ...extensions(31, value),
  );
}

function members(schemas: JsonObject): Bytes {
  return message(...Object.entries(schemas).map(([name, inner]): Field => [1, named(name, schema(asJsonObject(inner)))]));
}

/** The encoded fields of some schemas, for the whole message. */
export function definitionFields(definitions: JsonObject): Buffer {
  return Buffer.from(members(definitions), 'latin1');
}

function parameter(value: Json): Bytes {
  const { name, type, in: place } = asJsonObject(value);
  const query = message(text(2, place), text(4, name), text(6, type));
  return message([1, message([2, message([3, query])])]);
}

function operation(value: JsonObject): Bytes {
  const { operationId, parameters } = value;
  const ok = message([1, message([1, 'OK'])]);
  return message(
    text(5, operationId),
    ...listAt(parameters).map((one): Field => [8, parameter(one)]),
    [9, message([1, named('200', ok)])],
    ...extensions(13, value),
  );
}

const methods: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function pathItem(value: JsonObject): Bytes {
  return message(
    ...Object.entries(value).map(([method, one]): Field | undefined => {
      const number = methods[method];
      return number === undefined ? undefined : [number, operation(asJsonObject(one))];
    }),
  );
}

/** The encoded fields of some paths, for the whole message. */
export function pathFields(paths: JsonObject): Buffer {
  const fields = Object.entries(paths).map(([path, item]): Field => [2, named(path, pathItem(asJsonObject(item)))]);
  return Buffer.from(message(...fields), 'latin1');
}

/** The whole document, from the encoded fields of paths and definitions. */
export function wholeMessage({ title, version }: JsonObject, paths: readonly Buffer[], definitions: readonly Buffer[]): Buffer {
  const part = (number: number, fields: readonly Buffer[]): readonly Buffer[] => {
    const length = fields.reduce((sum, field) => sum + field.length, 0);
    return [Buffer.from(header(number, length), 'latin1'), ...fields];
  };
  const first = message([1, '2.0'], [2, message(text(1, title), text(2, version))]);
  return Buffer.concat([Buffer.from(first, 'latin1'), ...part(8, paths), ...part(9, definitions)]);
}
