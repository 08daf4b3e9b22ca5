import { stringify } from 'yaml';
import { asJsonObject, asString, isJsonArray, isJsonObject, type Json, type JsonObject } from '../json.js';

/** One field of a message: its number, and a string, a boolean, or the bytes of another message. */
type Field = readonly [number, string | boolean | Buffer];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  return Buffer.from([...bytes, rest]);
}

function fieldBytes([number, value]: Field): readonly Buffer[] {
  if (typeof value === 'boolean') return [varint(number << 3), varint(value ? 1 : 0)];
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return [varint((number << 3) | 2), varint(bytes.length), bytes];
}

function message(...fields: readonly (Field | undefined)[]): Buffer {
  return Buffer.concat(fields.flatMap((field) => (field === undefined ? [] : fieldBytes(field))));
}

function text(number: number, value: Json | undefined): Field | undefined {
  return typeof value === 'string' && value !== '' ? [number, value] : undefined;
}

const yamls = new Map<string, string>();

/** A value of any type, encoded as YAML. */
function any(value: Json): Buffer {
  const key = JSON.stringify(value);
  const yaml = yamls.get(key) ?? stringify(value);
  yamls.set(key, yaml);
  return message([2, yaml]);
}

function named(name: string, value: Buffer): Buffer {
  return message([1, name], [2, value]);
}

function extensions(number: number, object: JsonObject): readonly Field[] {
  return Object.entries(object).flatMap(([name, value]): Field[] =>
    name.startsWith('x-') && value !== undefined ? [[number, named(name, any(value))]] : [],
  );
}

function list(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

function schema(value: JsonObject): Buffer {
  const { $ref, format, description, default: given, required, enum: allowed, additionalProperties, type, items, properties } = value;
  return message(
    text(1, $ref),
    text(2, format),
    text(4, description),
    given === undefined ? undefined : [5, any(given)],
    ...list(required).map((name): Field => [19, asString(name)]),
    ...list(allowed).map((one): Field => [20, any(one)]),
    isJsonObject(additionalProperties) ? [21, message([1, schema(additionalProperties)])] : undefined,
    typeof type === 'string' ? [22, message([1, type])] : undefined,
    isJsonObject(items) ? [23, message([1, schema(items)])] : undefined,
    isJsonObject(properties) ? [25, definitionFields(properties)] : undefined,
    ...extensions(31, value),
  );
}

/** The encoded fields of some schemas, for the whole message. */
export function definitionFields(properties: JsonObject): Buffer {
  return message(...Object.entries(properties).map(([name, inner]): Field => [1, named(name, schema(asJsonObject(inner)))]));
}

function parameter(value: Json): Buffer {
  const { name, type, in: place } = asJsonObject(value);
  const query = message(text(2, place), text(4, name), text(6, type));
  return message([1, message([2, message([3, query])])]);
}

function operation(value: JsonObject): Buffer {
  const { operationId, parameters } = value;
  const ok = message([1, message([1, 'OK'])]);
  return message(
    text(5, operationId),
    ...list(parameters).map((one): Field => [8, parameter(one)]),
    [9, message([1, named('200', ok)])],
    ...extensions(13, value),
  );
}

const methods: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function pathItem(value: JsonObject): Buffer {
  return message(
    ...Object.entries(value).map(([method, one]): Field | undefined => {
      const number = methods[method];
      return number === undefined ? undefined : [number, operation(asJsonObject(one))];
    }),
  );
}

/** The encoded fields of some paths, for the whole message. */
export function pathFields(paths: JsonObject): Buffer {
  return message(...Object.entries(paths).map(([path, item]): Field => [2, named(path, pathItem(asJsonObject(item)))]));
}

/** The whole document, from the encoded fields of paths and definitions. */
export function wholeMessage({ title, version }: JsonObject, paths: readonly Buffer[], definitions: readonly Buffer[]): Buffer {
  return message([1, '2.0'], [2, message(text(1, title), text(2, version))], [8, Buffer.concat(paths)], [9, Buffer.concat(definitions)]);
}
