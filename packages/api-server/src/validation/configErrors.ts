import { jsonProblem } from '../http/decodeBody.js';
import { asJsonObject, asString, isEqualJson, parseJson, valueAt } from '../json.js';
import { forbiddenField, invalidValue, required, type FieldError } from '../status/statusErrors.js';
import type { StoredContent } from '../store/storedObject.js';

type Findings = Generator<FieldError, void, undefined>;

function* keyErrors(after: StoredContent, field: string): Findings {
  for (const key of Object.keys(asJsonObject(after[field])))
    if (key.length > 253 || !/^[-._a-zA-Z0-9]+$/.test(key) || /^\.(\.|$)/.test(key))
      yield invalidValue(`${field}[${key}]`, JSON.stringify(key), "must consist of at most 253 letters, digits, '-', '_' or '.'");
}

/** Validation errors of a change of an immutable object: it cannot become mutable again. */
function* frozenErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  if (before === undefined || valueAt(before, 'immutable') !== true) return;
  for (const field of ['immutable', 'data', 'binaryData'])
    if (!isEqualJson(before[field], after[field])) yield forbiddenField(field, 'field is immutable when `immutable` is set');
}

const maxBytes = 1024 * 1024;

/** Validation errors of the total size of an object's data. */
function* sizeErrors(after: StoredContent, field: string): Findings {
  const texts = Object.values(asJsonObject(after['data'])).reduce<number>((sum, text) => sum + Buffer.byteLength(asString(text)), 0);
  const bytes = Object.values(asJsonObject(after['binaryData'])).reduce<number>((sum, text) => sum + (asString(text).length * 3) / 4, 0);
  // The data of secrets is in base64.
  const size = field === 'data' ? (texts * 3) / 4 : texts + bytes;
  if (size > maxBytes)
    yield {
      reason: 'FieldValueTooLong',
      field: field === '' ? '[]' : field,
      message: `Too long: may not be more than ${String(maxBytes)} bytes`,
    };
}

/** Validation errors of a config map. */
export function* configMapErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* keyErrors(after, 'data');
  yield* keyErrors(after, 'binaryData');
  for (const key of Object.keys(asJsonObject(after['binaryData'])))
    if (Object.hasOwn(asJsonObject(after['data']), key))
      yield invalidValue(`data[${key}]`, JSON.stringify(key), `duplicate of key present in binaryData`);
  yield* sizeErrors(after, '');
  yield* frozenErrors(after, before);
}

/** The keys that a secret of a type must have. */
const typedKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};
const login = ['username', 'password'];

/** The error of base64 data that is not JSON. */
function parseProblem(bytes: string): string | undefined {
  const text = Buffer.from(bytes, 'base64').toString();
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    return jsonProblem(error);
  }
}

function* typedKeyErrors(after: StoredContent): Findings {
  const type = asString(after['type']);
  const data = asJsonObject(after['data']);
  const keys = typedKeys[type] ?? [];
  for (const key of keys) if (!(key in data) || (key === 'ssh-privatekey' && data[key] === '')) yield required(`data[${key}]`);
  const json = { 'kubernetes.io/dockercfg': '.dockercfg', 'kubernetes.io/dockerconfigjson': '.dockerconfigjson' }[type];
  const problem = json === undefined || !(json in data) ? undefined : parseProblem(asString(data[json]));
  if (problem !== undefined) yield invalidValue(`data[${json ?? ''}]`, '"<secret contents redacted>"', problem);
  if (type === 'kubernetes.io/basic-auth' && !login.some((key) => key in data)) for (const key of login) yield required(`data[${key}]`);
}

/** Validation errors of a secret. */
export function* secretErrors(after: StoredContent, before: StoredContent | undefined): Findings {
  yield* keyErrors(after, 'data');
  yield* sizeErrors(after, 'data');
  yield* typedKeyErrors(after);
  yield* frozenErrors(after, before);
}
