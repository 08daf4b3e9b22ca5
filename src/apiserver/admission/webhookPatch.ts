import { jsonProblem } from '../http/decodeBody.js';
import { asString, isJsonArray, isJsonObject, parseJson, valueAt, type Json, type JsonObject } from '../json.js';
import { StatusError } from '../status/statusError.js';
import { internalError } from '../status/statusErrors.js';
import { applyJsonPatch } from '../write/jsonPatch.js';
import { WebhookCallError } from './webhookClient.js';

/** The error of an operation, as worded by the API server's library. */
function problemOf(document: JsonObject, operation: Json): string {
  const [op, path] = [asString(valueAt(operation, 'op')), asString(valueAt(operation, 'path'))];
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (op === 'remove') return `error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`;
  if (op === 'test') return `testing value ${path} failed: test failed`;
  // `replace` requires only the parent to exist: for a path of a single name, that is the object itself.
  if (op === 'replace')
    return `replace operation does not apply: doc is missing ${path.lastIndexOf('/') > 0 ? 'path' : 'key'}: ${path}: missing value`;
  const at = Number(last);
  const parent = path
    .split('/')
    .slice(1, -1)
    .reduce<Json>((value, part) => valueAt(value, part) ?? null, document);
  if (op === 'add' && isJsonArray(parent) && Number.isInteger(at))
    return `error in add for path: '${path}': Unable to access invalid index: ${last}: invalid index referenced`;
  if (op === 'add') return `add operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`;
  return op === 'move' || op === 'copy' ? `${op} operation does not apply: ${path}` : `Unexpected kind: ${op}`;
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
    throw new WebhookCallError(`received undecodable patch in webhook response: ${jsonProblem(text, error)}`);
  }
  if (!isJsonArray(patch)) throw new WebhookCallError('received undecodable patch in webhook response: the patch is no list');
  try {
    return patch.reduce<JsonObject>(applyOne, document);
  } catch (error) {
    throw error instanceof PatchOperationError ? internalError(error.message) : error;
  }
}
