import { jsonType, parseJson, type Json, type JsonObject } from '../json.js';
import { badRequest, unsupportedMediaType } from '../status/statusErrors.js';
import { decodeProtobuf } from '../protobuf/decodeProtobuf.js';
import { ProtobufError } from '../protobuf/wireReader.js';
import { parseMediaType } from './mediaTypes.js';
import { parseYaml } from './parseYaml.js';

const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const;

/** The error of a text that is not JSON. It shows nothing of the text, which can be secret. */
export function jsonProblem(error: unknown): string {
  const [, position] = /at position (\d+)/.exec(String(error)) ?? [];
  if (position !== undefined) return `invalid JSON at character ${position}`;
  return /end of JSON|Unterminated/.test(String(error)) ? 'invalid JSON: it ends early' : 'invalid JSON';
}

const wellFormed = /^[^\s;,]+\/[^\s;,]+(\s*;\s*[^\s;=]+=("[^"]*"|[^\s;"]*))*\s*;?$/;

/**
 * The type of a body that is an object; without a Content-Type it is JSON.
 *
 * @throws StatusError 415 for a type that is not accepted.
 */
export function objectTypeOf(contentType = ''): (typeof objectTypes)[number] {
  const { type } = parseMediaType(contentType === '' ? 'application/json' : contentType);
  const found = objectTypes.find((one) => one === type);
  if (found === undefined || (contentType !== '' && !wellFormed.test(contentType.trim()))) throw unsupportedMediaType(objectTypes);
  return found;
}

/**
 * The value in the body of a create, replace or delete. Without a Content-Type, it is read as JSON.
 *
 * @param expected - the kind of the value, which protobuf may leave out.
 * @throws the parser's error, and a StatusError 415 for an unsupported type.
 */
export function decodeBody(contentType: string | undefined, body: Buffer, expected?: readonly [apiVersion: string, kind: string]): Json {
  const type = objectTypeOf(contentType);
  if (type === 'application/yaml') return parseYaml(body.toString()).value;
  if (type === 'application/vnd.kubernetes.protobuf') return parseJson(JSON.stringify(decodeProtobuf(body, expected)));
  return parseJson(body.toString());
}

/** The error of an object whose kind or apiVersion is no text; `''` if both are texts or null. */
export function kindTypeProblem(object: JsonObject): string {
  for (const [name, value = null] of Object.entries(object)) {
    if ((name !== 'kind' && name !== 'apiVersion') || value === null || typeof value === 'string') continue;
    return `${name}: expected a string, got ${jsonType(value)}`;
  }
  return '';
}

/** The error of a body that is no object, and so has no kind. */
export function kindlessProblem(value: Json): string {
  return `expected an object, got ${jsonType(value)}`;
}

/** The beginning of a body in a message: as text if it begins like an object, otherwise in hexadecimal digits. */
export function excerptOf(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const text = body.subarray(0, 30).toString(body[0] === 0x7b ? 'utf8' : 'hex');
  return body.length > 30 ? `${text} ...` : text;
}

/** The error of a body that cannot be decoded. */
export function undecodable(kind: string, body: Buffer, error: unknown): Error {
  const [found, version] = (error instanceof ProtobufError ? error.within : undefined) ?? [];
  if (found !== undefined && error instanceof ProtobufError)
    return badRequest(`${found} in version "${String(version)}" cannot be handled as a ${kind}: ${error.message}`);
  const problem = error instanceof ProtobufError ? error.message : jsonProblem(error);
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${problem} (${excerptOf(body)})`);
}
