import { jsonProblem } from '../http/decodeBody.js';
import { asString, isJsonArray, isJsonObject, parseJson, valueAt, type Json, type JsonObject } from '../json.js';
import { StatusError } from '../status/statusError.js';
import { internalError } from '../status/statusErrors.js';
import { applyJsonPatch } from '../write/jsonPatch.js';
import { WebhookCallError } from './webhookClient.js';

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
  const [op, path] = ['op', 'path'].map((name) => asString(valueAt(operation, name)));
  throw new PatchOperationError(`${op ?? ''} operation does not apply: ${path ?? ''}`);
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
