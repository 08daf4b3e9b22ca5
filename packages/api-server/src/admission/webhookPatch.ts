import { jsonProblem } from '../http/decodeBody.js';
import { asString, isJsonArray, isJsonObject, parseJson, valueAt, type Json, type JsonObject } from '../json.js';
import { StatusError } from '../status/statusError.js';
import { internalError } from '../status/statusErrors.js';
import { applyJsonPatch } from '../write/jsonPatch.js';
import { WebhookCallError } from './webhookClient.js';

/** The error of an operation, as worded by the API server's library. */
function problemOf(document: JsonObject, operation: Json): string {
  const [op, path, from] = ['op', 'path', 'from'].map((name) => asString(valueAt(operation, name))) as [string, string, string];
  const last = path.slice(path.lastIndexOf('/') + 1);
  const parent = path
    .split('/')
    .slice(1, -1)
    .reduce<Json>((value, part) => valueAt(value, part) ?? null, document);
  const isIndex = isJsonArray(parent) && Number.isInteger(Number(last));
  if (isIndex && (op === 'add' || op === 'remove'))
    return `error in ${op} for path: '${path}': Unable to access invalid index: ${last}: invalid index referenced`;
  if (op === 'add' || (op === 'remove' && path === ''))
    return `${op} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`;
  if (op === 'remove') return `error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`;
  if (op === 'test') return `testing value ${path} failed: test failed`;
  // `replace` requires only the parent to exist: for a path of a single name, that is the object itself.
  if (op === 'replace')
    return `replace operation does not apply: doc is missing ${path.lastIndexOf('/') > 0 && !isIndex ? 'path' : 'key'}: ${path}: missing value`;
  const moved = from.slice(from.lastIndexOf('/') + 1);
  if (op === 'move') return `error in move for path: '${moved}': Unable to remove nonexistent key: ${moved}: missing value`;
  return op === 'copy' ? `copy operation does not apply: ${path}` : `Unexpected kind: ${op}`;
}

/** A patch operation that does not apply to the object. */
export class PatchOperationError extends Error {}

/**
 * Applies one operation of a patch made by the server itself.
 *
 * @throws PatchOperationError
 */
export function applyOne(document: JsonObject, operation: Json): JsonObject {
  try {
    // Nothing can be added in place of the whole object.
    const isWhole = valueAt(operation, 'op') === 'add' && valueAt(operation, 'path') === '';
    const result = isWhole ? undefined : applyJsonPatch(document, [operation]);
    if (isJsonObject(result)) return result;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
  throw new PatchOperationError(problemOf(document, operation));
}

/**
 * Applies the patch in a webhook's answer.
 *
 * @throws WebhookCallError when the patch cannot be parsed, and StatusError 500 when it does not apply to the object.
 */
export function applyWebhookPatch(document: JsonObject, base64: string): JsonObject {
  const text = Buffer.from(base64, 'base64').toString();
  let patch: Json;
  try {
    patch = parseJson(text);
  } catch (error) {
    throw new WebhookCallError(`received undecodable patch in webhook response: ${jsonProblem(error)}`);
  }
  if (!isJsonArray(patch)) throw new WebhookCallError('received undecodable patch in webhook response: the patch is no list');
  try {
    return patch.reduce<JsonObject>(applyOne, document);
  } catch (error) {
    throw error instanceof PatchOperationError ? internalError(error.message) : error;
  }
}
