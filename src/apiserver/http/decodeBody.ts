import { parseJson, type Json } from '../json.js';
import { badRequest, unsupportedMediaType } from '../status/statusErrors.js';
import { decodeProtobuf } from '../protobuf/decodeProtobuf.js';
import { ProtobufError } from '../protobuf/wireReader.js';
import { parseMediaType } from './mediaTypes.js';
import { parseYaml } from './parseYaml.js';

const objectTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'] as const;

// The messages of V8's parser, and the corresponding messages of Go's decoder about the position of a character.
const places: readonly (readonly [RegExp, string])[] = [
  [/after property value/, 'after object key:value pair'],
  [/after property name/, 'after object key'],
  [/property name/, 'looking for beginning of object key string'],
  [/after array element/, 'after array element'],
  [/non-whitespace character after JSON/, 'after top-level value'],
];

/** A character as Go quotes it. */
function quotedCharacter(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 || (code > 0x7e && code < 0xa0) ? `\\u${code.toString(16).padStart(4, '0')}` : character;
}

/** The error of a text that is not JSON, in the words of Go's decoder where they can be derived. */
export function jsonProblem(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = /at position (\d+)/.exec(message)?.[1];
  const unexpected =
    /Unexpected token '(.)'/su.exec(message)?.[1] ?? (position === undefined ? text.trimStart().charAt(0) : text.charAt(Number(position)));
  if (unexpected === '' || /end of JSON|Unterminated/.test(message)) return 'unexpected end of JSON input';
  const place = places.find(([pattern]) => pattern.test(message))?.[1] ?? 'looking for beginning of value';
  return `invalid character '${quotedCharacter(unexpected)}' ${place}`;
}

function decodedProtobuf(body: Buffer): Json {
  const decoded = decodeProtobuf(body);
  if (decoded === undefined) throw unsupportedMediaType(objectTypes);
  return parseJson(JSON.stringify(decoded));
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
 * @throws the parser's error, and a StatusError 415 for an unsupported type.
 */
export function decodeBody(contentType: string | undefined, body: Buffer): Json {
  const type = objectTypeOf(contentType);
  if (type === 'application/yaml') return parseYaml(body.toString()).value;
  if (type === 'application/vnd.kubernetes.protobuf') return decodedProtobuf(body);
  return parseJson(body.toString());
}

function shown(text: string): string {
  if (text === '') return '<empty>';
  return text.trimStart().startsWith('{') ? text : Buffer.from(text).toString('hex');
}

/** The error of a body that cannot be decoded. */
export function undecodable(kind: string, body: Buffer, error: unknown): Error {
  if (error instanceof ProtobufError) {
    const text = body.toString();
    const excerpt = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
    const said = text.startsWith('{') ? excerpt : body.subarray(0, 1_024).toString('hex');
    return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${error.message} (${said})`);
  }
  const text = body.toString();
  const problem = jsonProblem(text, error);
  return badRequest(
    `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${problem} (${shown(text)})`,
  );
}
