import { decodeBody, excerptOf, kindlessProblem, kindTypeProblem, objectTypeOf, undecodable } from '../http/decodeBody.js';
import { protobufType, yamlType } from '../http/mediaTypes.js';
import { asString, isJsonObject, type Json, type JsonObject } from '../json.js';
import type { ServedResource } from '../kinds/servedResource.js';
import { StatusError } from '../status/statusError.js';
import { badRequest, invalid, invalidValue, unsupportedMediaType } from '../status/statusErrors.js';

function decode({ kind, groupVersion, custom }: ServedResource, contentType: string | undefined, body: Buffer): Json {
  if (custom !== undefined && objectTypeOf(contentType) === protobufType) throw unsupportedMediaType(['application/json', yamlType]);
  try {
    return decodeBody(contentType, body, [groupVersion, kind]);
  } catch (error) {
    throw error instanceof StatusError ? error : undecodable(kind, body, error);
  }
}

const otherVersion = (given: string, { groupVersion }: ServedResource): Error =>
  badRequest(`the API version in the data (${given}) does not match the expected API version (${groupVersion})`);

function checkBuiltIn(resource: ServedResource, apiVersion: string, kind: string): void {
  if (kind !== resource.kind) throw badRequest(`${kind} in version "${apiVersion}" cannot be handled as a ${resource.kind}`);
  if (apiVersion !== resource.groupVersion) throw otherVersion(apiVersion, resource);
}

function checkCustom(resource: ServedResource, object: JsonObject, apiVersion: string, kind: string, name: string): void {
  if (kind === '') {
    const missing = 'Kind';
    const text = JSON.stringify(object);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object '${missing}' is missing in '${text}' (${excerptOf(Buffer.from(text))})`,
    );
  }
  if (kind !== resource.kind)
    throw invalid(kind, resource.group, name, [invalidValue('kind', JSON.stringify(kind), `must be ${resource.kind}`)]);
  if (apiVersion !== resource.groupVersion) throw otherVersion(apiVersion, resource);
}

/**
 * Checks the kind and apiVersion of a submitted object: built-in kinds may omit them.
 *
 * @throws StatusError 400 or 422
 */
export function checkKind(resource: ServedResource, object: JsonObject): void {
  const { metadata } = object;
  const [apiVersion, kind] = [asString(object['apiVersion']), asString(object['kind'])];
  const name = isJsonObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  if (resource.custom === undefined)
    checkBuiltIn(resource, apiVersion === '' ? resource.groupVersion : apiVersion, kind === '' ? resource.kind : kind);
  else checkCustom(resource, object, apiVersion, kind, name);
}

/**
 * The object in the body of a create or replace.
 *
 * @throws StatusError 400, 415 or 422
 */
export function decodeObject(resource: ServedResource, contentType: string | undefined, body: Buffer): JsonObject {
  const decoded = decode(resource, contentType, body);
  // Go decodes `null` as an empty object.
  const object = decoded === null ? {} : decoded;
  if (!isJsonObject(object)) {
    const problem = `${kindlessProblem(object)} (${excerptOf(body)})`;
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${problem}`);
  }
  const problem = kindTypeProblem(object);
  if (problem !== '')
    throw badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${problem} (${excerptOf(body)})`);
  checkKind(resource, object);
  return object;
}
