import { jsonProblem } from '../http/decodeBody.js';
import { asString, isJsonArray, isJsonObject, parseJson, valueAt, type Json, type JsonObject } from '../json.js';
import { StatusError } from '../status/statusError.js';
import { internalError } from '../status/statusErrors.js';
import { applyJsonPatch } from '../write/jsonPatch.js';
import { WebhookCallError } from './webhookClient.js';

/** The error of an operation, as worded by the API server's library. */
function problemOf(operation: Json): string {
  const [op, path] = [asString(valueAt(operation, 'op')), asString(valueAt(operation, 'path'))];
  const last = path.slice(path.lastIndexOf('/') + 1);
  if (op === 'remove') return `error in remove for path: '${path}': Unable to remove nonexistent key: ${last}: missing value`;
  if (op === 'test') return `testing value ${path} failed: test failed`;
  // Only the parent must exist: that of a single name is the object itself.
  if (op === 'replace')
    return `replace operation does not apply: doc is missing ${path.lastIndexOf('/') > 0 ? 'path' : 'key'}: ${path}: missing value`;
  if (op === 'add') return `add operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`;
  return `${op} operation does not apply: ${path}`;
}

/** An operation of a patch that does not fit the object. */
export class PatchOperationError extends Error {}

/**
 * Applies one operation of a patch that the server itself has asked for.
 *
 * @throws PatchOperationError
 */
export function applyOne(document: JsonObject, operation: Json): JsonObject {
  try {
    const result = applyJsonPatch(document, [operation]);
    if (isJsonObject(result)) return result;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
  }
  throw new PatchOperationError(problemOf(operation));
}

/**
 * Applies the patch that a webhook has answered with.
 *
 * @throws WebhookCallError for one that cannot be read, and StatusError 500 for one that does not fit the object.
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
